package collection_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/accounts/internal/deletion"
	"gpatlas/modules/accounts/internal/user"
	"gpatlas/platform/auth"
	"gpatlas/platform/jobs"
	"gpatlas/platform/module"
	"gpatlas/platform/testkit/httpapitest"
)

const (
	taken   = `{"detail":"You already have a collection with this name"}`
	missing = `{"detail":"Collection not found"}`
)

// A collection from creation to removal; each response equals the next read.
func TestLife(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Clock.Move(time.Nanosecond) // smaller than what the database keeps
	empty := b.send(t, b.ada, "GET", path, "", 200)
	require.JSONEq(t, `{"data":[],"meta":{"total":0,"collections_max":20}}`, empty)
	made := b.send(t, b.ada, "POST", path, `{"name":"  Boston buyout ","description":" To meet\nin spring "}`, 201)
	at := path + "/" + strings.Split(made, `"`)[5]
	is := func(name, description string, items int, changed string) string {
		return fmt.Sprintf(`"id":"%s","name":"%s","description":%s,"item_count":%d,"created_at":"2026-11-20T09:30:00.000000Z","updated_at":"%s"`,
			id(at), name, description, items, changed)
	}
	fresh := is("Boston buyout", `"To meet\nin spring"`, 0, "2026-11-20T09:30:00.000000Z")
	require.JSONEq(t, `{"data":{`+fresh+`}}`, made)
	require.JSONEq(t, `{"data":{`+fresh+`,"items":[]},"meta":{"total":0,"page":1,"per_page":100,"items_max":500}}`, b.send(t, b.ada, "GET", at, "", 200))

	b.Clock.Move(time.Minute)
	require.JSONEq(t, `{"data":{"crd":"900003","gp_name":"Larkspur Management Inc","city":null,"state":null,"added_at":"2026-11-20T09:31:00.000000Z"}}`,
		b.send(t, b.ada, "POST", at+"/items", `{"crd":"900003"}`, 201))
	b.Clock.Move(time.Minute)
	harborRidge := `{"crd":"900001","gp_name":"Harbor Ridge Capital Partners LLC","city":"Boston","state":"MA","added_at":"2026-11-20T09:32:00.000000Z"}`
	require.JSONEq(t, `{"data":`+harborRidge+`}`, b.send(t, b.ada, "POST", at+"/items", `{"crd":"900001"}`, 201))
	full := is("Boston buyout", `"To meet\nin spring"`, 2, "2026-11-20T09:32:00.000000Z")
	require.JSONEq(t, `{"data":[{`+full+`}],"meta":{"total":1,"collections_max":20}}`, b.send(t, b.ada, "GET", path, "", 200))
	b.Clock.Move(time.Minute)
	require.Empty(t, b.send(t, b.ada, "DELETE", at+"/items/900003", "", 204))
	require.JSONEq(t, `{"data":{`+is("Boston buyout", `"To meet\nin spring"`, 1, "2026-11-20T09:33:00.000000Z")+`,"items":[`+harborRidge+`]},
		"meta":{"total":1,"page":1,"per_page":100,"items_max":500}}`, b.send(t, b.ada, "GET", at, "", 200))

	b.Clock.Move(time.Minute)
	require.JSONEq(t, `{"data":{`+is("BOSTON", `"To meet\nin spring"`, 1, "2026-11-20T09:34:00.000000Z")+`}}`, b.send(t, b.ada, "PATCH", at, `{"name":"BOSTON"}`, 200))
	require.JSONEq(t, `{"data":{`+is("BOSTON", `"East"`, 1, "2026-11-20T09:34:00.000000Z")+`}}`, b.send(t, b.ada, "PATCH", at, `{"description":"East"}`, 200))
	require.JSONEq(t, `{"data":{`+is("Boston", `null`, 1, "2026-11-20T09:34:00.000000Z")+`}}`, b.send(t, b.ada, "PATCH", at, `{"name":"Boston","description":" "}`, 200))
	require.Empty(t, b.send(t, b.ada, "DELETE", at, "", 204))
	require.JSONEq(t, missing, b.send(t, b.ada, "DELETE", at, "", 404), "once")
	require.Equal(t, empty, b.send(t, b.ada, "GET", path, "", 200))
	var left int
	require.NoError(t, b.DB.From(t.Context()).Raw("SELECT count(*) FROM accounts.collection_items").Scan(&left).Error)
	require.Zero(t, left)
}

