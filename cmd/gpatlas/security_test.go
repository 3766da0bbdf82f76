package main

import (
	"encoding/json"
	"fmt"
	"hash/crc32"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/fx"
	"golang.org/x/sync/errgroup"

	"gpatlas/modules/accounts"
	"gpatlas/platform/clock"
	"gpatlas/platform/config"
	"gpatlas/platform/database"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
	"gpatlas/platform/telemetry"
	"gpatlas/platform/testkit/dbtest"
)

// One service, and several people who try what they must not do.
func TestStrangers(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	h := startHouse(t, dbtest.URL(t, db), dbtest.RedisURL(t))
	for name, run := range map[string]func(*testing.T, *house, *database.DB){
		"thirty keys at once": keysAtOnce, "another's ids": othersIDs, "administration": administration, "mass assignment": massAssignment,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run(t, h, db)
		})
	}
}

// Thirty creations at one moment leave as many keys as an account may have; where one is missing, one of thirty is made.
func keysAtOnce(t *testing.T, h *house, _ *database.DB) {
	t.Helper()
	ada := h.signUp(t, "thirty@larkspur.example")
	h.verify(t, ada)
	last := ""
	for _, free := range []int{10, 1, 1} {
		if last != "" {
			require.Equal(t, http.StatusNoContent, ada.call("DELETE", "/v1/api-keys/"+last, "").status)
		}
		var g errgroup.Group
		begin, answers := make(chan struct{}), make([]answer, 30)
		for i := range answers {
			g.Go(func() (err error) {
				<-begin
				answers[i], err = ada.ask("POST", "/v1/api-keys", `{"name":"one of many","tier":"starter"}`)
				return err
			})
		}
		close(begin)
		require.NoError(t, g.Wait())
		by := map[int]int{}
		for _, a := range answers {
			if by[a.status]++; a.status == http.StatusCreated {
				last = text(t, a.body, "id")
			}
		}
		require.Equal(t, map[int]int{http.StatusCreated: free, http.StatusConflict: 30 - free}, by)
	}
	var list struct {
		Data []json.RawMessage
		Meta struct{ Active int }
	}
	require.NoError(t, json.Unmarshal([]byte(ada.call("GET", "/v1/api-keys", "").body), &list))
	require.Len(t, list.Data, 10)
	require.Equal(t, 10, list.Meta.Active)
}

// thing is what an account has and a path names: how an account gets one, the id of one that nobody has, and what is sent
// with a change.
type thing struct {
	of            func(a *account) string
	nobodys, body string
}

const noUUID = "0190a5b2-7c41-4d6e-9a3f-1c2b3d4e5f60"

// personal are the paths that name what is somebody's.
var personal = map[string]thing{
	"/v1/auth/sessions/{id}":                         {func(a *account) string { return a.session }, "sess_aaaaaaaaaaaaaaaaaaaaaaaaaa", ""},
	"/v1/api-keys/{key_id}":                          {makes("/v1/api-keys", `{"name":"mine","tier":"starter","mode":"test"}`), noUUID, `{"name":"mine now"}`},
	"/v1/me/watchlist/{item_id}":                     {makes("/v1/me/watchlist", `{"adviser_crd":"900001"}`), noUUID, ""},
	"/v1/me/searches/{search_id}":                    {makes("/v1/me/searches", aSearch), noUUID, `{"name":"mine now","filters":{}}`},
	"/v1/me/searches/{search_id}/run":                {makes("/v1/me/searches", aSearch), noUUID, ""},
	"/v1/me/searches/{search_id}/alert":              {watches, noUUID, `{"on":["entered"],"mail":"off"}`},
	"/v1/me/searches/{search_id}/news":               {watches, noUUID, ""},
	"/v1/me/collections/{collection_id}":             {makes("/v1/me/collections", `{"name":"mine"}`), noUUID, `{"name":"mine now"}`},
	"/v1/me/collections/{collection_id}/items":       {makes("/v1/me/collections", `{"name":"mine"}`), noUUID, `{"crd":"900001"}`},
	"/v1/me/collections/{collection_id}/items/batch": {makes("/v1/me/collections", `{"name":"mine"}`), noUUID, `{"crds":["900001"]}`},
	"/v1/me/collections/{collection_id}/items/{crd}": {func(a *account) string {
		id := makes("/v1/me/collections", `{"name":"mine"}`)(a)
		require.Equal(a.t, http.StatusCreated, a.call("POST", "/v1/me/collections/"+id+"/items", `{"crd":"900001"}`).status)
		return id
	}, noUUID, ""},
}

