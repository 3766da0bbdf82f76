package watchlist_test

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/accounts/internal/deletion"
	"gpatlas/modules/accounts/internal/user"
	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/jobs"
	"gpatlas/platform/module"
	"gpatlas/platform/testkit/httpapitest"
)

const harborRidge = `"adviser_crd":"900001","canonical_gp_id":900001,"gp_name":"Harbor Ridge Capital Partners LLC","city":"Boston","state":"MA"`

// The response to an addition equals what the list shows from then on.
func TestAdd(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Clock.Move(time.Nanosecond) // smaller than what the database keeps
	first := b.host.Do(t, httpapitest.Scenario{
		Method: "POST", Path: path, Body: `{"adviser_crd":"900001","alert_enabled":false}`, As: as(b.ada), Status: 201,
	})
	id := strings.Split(first.Body, `"`)[5]
	item := `{"id":"` + id + `",` + harborRidge + `,"alert_enabled":false,"created_at":"2026-11-20T09:30:00.000000Z"}`
	require.JSONEq(t, `{"data":`+item+`}`, first.Body)
	b.host.Do(t, httpapitest.Scenario{
		Path: path, As: as(b.ada), WantJSON: `{"data":[` + item + `],"meta":{"total":1,"limit":25,"offset":0,"page":1,"per_page":25}}`,
	})
	b.host.Do(t, httpapitest.Scenario{
		Method: "POST", Path: path, Body: `{"adviser_crd":"900001"}`, As: as(b.ada), Status: 409,
		WantJSON: `{"detail":"GP with CRD 900001 is already on the watchlist"}`,
	})
	require.Equal(t, first.Body, `{"data":`+b.first(t)+`}`, "a second addition changes nothing")

	b.host.Do(t, httpapitest.Scenario{
		Method: "POST", Path: path, Body: `{"adviser_crd":"900003"}`, As: as(b.ada), Status: 201,
		Contains: []string{`"alert_enabled":true`, `"gp_name":"Larkspur Management Inc"`, `"city":null`, `"state":null`},
	})
	b.host.Do(t, httpapitest.Scenario{Path: path + "?crd=900001", As: as(b.ada), WantJSON: `{"data":[` + item + `],"meta":{"total":1,"limit":25,"offset":0,"page":1,"per_page":25}}`})
	b.host.Do(t, httpapitest.Scenario{Path: path + "?crd=900002", As: as(b.ada), WantJSON: `{"data":[],"meta":{"total":0,"limit":25,"offset":0,"page":1,"per_page":25}}`})
	b.host.Do(t, httpapitest.Scenario{Path: path + "?crd=x", As: as(b.ada), Status: 400, Contains: []string{`"field":"crd"`}})
	require.Empty(t, b.listed(t, b.grace))
	b.add(t, b.grace, "900001")
	require.Equal(t, []string{"900001"}, b.listed(t, b.grace), "each has a list")
}

// first is the newest item of Ada's, as it is encoded.
func (b *bench) first(t *testing.T) string {
	t.Helper()
	items, _, err := b.service.List(t.Context(), b.ada.ID, "", 1, 0)
	require.NoError(t, err)
	text, err := httpapi.Marshal(items[0])
	require.NoError(t, err)
	return string(text)
}

// Pages follow each other, the newest item first.
func TestList(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.host.Do(t, httpapitest.Scenario{Path: path, As: as(b.ada), WantJSON: `{"data":[],"meta":{"total":0,"limit":25,"offset":0,"page":1,"per_page":25}}`})
	for _, crd := range []string{"900002", "900001", "900003"} {
		b.add(t, b.ada, crd)
		b.Clock.Move(time.Second)
	}
	require.Equal(t, []string{"900003", "900001", "900002"}, b.listed(t, b.ada))
	b.host.Run(t, []httpapitest.Scenario{
		{
			Name: "a page", Path: path + "?per_page=2", As: as(b.ada), Contains: []string{`"900003"`, `"900001"`, `"total":3`}, NotContains: []string{`"900002"`},
			WantHeader: map[string]string{"Link": `<` + path + `?page=1&per_page=2>; rel="first", <` + path + `?page=2&per_page=2>; rel="next", <` + path + `?page=2&per_page=2>; rel="last"`},
		},
		{Name: "the next", Path: path + "?per_page=2&page=2", As: as(b.ada), Contains: []string{`"900002"`, `"total":3`}, NotContains: []string{`"900003"`, `"900001"`}},
		{Name: "by offset", Path: path + "?limit=1&offset=1", As: as(b.ada), Contains: []string{`"900001"`}, NotContains: []string{`"900003"`, `"900002"`}},
		{Name: "beyond", Path: path + "?page=9", As: as(b.ada), Contains: []string{`"data":[]`, `"total":3`}},
		{Name: "of another", Path: path, As: as(b.grace), Contains: []string{`"data":[]`, `"total":0`}},
	})
}