// Names are unique in an account, whatever the case and however they are encoded.
func TestNames(t *testing.T) {
	t.Parallel()
	b := setup(t)
	at := b.create(t, b.ada, "Café")
	for _, name := range []string{"Café", "CAFÉ", "cafe\u0301", " café "} {
		require.JSONEq(t, taken, b.send(t, b.ada, "POST", path, `{"name":"`+name+`"}`, 409), name)
	}
	b.create(t, b.grace, "Café")
	other := b.create(t, b.ada, "Cafe")
	require.JSONEq(t, taken, b.send(t, b.ada, "PATCH", other, `{"name":"CAFÉ","description":"x"}`, 409))
	require.NotContains(t, b.send(t, b.ada, "GET", other, "", 200), `"x"`, "nothing of it was done")
	require.Contains(t, b.send(t, b.ada, "PATCH", at, `{"name":"CAFÉ"}`, 200), `"CAFÉ"`, "its own name in another form")
	b.send(t, b.ada, "DELETE", at, "", 204)
	b.create(t, b.ada, "café")
	long := strings.Repeat("é", 100)
	require.Contains(t, b.send(t, b.ada, "POST", path, `{"name":"`+long+`","description":"`+strings.Repeat("ö", 1000)+`"}`, 201), long)
}

// What is in a collection comes in pages of a hundred, the last added first.
func TestPages(t *testing.T) {
	t.Parallel()
	b := setup(t)
	at := b.create(t, b.ada, "Boston buyout")
	b.fill(t, at, 101)
	b.Clock.Move(time.Minute)
	b.add(t, b.ada, at, "900001")
	pages := map[string]struct {
		first string
		items int
	}{
		"":                    {"900001", 100},
		"?page=2":             {"800100", 2},
		"?per_page=1&page=2":  {"800001", 1},
		"?per_page=50&page=3": {"800100", 2},
		"?page=10000000":      {"", 0},
	}
	for query, want := range pages {
		var got struct {
			Data struct {
				ItemCount int `json:"item_count"`
				Items     []struct {
					CRD    string  `json:"crd"`
					GPName *string `json:"gp_name"`
				}
			}
			Meta struct{ Total int }
		}
		require.NoError(t, json.Unmarshal([]byte(b.send(t, b.ada, "GET", at+query, "", 200)), &got))
		require.Equal(t, []int{102, 102, want.items}, []int{got.Data.ItemCount, got.Meta.Total, len(got.Data.Items)}, query)
		if want.items > 0 {
			require.Equal(t, want.first, got.Data.Items[0].CRD, query)
			require.Equal(t, want.first == "900001", got.Data.Items[0].GPName != nil, "those that the catalog does not list have no name")
		}
	}
	b.host.Do(t, httpapitest.Scenario{Path: at + "?page=2", As: as(b.ada), WantHeader: map[string]string{
		"Link": `<` + at + `?page=1&per_page=100>; rel="first", <` + at + `?page=1&per_page=100>; rel="prev", <` + at + `?page=2&per_page=100>; rel="last"`,
	}})
}

// fill puts GPs that the catalog does not list into a collection: 800001 and so on.
func (b *bench) fill(t *testing.T, at string, n int) {
	t.Helper()
	require.NoError(t, b.DB.From(t.Context()).Exec(`INSERT INTO accounts.collection_items
		SELECT ?::uuid, (800000 + n)::text, ?::timestamptz FROM generate_series(1, ?) n`, id(at), b.Clock.Now(), n).Error)
}

