package changefeed_test

import (
	"bufio"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/feed/internal/changefeed"
	"gpatlas/platform/auth"
	"gpatlas/platform/changes"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/dbtest"
	"gpatlas/platform/testkit/httpapitest"
)

const collection = "6f1c2e0a-6a3b-4a52-9a55-0d6f0c1b2a3d"

type bench struct {
	*httpapitest.Host
	db  *database.DB
	hub *changes.Hub
	ada *auth.Principal
}

// newBench is the feed over four events of two loads. Ada watches 900002, and collects 900001.
func newBench(t *testing.T) *bench {
	t.Helper()
	db := dbtest.New(t)
	hub := changes.NewHub(db, slog.New(slog.DiscardHandler))
	b := &bench{Host: httpapitest.New(t, changefeed.Routes(changefeed.NewService(db, hub, clock.System{}, 0))...), db: db, hub: hub}
	for _, statement := range []string{
		`INSERT INTO catalog.arrivals (arrival, processed_at, known_at) VALUES (7, '2026-11-14 06:00Z', '2026-11-14 06:01Z')`,
		`INSERT INTO accounts.users (email, password_hash, created_at) VALUES ('ada@example.org', 'x', now())`,
	} {
		if _, err := database.Run(t.Context(), db, "prepare", statement, nil); err != nil && !strings.Contains(statement, "accounts") {
			require.NoError(t, err)
		}
	}
	day := time.Date(2026, 11, 12, 0, 0, 0, 0, time.UTC)
	b.add(t,
		changes.Event{Kind: "aum_change", CRD: "900001", Accession: "ADV-900001-2001", Day: &day, Arrival: 7, Said: json.RawMessage(
			`{"gp_name": "Harbor Ridge Capital Partners LLC", "reason": "filing", "changed": [{"field": "total_aum", "before": 2300000000, "after": 2500000000}]}`)},
		changes.Event{Kind: "new_filing", CRD: "900001", Subject: "ADV-900001-2001", Accession: "ADV-900001-2001", Day: &day, Arrival: 7, Said: json.RawMessage(
			`{"gp_name": "Harbor Ridge Capital Partners LLC", "reason": "filing", "form_type": "ADV/A"}`)},
		changes.Event{Kind: "fund_close", CRD: "900002", Subject: "805-0000000021", Arrival: 7, Said: json.RawMessage(
			`{"gp_name": "Mossgate Ventures LLC", "fund_name": "Mossgate Seed Fund", "reason": "filing", "changed": [{"field": "status", "before": "active", "after": "closed"}]}`)})
	b.add(t, changes.Event{Kind: "adviser_change", CRD: "900003", Said: json.RawMessage(`{"gp_name": "Larkspur Hollow LLC", "reason": "calendar", "changed": [{"field": "city", "before": null, "after": "Boston"}]}`)})
	b.ada = &auth.Principal{Kind: auth.Session, UserID: 1}
	return b
}

func (b *bench) add(t *testing.T, events ...changes.Event) {
	t.Helper()
	require.NoError(t, b.db.InTx(t.Context(), func(ctx context.Context) error { return changes.Append(ctx, b.db, events) }))
}

// listen starts the hub.
func (b *bench) listen(t *testing.T) {
	t.Helper()
	b.hub.Start(t.Context())
	t.Cleanup(func() { require.NoError(t, b.hub.Stop(context.WithoutCancel(t.Context()))) })
	require.Eventually(t, func() bool { _, ok := b.hub.Head(); return ok }, 10*time.Second, time.Millisecond)
}

type page struct {
	Data []struct{ ID, Kind, CRD string }
	Meta struct {
		NextCursor string `json:"next_cursor"`
		HasMore    bool   `json:"has_more"`
	}
}

