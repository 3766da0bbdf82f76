package main

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/stretchr/testify/require"
)

// scenes bring about the answers that need something to have happened before. What each operation answers to everybody
// else is tried without them.
var scenes = []func(s *survey){
	cursorsExpired, webhooksKept, searchesWatched, addressVerified, mailsRefused, passwordForgotten, accountDeleted, signedIn, listsFull, thingsThereAlready, surveyAnswered, capReached,
	paidByStripe, dataOperated, registryKept,
}

// scene is the session of a new account of which nobody cleans up what it has made.
func (s *survey) scene(email string) (*account, *guest) {
	s.t.Helper()
	a := s.house.signUp(s.t, email)
	return a, &guest{kind: "the session of " + email, tokens: []string{"Bearer " + a.token}}
}

// expect calls an operation by its id and wants a status.
func (s *survey) expect(g *guest, status int, id, body string, path ...string) answer {
	s.t.Helper()
	r, ok := s.byID[id]
	require.True(s.t, ok, "no operation %s", id)
	to := r.Operation.Path
	if len(path) > 0 {
		to = path[0]
	}
	got := s.ask(asked{route: r, path: to, body: body, as: g})
	require.Equal(s.t, status, got.status, "%s %s: %s", id, body, got.body)
	return got
}

func cursorsExpired(s *survey) {
	_, g := s.scene("ivy@larkspur.example")
	s.expect(g, http.StatusGone, "list-changes", "", "/v1/changes?cursor=cur_2nYd0b7XQ1mZyX9x3QY6jgAAAAAAABor")
	s.expect(g, http.StatusNotFound, "list-changes", "", "/v1/changes?collection_id="+noUUID)
}

func webhooksKept(s *survey) {
	a, g := s.scene("pat@larkspur.example")
	s.exec("UPDATE accounts.users SET email_verified_at = now() WHERE email = ?", a.email)
	const body = `{"url":"https://hooks.gpatlas.example/x","scope":{"all":true}}`
	id := firstID(s.expect(g, http.StatusCreated, "create-webhook", body).body)
	path := "/v1/me/webhooks/" + id
	for range 4 {
		s.expect(g, http.StatusOK, "roll-webhook-secret", `{}`, path+"/roll-secret")
	}
	s.expect(g, http.StatusConflict, "roll-webhook-secret", `{}`, path+"/roll-secret")
	s.expect(g, http.StatusGone, "recover-webhook", `{"cursor":"cur_2nYd0b7XQ1mZyX9x3QY6jgAAAAAAABor"}`, path+"/recover")
	s.exec(`INSERT INTO feed.messages (endpoint_id, id, seq_low, seq_high, kind, events, state, created_at) VALUES (?, ?, 0, 1, 'aum_change', 1, 'failed', now())`, id, shownMessage)
	s.expect(g, http.StatusOK, "resend-webhook-message", "", path+"/messages/"+shownMessage+"/resend")
	s.expect(g, http.StatusOK, "update-webhook", `{"state":"paused"}`, path)
	s.expect(g, http.StatusConflict, "resend-webhook-message", "", path+"/messages/"+shownMessage+"/resend")
	s.exec(`INSERT INTO feed.endpoints SELECT gen_random_uuid(), user_id, url, kinds, scope, crds, collection_id, mode, header_names, headers, 'active', why, position, notified_at,
		failing_since, streak, created_at, updated_at FROM feed.endpoints, generate_series(1, 50) WHERE id = ?`, id)
	s.expect(g, http.StatusConflict, "create-webhook", body)
	s.expect(g, http.StatusConflict, "update-webhook", `{"state":"active"}`, path)
}

func searchesWatched(s *survey) {
	_, g := s.scene("wyn@larkspur.example")
	save := func(filters string) string {
		return "/v1/me/searches/" + firstID(s.expect(g, http.StatusCreated, "create-saved-search", `{"name":"watched","filters":`+filters+`}`).body)
	}
	const body = `{"on":["entered","left"],"mail":"off"}`
	path := save(`{"state":"CO"}`)
	s.expect(g, http.StatusNotFound, "get-search-alert", "", path+"/alert")
	s.expect(g, http.StatusOK, "set-search-alert", body, path+"/alert")
	s.expect(g, http.StatusOK, "get-search-alert", "", path+"/alert")
	s.expect(g, http.StatusOK, "list-search-news", "", path+"/news")
	s.expect(g, http.StatusConflict, "set-search-alert", body, save(`{"auditor_name":"Birch"}`)+"/alert")
	s.exec(`UPDATE feed.alerts SET state = 'paused', why = 'plan' WHERE search_id = ?`, strings.TrimPrefix(path, "/v1/me/searches/"))
	s.expect(g, http.StatusConflict, "list-search-news", "", path+"/news")
	s.expect(g, http.StatusNoContent, "delete-search-alert", "", path+"/alert")
}

