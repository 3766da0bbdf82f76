package activity_test

import (
	"encoding/json"
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/accounts/internal/activity"
	"gpatlas/platform/auth"
	"gpatlas/platform/testkit/httpapitest"
)

type answer struct {
	Data []activity.Event
	Meta activity.Meta
}

// get asks for the feed and gives each event in one line.
func (b *bench) get(t *testing.T, as *auth.Principal, query string) ([]string, activity.Meta) {
	t.Helper()
	var a answer
	got := b.host.Do(t, httpapitest.Scenario{Path: "/v1/me/activity" + query, As: as})
	require.NoError(t, json.Unmarshal([]byte(got.Body), &a))
	var list []string
	for _, e := range a.Data {
		require.Equal(t, names[e.CRD], e.GPName)
		line := e.EventDate.Format("01-02T15:04 ") + e.CRD
		if e.Type == activity.NewFund {
			require.Equal(t, activity.Details{FundName: e.Details.FundName, FundID: e.Details.FundID}, e.Details)
			list = append(list, line+" fund "+e.Details.FundName+" "+e.Details.FundID)
			continue
		}
		require.Empty(t, e.Details.FundID+e.Details.FundName)
		require.NotNil(t, e.Details.ProcessedAt)
		require.Equal(t, e.EventDate.Format(time.DateOnly), e.Details.FilingDate)
		list = append(list, line+" "+e.Details.FormType+" "+e.Details.AccessionNumber)
	}
	return list, a.Meta
}

// all is the fixture's feed of Ada, the newest first: Form D was loaded a day after the archive.
var all = []string{
	"11-08T00:00 900001 D/A 0009999999-26-000002",
	"11-08T00:00 900002 D/A 0009999999-26-000002",
	"11-05T00:00 900001 D 0009999999-26-000001", // of two of its funds, once
	"11-05T00:00 900002 D 0009999999-26-000001",
	"01-05T00:00 900001 D 0009999999-26-000003",
	"01-05T00:00 900002 D 0009999999-26-000003",
	"11-12T15:04 900001 ADV/A ADV-900001-1003",
	"11-12T00:00 900001 fund Harbor Ridge Growth Fund II 805-0000000012",
	"11-01T10:00 900001 ADV/A ADV-900001-1002",
	"11-01T10:00 900002 ADV ADV-900002-2001",
	"11-01T00:00 900002 fund Mossgate Seed Fund 805-0000000021",
	"03-28T10:00 900001 ADV ADV-900001-1001",
	"03-28T00:00 900001 fund Harbor Ridge Buyout Fund I 805-0000000011",
}

// pickEvents gives some of all.
func pickEvents(at ...int) (some []string) {
	for _, i := range at {
		some = append(some, all[i])
	}
	return some
}

// Of watched GPs the filings, amendments of notices among them, and new funds are listed, the newest known first; evidence,
// withdrawals and other GPs are not.
func TestFeed(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	filings, funds, recent := pickEvents(0, 1, 2, 3, 4, 5, 6, 8, 9, 11), pickEvents(7, 10, 12), pickEvents(0, 1, 2, 3, 6, 7, 8, 9, 10)
	for name, c := range map[string]struct {
		as    *auth.Principal
		query string
		want  []string
		total int
	}{
		"thirty days":                  {b.ada, "", recent, 9},
		"everything":                   {b.ada, "?since=2000-01-01", all, 13},
		"both types":                   {b.ada, "?since=2000-01-01&types=new_fund,%20new_filing,new_fund", all, 13},
		"filings":                      {b.ada, "?since=2000-01-01&types=new_filing", filings, 10},
		"funds":                        {b.ada, "?since=2000-01-01&types=new_fund", funds, 3},
		"first page":                   {b.ada, "?since=2000-01-01&limit=2", all[:2], 13},
		"within a load's events":       {b.ada, "?since=2000-01-01&limit=2&offset=5", all[5:7], 13},
		"behind the end":               {b.ada, "?since=2000-01-01&offset=13", nil, 13},
		"far behind the end":           {b.ada, "?offset=1000000000", nil, 9},
		"since it was filed":           {b.ada, "?since=2026-11-12T15:04:00Z", pickEvents(6), 1},
		"since a moment later":         {b.ada, "?since=2026-11-12T15:04:00.000001Z", nil, 0},
		"since, another zone":          {b.ada, "?since=2026-11-12T16:04:00%2B01:00", pickEvents(6), 1},
		"since, no zone":               {b.ada, "?since=2026-11-12T15:04:00", pickEvents(6), 1},
		"since a day":                  {b.ada, "?since=2026-11-08", pickEvents(0, 1, 6, 7), 4},
		"since for ever":               {b.ada, "?since=0001-01-01", all, 13},
		"since before years counted":   {b.ada, "?since=0000-01-01&types=new_fund", funds, 3},
		"since the future":             {b.ada, "?since=9999-12-31T23:59:59Z", nil, 0},
		"since it became known":        {b.ada, "?known_since=2026-11-14T06:00:00Z", all[:6], 6},
		"known a moment later":         {b.ada, "?known_since=2026-11-14T06:00:00.000001Z", nil, 0},
		"since the day of the archive": {b.ada, "?known_since=2026-11-13", all, 13},
		"both":                         {b.ada, "?known_since=2026-11-14&since=2026-11-06", all[:2], 2},
		"of another's watchlist":       {b.grace, "?since=2000-01-01", pickEvents(1, 3, 5, 9, 10), 5},
		"of one who watches nobody":    {b.mary, "?since=2000-01-01", nil, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			list, meta := b.get(t, c.as, c.query)
			require.Equal(t, c.want, list)
			require.Equal(t, c.total, meta.Total)
		})
	}
}