// What is refused leaves nothing behind.
func TestRefusals(t *testing.T) {
	t.Parallel()
	b := setup(t)
	at := b.create(t, b.ada, "Boston buyout")
	b.add(t, b.ada, at, "900001")
	before := b.send(t, b.ada, "GET", at, "", 200)
	b.Clock.Move(time.Hour)
	key := &auth.Principal{Kind: auth.Key, UserID: b.ada.ID}
	for _, s := range []httpapitest.Scenario{
		{Path: path},
		{Method: "POST", Path: path, Body: `{"name":"x"}`},
		{Path: at},
		{Method: "PATCH", Path: at, Body: `{"name":"x"}`},
		{Method: "DELETE", Path: at},
		{Method: "POST", Path: at + "/items", Body: `{"crd":"900002"}`},
		{Method: "DELETE", Path: at + "/items/900001"},
	} {
		s.Status = 401
		b.host.Do(t, s)
		s.As, s.Status = key, 403
		b.host.Do(t, s)
	}
	for _, s := range []struct {
		method, path, body string
		status             int
		says               string
	}{
		{"POST", path, `{}`, 400, "name"},
		{"POST", path, `{"name":""}`, 400, "name"},
		{"POST", path, `{"name":"   "}`, 400, "Invalid name: must not be empty"},
		{"POST", path, `{"name":"` + strings.Repeat("é", 101) + `"}`, 400, "at most 100 characters"},
		{"POST", path, `{"name":"a\u0001b"}`, 400, "Invalid name: must be one line without control or invisible characters"},
		{"POST", path, `{"name":"a\nb"}`, 400, "Invalid name: must be one line"},
		{"POST", path, `{"name":"a\u200bb"}`, 400, "Invalid name: must be one line"},
		{"POST", path, `{"name":"a","description":"b\n\u202ec"}`, 400, "nor invisible characters"},
		{"PATCH", at, `{"name":"\u2066a"}`, 400, "Invalid name: must be one line"},
		{"PATCH", at, `{"name":"\u2800"}`, 400, "Invalid name: must have a visible character"},
		{"POST", path, `{"name":7}`, 400, "name"},
		{"POST", path, `{"name":"x","description":"` + strings.Repeat("x", 1001) + `"}`, 400, "at most 1000 characters"},
		{"POST", path, `{"name":"x","description":"\u0000"}`, 400, `Invalid body: must not contain the character \\u0000`},
		{"POST", path, `{"name":"x","user_id":2}`, 400, "user_id"},
		{"POST", path, `{"name":"x","item_count":2}`, 400, "item_count"},
		{"PATCH", at, `{}`, 400, "must have name or description"},
		{"PATCH", at, `{"name":""}`, 400, "name"},
		{"PATCH", at, `{"name":" "}`, 400, "must not be empty"},
		{"PATCH", at, `{"name":null}`, 400, "name"},
		{"PATCH", at, `{"description":"\u0001"}`, 400, "Invalid description: must not contain control characters"},
		{"PATCH", at, `{"name":"x","id":"` + none + `"}`, 400, "is not a known field"},
		{"PATCH", at, `{"name":"x","user_id":2}`, 400, "user_id"},
		{"POST", at + "/items", `{"crd":"900077"}`, 404, "GP with CRD 900077 not found"},
		{"POST", at + "/items", `{"crd":"900001"}`, 409, "GP with CRD 900001 is already in this collection"},
		{"POST", at + "/items", `{"crd":"0900001"}`, 400, "without leading zeros"},
		{"POST", at + "/items", `{}`, 400, "crd"},
		{"POST", at + "/items", `{"crd":"900002","added_at":"2020-01-01T00:00:00.000000Z"}`, 400, "added_at"},
		{"DELETE", at + "/items/900002", "", 404, "GP with CRD 900002 is not in this collection"},
		{"DELETE", at + "/items/x", "", 400, "a CRD number"},
		{"GET", path + "/7", "", 400, "a UUID in lower case"},
		{"DELETE", path + "/7", "", 400, "a UUID in lower case"},
		{"GET", at + "?per_page=101", "", 400, "per_page"},
		{"GET", at + "?page=0", "", 400, "page"},
		{"GET", at + "?limit=1", "", 400, "limit"},
	} {
		t.Log(s.method, s.path, s.body)
		require.Contains(t, b.send(t, b.ada, s.method, s.path, s.body, s.status), s.says)
	}
	require.Equal(t, before, b.send(t, b.ada, "GET", at, "", 200))
	require.Contains(t, b.send(t, b.ada, "GET", path, "", 200), `"total":1`)
}