// watches makes a saved search with an alert.
func watches(a *account) string {
	id := makes("/v1/me/searches", aSearch)(a)
	require.Equal(a.t, http.StatusOK, a.call("PUT", "/v1/me/searches/"+id+"/alert", `{"on":["entered"],"mail":"off"}`).status)
	return id
}

const aSearch = `{"name":"mine","filters":{"city":"Boston"}}`

// makes gets one by a creation.
func makes(path, body string) func(a *account) string {
	return func(a *account) string {
		made := a.call("POST", path, body)
		require.Equal(a.t, http.StatusCreated, made.status, made.body)
		var one struct {
			ID   string
			Data struct{ ID string }
		}
		require.NoError(a.t, json.Unmarshal([]byte(made.body), &one))
		require.NotEqual(a.t, one.ID, one.Data.ID, made.body)
		return one.ID + one.Data.ID
	}
}

// impersonal are the paths that name what is nobody's: a school.
var impersonal = []string{"/v1/{school}/survey", "/v1/{school}/verify"}

// An id of another account is answered like one that does not exist, whatever is asked, and nothing happens to what it names.
func othersIDs(t *testing.T, h *house, db *database.DB) {
	t.Helper()
	_, err := db.Pool().Exec(t.Context(), `WITH filed AS (
			INSERT INTO catalog.filings (accession, crd, source, form_type, amendment_type, filing_date, submitted_at, funds_listed, document, run_id)
			VALUES ('ADV-900001-1', '900001', 'adv_archive', 'ADV', 'initial', '2026-01-05', '2026-01-05', false, 'adv.zip', 1) RETURNING *)
		INSERT INTO catalog.advisers (crd, legal_name, canonical_gp_id, name_stem, first_filed_on, latest_accession, latest_form_type, latest_filed_on, newest_filed_on)
		SELECT crd, 'HARBOR RIDGE CAPITAL LLC', 900001, 'harbor ridge', filing_date, accession, form_type, filing_date, filing_date FROM filed`)
	require.NoError(t, err)
	paths := map[string][]string{} // the methods that there are
	for _, r := range routesOf(t, "accounts", "keys") {
		if path := r.Operation.Path; strings.Contains(path, "{") && !slices.Contains(impersonal, path) {
			require.Contains(t, personal, path, "say how an account gets one, that another may ask for it")
			paths[path] = append(paths[path], r.Operation.Method)
		}
	}
	require.GreaterOrEqual(t, len(paths), 2, "sessions and keys at least")
	for path, methods := range paths {
		sum := crc32.ChecksumIEEE([]byte(path)) // two accounts a path: one that asks for all would reach its rate limit
		ada, ben := h.signUp(t, fmt.Sprintf("ada%d@larkspur.example", sum)), h.signUp(t, fmt.Sprintf("ben%d@mossgate.example", sum))
		mine := personal[path]
		id := mine.of(ada)
		list, _, _ := strings.Cut(path, "/{")
		first := path[:strings.IndexByte(path, '}')+1]
		shown := func() string { return ada.call("GET", list, "").body + ada.call("GET", named(first, id), "").body }
		before := shown()
		require.Contains(t, before, id)
		for _, method := range []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"} {
			body := ""
			if strings.HasPrefix(method, "P") {
				body = mine.body
			}
			adas, nobodys := ben.call(method, named(path, id), body), ben.call(method, named(path, mine.nobodys), body)
			require.Equal(t, nobodys.status, adas.status, "%s %s", method, path)
			require.Equal(t, nobodys.body, adas.body, "%s %s", method, path)
			require.Equal(t, lasting(nobodys.header), lasting(adas.header), "%s %s", method, path)
			if slices.Contains(methods, method) {
				require.Equal(t, http.StatusNotFound, adas.status, "%s %s: %s", method, path, adas.body)
			}
			require.Equal(t, before, shown(), "%s %s", method, path)
			if slices.Contains(methods, method) { // its owner is let through: what was asked for was good
				require.Equal(t, 2, ada.call(method, named(path, id), body).status/100, "%s %s", method, path)
				if method != "DELETE" {
					before = shown()
				}
			}
		}
	}
}