func (b *bench) get(t *testing.T, query string, as *auth.Principal) (kinds []string, p page) {
	t.Helper()
	r := b.Do(t, httpapitest.Scenario{Path: "/v1/changes?" + query, As: as})
	require.NoError(t, json.Unmarshal([]byte(r.Body), &p))
	kinds = []string{}
	for _, e := range p.Data {
		kinds = append(kinds, e.Kind)
	}
	return kinds, p
}

// The whole event, and the filters.
func TestChanges(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	r := b.Do(t, httpapitest.Scenario{Path: "/v1/changes?from=oldest&limit=1"})
	var got struct {
		Data []map[string]any
		Meta map[string]any
	}
	require.NoError(t, json.Unmarshal([]byte(r.Body), &got))
	require.Len(t, got.Data, 1)
	require.NotEmpty(t, got.Data[0]["at"])
	delete(got.Data[0], "at")
	require.Equal(t, map[string]any{
		"id": "chg_0000000000000001", "kind": "aum_change", "known_at": "2026-11-14T06:01:00.000000Z", "crd": "900001",
		"gp_name": "Harbor Ridge Capital Partners LLC", "fund_id": nil, "fund_name": nil, "accession_number": "ADV-900001-2001", "filing_date": "2026-11-12",
		"form_type": nil, "reason": "filing", "changed": []any{map[string]any{"field": "total_aum", "before": 2.3e9, "after": 2.5e9}},
		"links": map[string]any{"gp": "/v1/gps/900001", "fund": nil},
	}, got.Data[0])
	require.Equal(t, true, got.Meta["has_more"])
	for query, want := range map[string][]string{
		"from=oldest": {"aum_change", "new_filing", "fund_close", "adviser_change"}, "from=oldest&kind=aum_change,fund_close": {"aum_change", "fund_close"},
		"from=oldest&crd=900001": {"aum_change", "new_filing"}, "from=oldest&fund_id=805-0000000021": {"fund_close"}, "": {}, "since=2020-01-01T00:00:00Z&limit=2": {"aum_change", "new_filing"},
		"since=2999-01-01T00:00:00Z": {},
	} {
		kinds, _ := b.get(t, query, nil)
		require.Equal(t, want, kinds, query)
	}
	kinds, p := b.get(t, "", nil)
	require.Empty(t, kinds)
	b.add(t, changes.Event{Kind: "retracted", CRD: "900001", Subject: "805-0000000012", Said: json.RawMessage(`{"fund_name": "X", "reason": "filing"}`)})
	kinds, next := b.get(t, "cursor="+p.Meta.NextCursor, nil)
	require.Equal(t, []string{"retracted"}, kinds, "a feed that begins now")
	kinds, _ = b.get(t, "cursor="+next.Meta.NextCursor, nil)
	require.Empty(t, kinds)
	require.Contains(t, b.Do(t, httpapitest.Scenario{Path: "/v1/changes/kinds"}).Body, `"fund_close"`)
}

// An event of a person has neither name nor ID; what was removed of it leaves an event that says nothing of the person.
func TestPersonnelChange(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.add(t, changes.Event{Kind: "personnel_change", CRD: "900001", Subject: "per_k3v7q2mz5xw4n6ta", Said: json.RawMessage(
		`{"gp_name": "Harbor Ridge Capital Partners LLC", "reason": "filing", "changed": [{"field": "current", "before": false, "after": true}]}`)})
	ask := httpapitest.Scenario{Path: "/v1/changes?from=oldest&kind=personnel_change", Contains: []string{
		`"reason":"filing"`, `"changed":[{"field":"current","before":false,"after":true}]`, `"fund_id":null`,
	}}
	require.NotContains(t, b.Do(t, ask).Body, "per_", "an ID made of a name confirms guesses of it")
	require.NoError(t, changes.Forget(t.Context(), b.db, "personnel_change", "SELECT 'per_k3v7q2mz5xw4n6ta' AS subject, '' AS crd", nil))
	ask.Contains = []string{`"id":"chg_0000000000000005"`, `"crd":"900001"`, `"reason":"filing"`, `"changed":[]`}
	b.Do(t, ask)
}