func addressVerified(s *survey) {
	a, g := s.scene("gil@larkspur.example")
	token := `{"token":"` + s.house.mailed(s.t, a.email, "verify-email") + `"}`
	s.expect(g, http.StatusOK, "verify-email", token)
	s.expect(g, http.StatusConflict, "verify-email", token)
	s.expect(g, http.StatusConflict, "resend-verification", "")
}

func mailsRefused(s *survey) {
	a, g := s.scene("may@larkspur.example")
	s.exec("UPDATE accounts.users SET email_verified_at = now() WHERE email = ?", a.email)
	s.expect(g, http.StatusOK, "send-test-notification", "")
	token := s.house.mailed(s.t, a.email, "v1/unsubscribe")
	anonymous := s.guest("anonymous")
	for _, id := range []string{"show-unsubscribe-page", "unsubscribe-by-link"} {
		s.expect(anonymous, http.StatusOK, id, "", "/v1/unsubscribe/"+token)
	}
	s.expect(anonymous, http.StatusOK, "unsubscribe", `{"token":"`+token+`"}`)
}

func passwordForgotten(s *survey) {
	a, _ := s.scene("hal@larkspur.example")
	anonymous := s.guest("anonymous")
	s.expect(anonymous, http.StatusOK, "forgot-password", `{"email":"`+a.email+`"}`)
	token := s.house.mailed(s.t, a.email, "reset-password")
	s.expect(anonymous, http.StatusOK, "reset-password", `{"token":"`+token+`","new_password":"four herons cross the pond"}`)
}

func accountDeleted(s *survey) {
	a, g := s.scene("ida@larkspur.example")
	anonymous, who := s.guest("anonymous"), fmt.Sprintf(`{"email":%q,"password":%q}`, a.email, s.house.password)
	s.expect(anonymous, http.StatusConflict, "recover-account", who)
	s.expect(g, http.StatusUnauthorized, "delete-account", `{"confirmation":"DELETE","password":"not the password"}`)
	s.expect(g, http.StatusNoContent, "delete-account", s.goodBody(s.byID["delete-account"], g))
	s.expect(anonymous, http.StatusUnauthorized, "recover-account", fmt.Sprintf(`{"email":%q,"password":"no"}`, a.email))
	s.expect(anonymous, http.StatusOK, "recover-account", who)
}

func signedIn(s *survey) {
	a, _ := s.scene("ada@larkspur.example") // of the documentation's journey
	anonymous := s.guest("anonymous")
	s.expect(anonymous, http.StatusOK, "refresh-session", `{"refresh_token":"`+a.refresh+`"}`)
	s.expect(anonymous, http.StatusConflict, "register", s.house.form(a.email))
	s.expect(anonymous, http.StatusUnauthorized, "login", `{"username":"ada@larkspur.example","password":"no"}`)
}

func listsFull(s *survey) {
	a, g := s.scene("jan@larkspur.example")
	held := ""
	for n := 0; ; n++ {
		got := a.call("POST", "/v1/api-keys", `{"name":"x","tier":"starter","mode":"test"}`)
		if got.status != http.StatusCreated {
			require.Equal(s.t, 10, n)
			break
		}
		held = firstID(got.body)
	}
	s.expect(g, http.StatusConflict, "create-api-key", `{"name":"x","tier":"starter","mode":"test"}`)
	s.expect(g, http.StatusForbidden, "create-api-key", `{"name":"x","tier":"scale","mode":"test"}`)
	key := "/v1/api-keys/" + held
	s.expect(g, http.StatusNoContent, "revoke-api-key", "", key)
	s.expect(g, http.StatusConflict, "rename-api-key", `{"name":"y"}`, key)
	create := s.byID["create-saved-search"]
	for range 1000 {
		got := s.ask(asked{route: create, path: create.Operation.Path, body: `{"name":"x","filters":{}}`, as: g})
		if got.status == http.StatusConflict {
			return
		}
		require.Equal(s.t, http.StatusCreated, got.status, got.body)
	}
}

func thingsThereAlready(s *survey) {
	_, g := s.scene("kim@larkspur.example")
	watched, held := `{"adviser_crd":"`+shownGP+`"}`, `{"crd":"`+shownGP+`"}`
	s.expect(g, http.StatusCreated, "add-watchlist-item", watched)
	s.expect(g, http.StatusConflict, "add-watchlist-item", watched)
	s.expect(g, http.StatusNotFound, "add-watchlist-item", `{"adviser_crd":"999999999"}`)
	path := "/v1/me/collections/" + firstID(s.expect(g, http.StatusCreated, "create-collection", `{"name":"Spring"}`).body)
	s.expect(g, http.StatusConflict, "create-collection", `{"name":"Spring"}`)
	s.expect(g, http.StatusCreated, "create-collection", `{"name":"Autumn"}`)
	s.expect(g, http.StatusConflict, "update-collection", `{"name":"Autumn"}`, path)
	s.expect(g, http.StatusCreated, "add-collection-item", held, path+"/items")
	s.expect(g, http.StatusConflict, "add-collection-item", held, path+"/items")
	s.exec("INSERT INTO accounts.collection_items (collection_id, adviser_crd, added_at) SELECT id, n::text, now() FROM accounts.collections, generate_series(1, 499) n WHERE name = 'Spring'")
	s.expect(g, http.StatusConflict, "add-collection-items", `{"crds":["`+hiringGP+`"]}`, path+"/items/batch")
}