// named is a path with an id in it.
func named(path, id string) string {
	from, to := strings.IndexByte(path, '{'), strings.IndexByte(path, '}')
	return strings.ReplaceAll(path[:from]+id+path[to+1:], "{crd}", "900001")
}

// lasting leaves out of a header what differs from one answer to the next.
func lasting(h http.Header) http.Header {
	h = h.Clone()
	for _, passing := range []string{"X-Request-Id", "Date", "X-RateLimit-Remaining", "X-RateLimit-Reset", "RateLimit"} {
		h.Del(passing)
	}
	return h
}

// manifests are those of all modules.
func manifests(t *testing.T) []module.Manifest {
	t.Helper()
	var s settings
	_ = config.Load(nil, &s) // the defaults
	var list []module.Manifest
	require.NoError(t, fx.New(compose(parts{
		process: module.Process{Name: "routes"}, settings: s, clock: clock.System{}, log: slog.New(slog.DiscardHandler), tracing: telemetry.NoTracing(),
	}), fx.Populate(&list)).Err())
	return list
}

// routesOf are the operations of some modules, as they register them.
func routesOf(t *testing.T, names ...string) (routes []httpapi.Route) {
	t.Helper()
	for _, m := range manifests(t) {
		if slices.Contains(names, m.Name) {
			require.NotEmpty(t, m.Routes, m.Name)
			routes = append(routes, m.Routes...)
		}
	}
	return routes
}

// What administrators may do is refused to everybody else, in every operation that there is.
func administration(t *testing.T, h *house, db *database.DB) {
	t.Helper()
	app, err := describe()
	require.NoError(t, err)
	document, err := app.API.JSON()
	require.NoError(t, err)
	var api struct {
		Paths map[string]map[string]struct {
			Access string `json:"x-access"` //nolint:tagliatelle // an extension's name
		}
	}
	require.NoError(t, json.Unmarshal(document, &api))
	nobody, ada, chief := caller{t: t, base: h.base}, h.signUp(t, "user@larkspur.example"), h.signUp(t, "chief@larkspur.example")
	h.verify(t, ada)
	raise := func(a *account) { // so that no limit is in the way
		require.NoError(t, db.From(t.Context()).Exec("UPDATE accounts.users SET api_tier = 'scale' WHERE email = ?", a.email).Error)
	}
	raise(ada)
	key := ada.makeKey("scale")
	_, err = accounts.Grant(t.Context(), db, clock.System{}, chief.email)
	require.NoError(t, err)
	gone, former := h.signUp(t, "gone@larkspur.example"), h.signUp(t, "former@larkspur.example")
	for _, a := range []*account{gone, former} {
		_, err = accounts.Grant(t.Context(), db, clock.System{}, a.email)
		require.NoError(t, err)
	}
	require.Equal(t, http.StatusOK, gone.call("POST", "/v1/auth/logout", "").status)
	_, err = accounts.Revoke(t.Context(), db, clock.System{}, former.email)
	require.NoError(t, err)
	asked := 0
	for path, methods := range api.Paths {
		for method, operation := range methods {
			below := strings.HasPrefix(path, "/v1/admin/")
			require.Equal(t, below, operation.Access == string(httpapi.Admin), "%s %s is of class %s", method, path, operation.Access)
			if !below {
				continue
			}
			asked++
			method, path := strings.ToUpper(method), strings.NewReplacer("{", "", "}", "").Replace(path)
			for who, c := range map[int]caller{http.StatusUnauthorized: nobody, http.StatusForbidden: ada.caller} {
				require.Equal(t, who, c.call(method, path, "").status, "%s %s", method, path)
			}
			require.Equal(t, http.StatusUnauthorized, gone.call(method, path, "").status, "%s %s: the session has ended", method, path)
			require.Equal(t, http.StatusForbidden, former.call(method, path, "").status, "%s %s: the right was revoked", method, path)
			require.Equal(t, http.StatusForbidden, key.call(method, path, "").status, "%s %s", method, path)
			require.NotContains(t, []int{http.StatusUnauthorized, http.StatusForbidden, http.StatusMethodNotAllowed},
				chief.call(method, path, "").status, "%s %s: it is the caller that was refused", method, path)
		}
	}
	require.Positive(t, asked)
}