// What the catalog does not list any more stays on the list, without a name.
func TestListWithoutCatalog(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.NoError(t, b.DB.From(t.Context()).Exec(`INSERT INTO accounts.watchlist_items (id, user_id, adviser_crd, canonical_gp_id, created_at)
		VALUES (?, ?, '900009', 900008, ?)`, none, b.ada.ID, b.Clock.Now()).Error)
	b.host.Do(t, httpapitest.Scenario{
		Path: path, As: as(b.ada),
		Contains: []string{`[{"id":"` + none + `","adviser_crd":"900009","canonical_gp_id":900008,"alert_enabled":true,"created_at":"2026-11-20T09:30:00.000000Z","gp_name":null,"city":null,"state":null}]`},
	})
}

// What is refused leaves nothing behind.
func TestRefusals(t *testing.T) {
	t.Parallel()
	b := setup(t)
	key := &auth.Principal{Kind: auth.Key, UserID: b.ada.ID}
	me := as(b.ada)
	for _, s := range []httpapitest.Scenario{
		{Name: "list as nobody", Path: path, Status: 401},
		{Name: "list with a key", Path: path, As: key, Status: 403},
		{Name: "add as nobody", Method: "POST", Path: path, Body: `{"adviser_crd":"900001"}`, Status: 401},
		{Name: "add with a key", Method: "POST", Path: path, Body: `{"adviser_crd":"900001"}`, As: key, Status: 403},
		{Name: "remove as nobody", Method: "DELETE", Path: path + "/" + none, Status: 401},
		{Name: "remove with a key", Method: "DELETE", Path: path + "/" + none, As: key, Status: 403},
		{Name: "unknown GP", Method: "POST", Path: path, Body: `{"adviser_crd":"900077"}`, As: me, Status: 404, WantJSON: `{"detail":"GP with CRD 900077 not found"}`},
		{Name: "no GP", Method: "POST", Path: path, Body: `{}`, As: me, Status: 400, Contains: []string{"adviser_crd"}},
		{Name: "leading zero", Method: "POST", Path: path, Body: `{"adviser_crd":"0900001"}`, As: me, Status: 400, Contains: []string{"without leading zeros"}},
		{Name: "a number", Method: "POST", Path: path, Body: `{"adviser_crd":900001}`, As: me, Status: 400, Contains: []string{"adviser_crd"}},
		{Name: "NUL", Method: "POST", Path: path, Body: `{"adviser_crd":"900001\u0000"}`, As: me, Status: 400},
		{Name: "alert of another kind", Method: "POST", Path: path, Body: `{"adviser_crd":"900001","alert_enabled":"yes"}`, As: me, Status: 400, Contains: []string{"alert_enabled"}},
		{Name: "another's account", Method: "POST", Path: path, Body: `{"adviser_crd":"900001","user_id":2}`, As: me, Status: 400, Contains: []string{"user_id"}},
		{Name: "own id", Method: "POST", Path: path, Body: `{"adviser_crd":"900001","id":"` + none + `"}`, As: me, Status: 400, Contains: []string{"is not a known field"}},
		{Name: "own time", Method: "POST", Path: path, Body: `{"adviser_crd":"900001","created_at":"2020-01-01T00:00:00.000000Z"}`, As: me, Status: 400, Contains: []string{"created_at"}},
		{Name: "malformed id", Method: "DELETE", Path: path + "/7", As: me, Status: 400, Contains: []string{"a UUID in lower case"}},
		{Name: "unknown parameter", Path: path + "?user_id=2", As: me, Status: 400, Contains: []string{"user_id"}},
	} {
		t.Log(s.Name)
		b.host.Do(t, s)
	}
	require.Empty(t, b.listed(t, b.ada))
}