func surveyAnswered(s *survey) {
	a, g := s.scene("lea@mba2027.bschool.edu")
	s.exec("UPDATE accounts.users SET email_verified_at = now() WHERE email = ?", a.email)
	body := string(s.request(s.byID["answer-survey"]))
	s.expect(g, http.StatusCreated, "answer-survey", body, "/v1/bschool/survey")
	s.expect(g, http.StatusConflict, "answer-survey", body, "/v1/bschool/survey")
}

// capReached asks an account that may spend nothing for everything that has a price.
func capReached(s *survey) {
	a, g := s.scene("mia@larkspur.example")
	s.exec("INSERT INTO billing.accounts (user_id, period, cap_micros) SELECT id, '2026-11-01', 0 FROM accounts.users WHERE email = ?", a.email)
	for _, r := range s.routes {
		if r.ChargeMicros > 0 {
			s.ask(s.valid(r, g))
		}
	}
}

// dataOperated has two administrators do what only one of them can.
func dataOperated(s *survey) {
	a, g := s.scene("ned@larkspur.example")
	s.grant(a.email)
	chief, id := s.guest("administrator"), g.thing(s, "alert_id")
	path := "/v1/admin/dataops/quality/alerts/" + id
	s.expect(g, http.StatusOK, "acknowledge-data-alert", "", path+"/acknowledge")
	s.expect(chief, http.StatusConflict, "acknowledge-data-alert", "", path+"/acknowledge")
	s.expect(g, http.StatusOK, "resolve-data-alert", `{"reason":"It is right."}`, path+"/resolve")
	s.expect(chief, http.StatusConflict, "resolve-data-alert", `{"reason":"It is right."}`, path+"/resolve")
	override := `{"override_type":"fund_status","entity_id":"` + shownFund + `","value":"closed","reason":"x"}`
	s.expect(g, http.StatusCreated, "create-override", override)
	s.expect(chief, http.StatusConflict, "create-override", override)
	s.expect(chief, http.StatusNotFound, "create-override", `{"override_type":"fund_status","entity_id":"805-9999999999","value":"closed","reason":"x"}`)
	path = "/v1/admin/dataops/overrides/" + g.thing(s, "override_id")
	s.expect(g, http.StatusNoContent, "delete-override", "", path)
	s.expect(chief, http.StatusConflict, "delete-override", "", path)
	s.exec("INSERT INTO dataops.extractions (source_name, trigger, state, created_at) VALUES ('form-d', 'operator', 'queued', now())")
	s.expect(chief, http.StatusConflict, "trigger-extraction", `{"source":"form-d"}`)
	s.expect(chief, http.StatusNotFound, "unlock-people", `{"crds":["999999999"],"tier":"complete"}`)
	s.expect(chief, http.StatusNotFound, "queue-freshness-entity", `{"entity_type":"gp","entity_id":"999999999","reason":"x"}`)
	s.expect(chief, http.StatusCreated, "queue-freshness-entity", `{"entity_type":"lp","entity_id":"3","reason":"x"}`)
	s.expect(chief, http.StatusOK, "queue-freshness-entity", `{"entity_type":"lp","entity_id":"3","reason":"x"}`)
}

// registryKept has an administrator do what the registry of notifications does not allow.
func registryKept(s *survey) {
	chief := s.guest("administrator")
	const root = "/v1/admin/notifications/"
	s.expect(chief, http.StatusConflict, "delete-notification", "", root+"activity_digest")
	s.expect(chief, http.StatusConflict, "disable-notification", "", root+"trial_ending/disable")
	s.expect(chief, http.StatusConflict, "update-notification", `{"enabled":false}`, root+"trial_ending")
	s.exec(`INSERT INTO notifications.kinds (id, name, description, category, enabled, max_per_day, subject, text, created_at, updated_at)
		SELECT 'filler_' || n, 'N', '', 'product', true, 5, 'S', 'T', now(), now() FROM generate_series(1, 100) n`)
	one := `{"version":1,"notifications":[{"id":"one_more","name":"N","category":"product","subject":"S","text":"T"}]}`
	s.expect(chief, http.StatusConflict, "import-notifications", one, root+"import?merge=true")
	s.expect(chief, http.StatusOK, "import-notifications", one, root+"import")
}