// What decides over access cannot be sent along: the field is named, and nothing is done.
func massAssignment(t *testing.T, h *house, db *database.DB) {
	t.Helper()
	refused := func(c caller, method, path, body, field, value string) {
		t.Helper()
		a := c.call(method, path, strings.TrimSuffix(body, "}")+`,"`+field+`":`+value+`}`)
		require.Equal(t, http.StatusBadRequest, a.status, "%s %s with %s: %s", method, path, field, a.body)
		var problem struct{ Errors []struct{ Field string } }
		require.NoError(t, json.Unmarshal([]byte(a.body), &problem))
		require.Len(t, problem.Errors, 1, a.body)
		require.Equal(t, field, problem.Errors[0].Field, a.body)
	}
	const email = "greedy@larkspur.example"
	for field, value := range map[string]string{
		"is_admin": "true", "api_tier": `"scale"`, "email_verified": "true", "email_verified_at": `"2026-11-20T09:30:00Z"`, "id": "1",
		"tier": `"student"`, "subscription_plan": `"enterprise"`, "trial_ends_at": `"2036-11-20T09:30:00Z"`, "IsAdmin": "true",
	} {
		refused(caller{t: t, base: h.base}, "POST", "/v1/auth/register", h.form(email), field, value)
	}
	var made int
	require.NoError(t, db.Pool().QueryRow(t.Context(), "SELECT count(*) FROM accounts.users WHERE email_key = $1", email).Scan(&made))
	require.Zero(t, made)

	ada := h.signUp(t, email)
	me := ada.call("GET", "/v1/auth/me", "").body
	for field, value := range map[string]string{"is_admin": "true", "api_tier": `"scale"`, "email_verified": "true", "id": "1", "user_id": "1"} {
		refused(ada.caller, "PATCH", "/v1/auth/me/onboarding", `{"step":2}`, field, value)
		refused(ada.caller, "POST", "/v1/api-keys", `{"name":"mine","tier":"starter","mode":"test"}`, field, value)
	}
	require.Equal(t, me, ada.call("GET", "/v1/auth/me", "").body)
	require.Contains(t, ada.call("GET", "/v1/api-keys", "").body, `"data":[]`)
	path := "/v1/api-keys/" + personal["/v1/api-keys/{key_id}"].of(ada)
	before := ada.call("GET", path, "").body
	for field, value := range map[string]string{"tier": `"scale"`, "mode": `"live"`, "id": `"x"`, "user_id": "1", "revoked_at": "null"} {
		refused(ada.caller, "PATCH", path, `{"name":"better"}`, field, value)
	}
	require.Equal(t, before, ada.call("GET", path, "").body)
}