// Pages of one event each give the whole feed, none twice: the order is total.
func TestFeedIsTotallyOrdered(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for i, want := range all {
		one, meta := b.get(t, b.ada, "?since=2000-01-01&limit=1&offset="+strconv.Itoa(i))
		require.Equal(t, []string{want}, one)
		require.Equal(t, i < len(all)-1, meta.HasMore)
	}
}

// Thirty days of event_date are the default; the clock moves them. With known_since alone there is no such limit.
func TestFeedDefaults(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	_, meta := b.get(t, b.ada, "")
	require.NotEmpty(t, meta.NextCursor)
	meta.NextCursor = ""
	require.Equal(t, activity.Meta{
		Total: 9, Limit: 50, TypesIncluded: []activity.Type{activity.NewFiling, activity.NewFund}, Since: new(time.Date(2026, 10, 21, 9, 30, 0, 0, time.UTC)),
	}, meta)
	_, meta = b.get(t, b.ada, "?types=new_fund&limit=1&offset=1&known_since=2026-11-01")
	meta.NextCursor = ""
	require.Equal(t, activity.Meta{
		Total: 3, Limit: 1, Offset: 1, TypesIncluded: []activity.Type{activity.NewFund}, KnownSince: new(at("2026-11-01 00:00")), HasMore: true,
	}, meta)
	b.Clock.Set(time.Date(2026, 12, 12, 15, 4, 0, 0, time.UTC)) // thirty days after the newest filing
	list, _ := b.get(t, b.ada, "")
	require.Equal(t, pickEvents(6), list)
	b.Clock.Set(b.Clock.Now().Add(time.Microsecond))
	list, _ = b.get(t, b.ada, "")
	require.Empty(t, list)
}

// A walk that began with since keeps to it on every page. What becomes known after it has any date.
func TestWalkKeepsSince(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	var walked []string
	query := ""
	for range 9 {
		page, meta := b.get(t, b.ada, "?limit=1"+query)
		walked = append(walked, page...)
		require.Equal(t, 10-len(walked), meta.Total)
		query = "&cursor=" + meta.NextCursor
	}
	require.Equal(t, pickEvents(0, 1, 2, 3, 6, 7, 8, 9, 10), walked)
	b.file(t.Context(), t, "1004", "900001", "2021-05-05 12:00")
	page, _ := b.get(t, b.ada, "?limit=1"+query)
	require.Equal(t, []string{"05-05T12:00 900001 ADV ADV-900001-1004"}, page)
}

// cursorOfAll asks for everything.
const cursorOfAll = "eyJsIjotMSwidCI6WyJuZXdfZmlsaW5nIiwibmV3X2Z1bmQiXX0"