func TestBadInput(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ahead := changes.Cursor{Epoch: [16]byte{1}, Seq: 3}.String()
	b.Run(t, []httpapitest.Scenario{
		{Name: "cursor", Path: "/v1/changes?cursor=cur_x", Status: http.StatusBadRequest, Contains: []string{`"cursor"`}},
		{Name: "a cursor of activity", Path: "/v1/changes?cursor=eyJsIjotMSwidCI6WyJuZXdfZmlsaW5nIiwibmV3X2Z1bmQiXX0", Status: http.StatusBadRequest, Contains: []string{`"cursor"`}},
		{Name: "two begins", Path: "/v1/changes?from=oldest&since=2026-01-01T00:00:00Z", Status: http.StatusBadRequest, Contains: []string{`"from"`}},
		{Name: "since", Path: "/v1/changes?since=yesterday", Status: http.StatusBadRequest, Contains: []string{`"since"`}},
		{Name: "kind", Path: "/v1/changes?kind=aum_chang", Status: http.StatusBadRequest, Contains: []string{`"kind"`, "aum_change"}},
		{Name: "crd", Path: "/v1/changes?crd=1,x", Status: http.StatusBadRequest, Contains: []string{`"crd"`}},
		{Name: "201 GPs", Path: "/v1/changes?crd=1" + strings.Repeat(",1", 200), Status: http.StatusBadRequest, Contains: []string{"at most 200"}},
		{Name: "fund", Path: "/v1/changes?fund_id=x", Status: http.StatusBadRequest, Contains: []string{`"fund_id"`}},
		{Name: "limit", Path: "/v1/changes?limit=1001", Status: http.StatusBadRequest, Contains: []string{`"limit"`}},
		{Name: "wait of nobody", Path: "/v1/changes?wait=1", Status: http.StatusUnauthorized, Contains: []string{"wait needs"}},
		{Name: "watchlist of nobody", Path: "/v1/changes?watchlist=true", Status: http.StatusUnauthorized, Contains: []string{"watchlist needs"}},
		{Name: "stream for nobody", Path: "/v1/changes", Header: map[string]string{"Accept": "text/event-stream"}, Status: http.StatusUnauthorized, Contains: []string{"a stream needs"}},
		{Name: "foreign collection", Path: "/v1/changes?collection_id=" + collection, As: b.ada, Status: http.StatusNotFound, Contains: []string{"Collection not found"}},
		{Name: "another epoch", Path: "/v1/changes?cursor=" + ahead, Status: http.StatusGone, Contains: []string{`"code":"cursor_expired"`, `"oldest_cursor":"cur_`}},
		{Name: "empty watchlist", Path: "/v1/changes?from=oldest&watchlist=true", As: b.ada, Contains: []string{`"data":[]`}},
	})
	_, p := b.get(t, "", nil)
	head, err := changes.HeadOf(t.Context(), b.db)
	require.NoError(t, err)
	future := head.At(head.Newest + 1000).String()
	kinds, lagging := b.get(t, "cursor="+future, nil)
	require.Empty(t, kinds, "of a server that is further on: nothing yet")
	require.Equal(t, future, lagging.Meta.NextCursor)
	swept := head.At(1).String()
	require.NoError(t, changes.Sweep(t.Context(), b.db, *head.NewestAt))
	b.Do(t, httpapitest.Scenario{Path: "/v1/changes?cursor=" + swept, Status: http.StatusGone, Contains: []string{"cursor_expired", head.At(head.Newest - 1).String()}})
	require.NoError(t, changes.Restart(t.Context(), b.db))
	b.Do(t, httpapitest.Scenario{Path: "/v1/changes?cursor=" + p.Meta.NextCursor, Status: http.StatusGone, Contains: []string{"cursor_expired"}})
}