// Another's collection is answered like one that does not exist, to the byte, and stays as it is.
func TestOfAnother(t *testing.T) {
	t.Parallel()
	b := setup(t)
	at := b.create(t, b.ada, "Boston buyout")
	b.add(t, b.ada, at, "900001")
	before := b.send(t, b.ada, "GET", at, "", 200)
	for _, s := range []struct{ method, under, body string }{
		{"GET", "", ""},
		{"GET", "?page=2", ""},
		{"PATCH", "", `{"name":"Mine"}`},
		{"PATCH", "", `{"name":"Boston buyout"}`},
		{"DELETE", "", ""},
		{"POST", "/items", `{"crd":"900001"}`},
		{"POST", "/items", `{"crd":"900002"}`},
		{"POST", "/items", `{"crd":"900077"}`},
		{"DELETE", "/items/900001", ""},
		{"DELETE", "/items/900002", ""},
	} {
		madeUp := b.send(t, b.grace, s.method, path+"/"+none+s.under, s.body, 404)
		require.JSONEq(t, missing, madeUp)
		require.Equal(t, madeUp, b.send(t, b.grace, s.method, at+s.under, s.body, 404), "%s %s %s", s.method, s.under, s.body)
	}
	require.Contains(t, b.send(t, b.grace, "GET", path, "", 200), `"data":[]`)
	require.Equal(t, before, b.send(t, b.ada, "GET", at, "", 200))
}

// A deleted account keeps its collections for its recovery; the purge removes them, and no others.
func TestDeletedAccount(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, u := range []*user.User{b.ada, b.grace} {
		b.add(t, u, b.create(t, u, "Boston buyout"), "900001")
	}
	count := func() (n [2]int) {
		require.NoError(t, b.DB.From(t.Context()).Raw("SELECT count(*) FROM accounts.collections").Scan(&n[0]).Error)
		require.NoError(t, b.DB.From(t.Context()).Raw("SELECT count(*) FROM accounts.collection_items").Scan(&n[1]).Error)
		return n
	}
	require.NoError(t, b.Users.Update(t.Context(), b.ada.ID, map[string]any{"deleted_at": b.Clock.Now()}))
	_, err := b.service.Create(t.Context(), b.ada.ID, "Denver", "")
	require.ErrorContains(t, err, "Could not validate credentials")
	require.Equal(t, [2]int{2, 2}, count())
	b.Clock.Move(31 * 24 * time.Hour)
	purged, err := deletion.NewService(b.DB, b.Clock, b.Passwords, b.Sessions, b.Throttle, jobs.NewEnqueuer(b.DB), new(module.Personal)).Purge(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, purged)
	require.Equal(t, [2]int{1, 1}, count())
	kept, err := b.service.List(t.Context(), b.grace.ID)
	require.NoError(t, err)
	require.Len(t, kept, 1)
}

func TestExport(t *testing.T) {
	t.Parallel()
	b := setup(t)
	part := b.service.Part().Exporters[0]
	require.Equal(t, "collections", part.Name)
	export := func(u *user.User) string {
		got, err := part.For(t.Context(), u.ID)
		require.NoError(t, err)
		text, err := json.Marshal(got)
		require.NoError(t, err)
		return string(text)
	}
	require.Equal(t, `[]`, export(b.ada))
	at := b.create(t, b.ada, "Boston buyout")
	b.add(t, b.ada, at, "900003")
	require.JSONEq(t, `[{"id":"`+id(at)+`","name":"Boston buyout","description":null,"item_count":1,"created_at":"2026-11-20T09:30:00Z","updated_at":"2026-11-20T09:30:00Z",
		"items":[{"crd":"900003","gp_name":"Larkspur Management Inc","city":null,"state":null,"added_at":"2026-11-20T09:30:00Z"}]}]`, export(b.ada))
	require.Equal(t, `[]`, export(b.grace))
	b.fill(t, at, 499)
	require.Equal(t, 500, strings.Count(export(b.ada), `"crd"`), "all of it")
}

// An unavailable database is 503 everywhere.
func TestUnavailable(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.DB.Close()
	for _, s := range []httpapitest.Scenario{
		{Path: path},
		{Method: "POST", Path: path, Body: `{"name":"x"}`},
		{Path: path + "/" + none},
		{Method: "PATCH", Path: path + "/" + none, Body: `{"name":"x"}`},
		{Method: "DELETE", Path: path + "/" + none},
		{Method: "POST", Path: path + "/" + none + "/items", Body: `{"crd":"900001"}`},
		{Method: "DELETE", Path: path + "/" + none + "/items/900001"},
	} {
		s.As, s.Status = as(b.ada), 503
		b.host.Do(t, s)
	}
}