// Another's item is answered like one that does not exist, to the byte, and stays.
func TestRemove(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.add(t, b.ada, "900001")
	b.add(t, b.ada, "900002")
	remove := func(u *user.User, id string, status int) httpapitest.Response {
		return b.host.Do(t, httpapitest.Scenario{Method: "DELETE", Path: path + "/" + id, As: as(u), Status: status})
	}
	missing := remove(b.grace, none, 404)
	require.JSONEq(t, `{"detail":"Watchlist item not found"}`, missing.Body)
	require.Equal(t, missing.Body, remove(b.grace, id, 404).Body)
	require.Len(t, b.listed(t, b.ada), 2)
	require.Empty(t, remove(b.ada, id, 204).Body)
	require.Equal(t, []string{"900002"}, b.listed(t, b.ada))
	require.Equal(t, missing.Body, remove(b.ada, id, 404).Body, "once")
	require.NotEqual(t, id, b.add(t, b.ada, "900001"), "it may be watched again")
}

// Of concurrent additions, or removals, of the same item one succeeds.
func TestInParallel(t *testing.T) {
	t.Parallel()
	b := setup(t)
	race := func(do func() error) map[apperr.Kind]int {
		var mu sync.Mutex
		var wg sync.WaitGroup
		kinds := map[apperr.Kind]int{}
		for range 20 {
			wg.Go(func() {
				err, kind := do(), apperr.Kind(-1)
				if err != nil {
					kind = apperr.From(err).Kind
				}
				mu.Lock()
				defer mu.Unlock()
				kinds[kind]++
			})
		}
		wg.Wait()
		return kinds
	}
	require.Equal(t, map[apperr.Kind]int{-1: 1, apperr.KindConflict: 19}, race(func() error {
		_, err := b.service.Add(t.Context(), b.ada.ID, "900001", true)
		return err
	}))
	items, total, err := b.service.List(t.Context(), b.ada.ID, "", 10, 0)
	require.NoError(t, err)
	require.Equal(t, 1, total)
	require.Equal(t, map[apperr.Kind]int{-1: 1, apperr.KindNotFound: 19}, race(func() error {
		return b.service.Remove(t.Context(), b.ada.ID, items[0].ID)
	}))
}

// A deleted account keeps its list for its recovery; the purge removes it, and no others.
func TestDeletedAccount(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.add(t, b.ada, "900001")
	b.add(t, b.grace, "900001")
	require.NoError(t, b.Users.Update(t.Context(), b.ada.ID, map[string]any{"deleted_at": b.Clock.Now()}))
	require.Equal(t, []string{"900001"}, b.listed(t, b.ada))
	b.Clock.Move(31 * 24 * time.Hour)
	purged, err := deletion.NewService(b.DB, b.Clock, b.Passwords, b.Sessions, b.Throttle, jobs.NewEnqueuer(b.DB), new(module.Personal)).Purge(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, purged)
	require.Empty(t, b.listed(t, b.ada))
	require.Equal(t, []string{"900001"}, b.listed(t, b.grace))
	b.host.Do(t, httpapitest.Scenario{
		Method: "POST", Path: path, Body: `{"adviser_crd":"900001"}`, As: as(b.ada), Status: 401, Contains: []string{"Could not validate credentials"},
	})
}

func TestExport(t *testing.T) {
	t.Parallel()
	b := setup(t)
	part := b.service.Part().Exporters[0]
	require.Equal(t, "watchlist", part.Name)
	export := func(u *user.User) string {
		got, err := part.For(t.Context(), u.ID)
		require.NoError(t, err)
		text, err := json.Marshal(got)
		require.NoError(t, err)
		return string(text)
	}
	require.Equal(t, `[]`, export(b.ada))
	second := b.add(t, b.ada, "900003")
	b.Clock.Move(time.Minute)
	first := b.add(t, b.ada, "900001")
	require.JSONEq(t, `[{"id":"`+first+`",`+harborRidge+`,"alert_enabled":true,"created_at":"2026-11-20T09:31:00Z"},
		{"id":"`+second+`","adviser_crd":"900003","canonical_gp_id":900003,"gp_name":"Larkspur Management Inc","city":null,"state":null,"alert_enabled":true,"created_at":"2026-11-20T09:30:00Z"}]`, export(b.ada))
	require.Equal(t, `[]`, export(b.grace))
}

// An unavailable database is 503 everywhere.
func TestUnavailable(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.DB.Close()
	for _, s := range []httpapitest.Scenario{
		{Path: path},
		{Method: "POST", Path: path, Body: `{"adviser_crd":"900001"}`},
		{Method: "DELETE", Path: path + "/" + none},
	} {
		s.As, s.Status = as(b.ada), 503
		b.host.Do(t, s)
	}
}