func TestFeedScenarios(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	bad := func(name, query string, contains ...string) httpapitest.Scenario {
		return httpapitest.Scenario{Name: name, Path: "/v1/me/activity?" + query, As: b.ada, Status: http.StatusBadRequest, Contains: contains}
	}
	const types, since = "must be new_filing, new_fund, aum_change, fund_close, personnel_change, or several of them separated by commas", "must be an ISO 8601 date and time such as 2026-11-01T00:00:00Z"
	b.host.Run(t, []httpapitest.Scenario{
		bad("unknown type", "types=new_filing,new_person", "Invalid types: "+types),
		bad("empty type", "types=new_filing,", types),
		bad("type in capitals", "types=NEW_FUND", types),
		bad("no types", "types=", "must not be empty"),
		bad("since a word", "since=yesterday", "Invalid since: "+since),
		bad("since with a bare plus", "since=2026-11-12T16:04:00+01:00", "write the + of an offset as %2B"),
		bad("since no day", "since=2026-11-31", since),
		bad("both", "types=x&since=x", types, since),
		bad("known_since a word", "known_since=yesterday", "Invalid known_since: "+since),
		bad("cursor and known_since", "known_since=2026-11-01&cursor="+cursorOfAll, "known_since", "cannot be combined with cursor"),
		bad("not base64", "cursor=%25", "Invalid cursor: is not a cursor of this feed"),
		bad("no cursor", "cursor=e30", "Invalid cursor: is not a cursor of this feed"),
		bad("cursor and since", "since=2026-11-01&offset=1&types=new_fund&cursor="+cursorOfAll, "since", "offset", "cannot be combined with cursor", "must be the types of the request that returned the cursor"),
		bad("no limit", "limit=0", "must be a whole number from 1 to 100"),
		bad("limit too large", "limit=101", "must be a whole number from 1 to 100"),
		bad("offset below zero", "offset=-1", "Invalid offset"),
		bad("unknown parameter", "type=new_fund", `did you mean \"types\"?`),
		{Name: "nobody", Path: "/v1/me/activity", Status: http.StatusUnauthorized},
		{Name: "an API key", Path: "/v1/me/activity", As: &auth.Principal{Kind: auth.Key, UserID: b.ada.UserID}, Status: http.StatusForbidden},
		{
			Name: "an event", Path: "/v1/me/activity?types=new_fund&limit=1&since=2026-11-01", As: b.ada,
			WantJSON: `{"data":[{"type":"new_fund","crd":"900001","gp_name":"Harbor Ridge Capital Partners LLC","event_date":"2026-11-12T00:00:00.000000Z",
				"known_at":"2026-11-13T06:00:00.000000Z","details":{"fund_name":"Harbor Ridge Growth Fund II","fund_id":"805-0000000012"}}],
				"meta":{"total":2,"limit":1,"offset":0,"types_included":["new_fund"],"since":"2026-11-01T00:00:00.000000Z","known_since":null,"has_more":true,
				"next_cursor":"eyJsIjotMSwiaCI6NiwicCI6eyJhIjoxLCJkIjoiMjAyNi0xMS0xMlQwMDowMDowMFoiLCJ0IjoibmV3X2Z1bmQiLCJjIjoiOTAwMDAxIiwiayI6IjgwNS0wMDAwMDAwMDEyIn0sInMiOiIyMDI2LTExLTAxVDAwOjAwOjAwWiIsInQiOlsibmV3X2Z1bmQiXX0"}}`,
		},
		{Name: "empty", Path: "/v1/me/activity?limit=1", As: b.mary, Contains: []string{`{"data":[],"meta":{"total":0,`}},
	})
}

// What is watched no longer has no events any more; a filing that is not processed yet has none either.
func TestFeedFollowsTheWatchlist(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	exec := func(statement string) { require.NoError(t, b.DB.From(t.Context()).Exec(statement).Error) }
	exec("UPDATE catalog.filings SET status = 'pending' WHERE accession = 'ADV-900001-1003'")
	exec("UPDATE catalog.offerings SET status = 'pending' WHERE accession = '0009999999-26-000001'")
	list, _ := b.get(t, b.ada, "?types=new_filing&since=2000-01-01")
	require.Equal(t, pickEvents(0, 1, 4, 5, 8, 9, 11), list)
	exec("DELETE FROM accounts.watchlist_items WHERE adviser_crd = '900001'")
	list, _ = b.get(t, b.ada, "?types=new_filing&since=2000-01-01")
	require.Equal(t, pickEvents(1, 5, 9), list)
}

// A failure has the contract's words, with a cause of our own and nothing of the database's; the log has the rest.
func TestFeedFails(t *testing.T) {
	t.Parallel()
	t.Run("statement", func(t *testing.T) {
		t.Parallel()
		b := newBench(t)
		require.NoError(t, b.DB.From(t.Context()).Exec("ALTER TABLE accounts.watchlist_items RENAME TO hidden_items").Error)
		b.host.Do(t, httpapitest.Scenario{
			Path: "/v1/me/activity", As: b.ada, Status: http.StatusInternalServerError, WantHeader: map[string]string{"ETag": "", "Cache-Control": "no-store"},
			WantJSON: `{"detail":"Failed to load activity feed: an internal error"}`,
		})
		require.Contains(t, b.log.String(), "watchlist_items")
	})
	t.Run("away", func(t *testing.T) {
		t.Parallel()
		b := newBench(t)
		b.DB.Close()
		b.host.Do(t, httpapitest.Scenario{
			Path: "/v1/me/activity", As: b.ada, Status: http.StatusInternalServerError,
			WantJSON: `{"detail":"Failed to load activity feed: the database is unavailable"}`,
		})
		require.Contains(t, b.log.String(), "list-activity")
	})
}