// A request that waits is answered by the event; the sixth of an account is refused.
func TestWaiting(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.listen(t)
	const waits = 5
	got := make(chan string, waits)
	for range waits {
		go func() {
			r := httpapitest.Response{Status: http.StatusServiceUnavailable}
			for r.Status == http.StatusServiceUnavailable { // while the probe below has the place
				r = b.Ask(t, httpapitest.Scenario{Path: "/v1/changes?wait=30&kind=fund_return", As: b.ada})
			}
			got <- r.Body
		}()
	}
	for {
		r := b.Ask(t, httpapitest.Scenario{Path: "/v1/changes?wait=1&kind=fund_return", As: b.ada})
		if r.Status == http.StatusServiceUnavailable {
			require.Equal(t, "5", r.Header.Get("Retry-After"))
			break
		}
	}
	b.add(t, changes.Event{Kind: "fund_return", CRD: "900002", Subject: "805-0000000021", Said: json.RawMessage(`{"fund_name": "Mossgate Seed Fund", "reason": "filing"}`)})
	for range waits {
		require.Contains(t, <-got, `"kind":"fund_return"`)
	}
	kinds, _ := b.get(t, "wait=1", b.ada)
	require.Empty(t, kinds, "the time is over")
}

// A restarted log expires the cursors of those that wait at once: a request gets 410, a stream ends.
func TestRestartEndsWaits(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.listen(t)
	const waits = 5
	got := make(chan int, waits)
	for i := range waits {
		go func() {
			s := httpapitest.Scenario{Path: "/v1/changes?wait=30&kind=fund_return", As: b.ada}
			if i == 0 {
				s.Header = map[string]string{"Accept": "text/event-stream"}
			}
			r := httpapitest.Response{Status: http.StatusServiceUnavailable}
			defer func() { got <- r.Status }()              // also if the stream breaks
			for r.Status == http.StatusServiceUnavailable { // while the probe below has the place
				r = b.Ask(t, s)
			}
		}()
	}
	for b.Ask(t, httpapitest.Scenario{Path: "/v1/changes?wait=1&kind=fund_return", As: b.ada}).Status != http.StatusServiceUnavailable {
		t.Log("not all wait yet")
	}
	begun := time.Now()
	require.NoError(t, changes.Restart(t.Context(), b.db))
	statuses := map[int]int{}
	for range waits {
		statuses[<-got]++
	}
	require.Equal(t, map[int]int{http.StatusOK: 1, http.StatusGone: waits - 1}, statuses)
	require.Less(t, time.Since(begun), 20*time.Second, "at once, and not at the end of the wait")
}

// A stream goes on from its last ID, and ends when the process stops.
func TestStream(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.listen(t)
	_, p := b.get(t, "from=oldest&limit=2", nil)
	b.add(t, changes.Event{Kind: "fund_return", CRD: "900002", Subject: "805-0000000021", Said: json.RawMessage(`{"fund_name": "Mossgate Seed Fund", "reason": "filing"}`)})
	b.hub.Release()
	r := b.Ask(t, httpapitest.Scenario{Path: "/v1/changes?from=oldest", As: b.ada, Header: map[string]string{"Accept": "text/event-stream", "Last-Event-ID": p.Meta.NextCursor}})
	require.Equal(t, "text/event-stream", r.Header.Get("Content-Type"))
	var events []string
	for lines := bufio.NewScanner(strings.NewReader(r.Body)); lines.Scan(); {
		if kind, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
			events = append(events, kind)
		}
	}
	require.Equal(t, []string{"fund_close", "adviser_change", "fund_return"}, events, r.Body)

	r = b.Ask(t, httpapitest.Scenario{Path: "/v1/changes?limit=1&from=oldest", Header: map[string]string{"Last-Event-ID": p.Meta.NextCursor}})
	require.Contains(t, r.Body, `"kind":"fund_close"`, "JSON goes on from it, too")
}
