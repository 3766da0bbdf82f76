package activity_test

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/accounts/internal/activity"
	"gpatlas/platform/auth"
	"gpatlas/platform/httpapi/httpapitest"
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

// Of watched GPs the filings and new funds are listed, the newest first; evidence, amendments of notices, withdrawals and
// other GPs are not.
func TestFeed(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	all := []string{
		"11-12T15:04 900001 ADV/A ADV-900001-1003",
		"11-12T00:00 900001 fund Harbor Ridge Growth Fund II 805-0000000012",
		"11-05T00:00 900001 D 0009999999-26-000001", // of two of its funds, once
		"11-05T00:00 900002 D 0009999999-26-000001",
		"11-01T10:00 900001 ADV/A ADV-900001-1002",
		"11-01T10:00 900002 ADV ADV-900002-2001",
		"11-01T00:00 900002 fund Mossgate Seed Fund 805-0000000021",
	}
	older := []string{
		"01-05T00:00 900001 D 0009999999-26-000003",
		"01-05T00:00 900002 D 0009999999-26-000003",
		"03-28T10:00 900001 ADV ADV-900001-1001",
		"03-28T00:00 900001 fund Harbor Ridge Buyout Fund I 805-0000000011",
	}
	for name, c := range map[string]struct {
		as    *auth.Principal
		query string
		want  []string
		total int
	}{
		"everything":                 {b.ada, "", all, 7},
		"both types":                 {b.ada, "?types=new_fund,%20new_filing,new_fund", all, 7},
		"filings":                    {b.ada, "?types=new_filing", []string{all[0], all[2], all[3], all[4], all[5]}, 5},
		"funds":                      {b.ada, "?types=new_fund", []string{all[1], all[6]}, 2},
		"first page":                 {b.ada, "?limit=2", all[:2], 7},
		"within a day's events":      {b.ada, "?limit=2&offset=3", all[3:5], 7},
		"behind the end":             {b.ada, "?offset=7", nil, 7},
		"far behind the end":         {b.ada, "?offset=1000000000", nil, 7},
		"since an event's instant":   {b.ada, "?since=2026-11-12T15:04:00Z", all[:1], 1},
		"since a moment later":       {b.ada, "?since=2026-11-12T15:04:00.000001Z", nil, 0},
		"since, another zone":        {b.ada, "?since=2026-11-12T16:04:00%2B01:00", all[:1], 1},
		"since, no zone":             {b.ada, "?since=2026-11-05T00:00:00", all[:4], 4},
		"since a day":                {b.ada, "?since=2026-11-05", all[:4], 4},
		"since the day after":        {b.ada, "?since=2026-11-06", all[:2], 2},
		"since for ever":             {b.ada, "?since=0001-01-01", append(append([]string{}, all...), older...), 11},
		"since before years counted": {b.ada, "?since=0000-01-01&types=new_fund", []string{all[1], all[6], older[3]}, 3},
		"since the future":           {b.ada, "?since=9999-12-31T23:59:59Z", nil, 0},
		"of another's watchlist":     {b.grace, "", []string{all[3], all[5], all[6]}, 3},
		"of nobody":                  {b.mary, "", nil, 0},
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
	all, _ := b.get(t, b.ada, "?since=2000-01-01&limit=100")
	require.Len(t, all, 11)
	for i, want := range all {
		one, _ := b.get(t, b.ada, "?since=2000-01-01&limit=1&offset="+string(rune('0'+i/10))+string(rune('0'+i%10)))
		require.Equal(t, []string{want}, one)
	}
}

// Thirty days are the default; the clock moves them.
func TestFeedDefaults(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	_, meta := b.get(t, b.ada, "")
	require.Equal(t, activity.Meta{
		Total: 7, Limit: 50, TypesIncluded: []activity.Type{activity.NewFiling, activity.NewFund}, Since: time.Date(2026, 10, 21, 9, 30, 0, 0, time.UTC),
	}, meta)
	_, meta = b.get(t, b.ada, "?types=new_fund&limit=1&offset=1&since=2026-11-01")
	require.Equal(t, activity.Meta{Total: 2, Limit: 1, Offset: 1, TypesIncluded: []activity.Type{activity.NewFund}, Since: at("2026-11-01 00:00")}, meta)
	b.Clock.Set(time.Date(2026, 12, 1, 10, 0, 0, 0, time.UTC)) // thirty days after the filings of 1 November
	list, _ := b.get(t, b.grace, "")
	require.Len(t, list, 2)
	b.Clock.Set(b.Clock.Now().Add(time.Microsecond))
	list, _ = b.get(t, b.grace, "")
	require.Equal(t, []string{"11-05T00:00 900002 D 0009999999-26-000001"}, list)
}

func TestFeedScenarios(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	bad := func(name, query string, contains ...string) httpapitest.Scenario {
		return httpapitest.Scenario{Name: name, Path: "/v1/me/activity?" + query, As: b.ada, Status: http.StatusBadRequest, Contains: contains}
	}
	const types, since = "must be among new_filing, new_fund, with commas between them", "must be an ISO 8601 date and time such as 2026-11-01T00:00:00Z"
	b.host.Run(t, []httpapitest.Scenario{
		bad("unknown type", "types=new_filing,new_person", "Invalid types: "+types),
		bad("empty type", "types=new_filing,", types),
		bad("type in capitals", "types=NEW_FUND", types),
		bad("no types", "types=", "must not be empty"),
		bad("since a word", "since=yesterday", "Invalid since: "+since),
		bad("since with a bare plus", "since=2026-11-12T16:04:00+01:00", "write the + of an offset as %2B"),
		bad("since no day", "since=2026-11-31", since),
		bad("both", "types=x&since=x", types, since),
		bad("no limit", "limit=0", "must be a whole number from 1 to 100"),
		bad("limit too large", "limit=101", "must be a whole number from 1 to 100"),
		bad("offset below zero", "offset=-1", "Invalid offset"),
		bad("unknown parameter", "type=new_fund", `did you mean \"types\"?`),
		{Name: "nobody", Path: "/v1/me/activity", Status: http.StatusUnauthorized},
		{Name: "an API key", Path: "/v1/me/activity", As: &auth.Principal{Kind: auth.Key, UserID: b.ada.UserID}, Status: http.StatusForbidden},
		{
			Name: "an event", Path: "/v1/me/activity?types=new_fund&limit=1&since=2026-11-01", As: b.ada,
			WantJSON: `{"data":[{"type":"new_fund","crd":"900001","gp_name":"Harbor Ridge Capital Partners LLC","event_date":"2026-11-12T00:00:00Z",
				"details":{"fund_name":"Harbor Ridge Growth Fund II","fund_id":"805-0000000012"}}],
				"meta":{"total":2,"limit":1,"offset":0,"types_included":["new_fund"],"since":"2026-11-01T00:00:00Z"}}`,
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
	list, _ := b.get(t, b.ada, "?types=new_filing")
	require.Equal(t, []string{"11-01T10:00 900001 ADV/A ADV-900001-1002", "11-01T10:00 900002 ADV ADV-900002-2001"}, list)
	exec("DELETE FROM accounts.watchlist_items WHERE adviser_crd = '900001'")
	list, _ = b.get(t, b.ada, "?types=new_filing")
	require.Equal(t, []string{"11-01T10:00 900002 ADV ADV-900002-2001"}, list)
}

// A failure says so in the contract's words, with a cause of our own and nothing of the database's; the log has the rest.
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
			WantJSON: `{"detail":"Failed to load activity feed: the database is not reachable at the moment"}`,
		})
		require.Contains(t, b.log.String(), "list-activity")
	})
}
