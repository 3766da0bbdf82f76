package main

import (
	"database/sql"
	"encoding/base64"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/accounts"
	"gpatlas/platform/clock"
	"gpatlas/platform/httpapi"
)

// guest is one kind of caller.
type guest struct {
	kind    string
	email   string // of the account whose session it is; "" where it has none
	session string // the access token
	tokens  []string
	asked   int
	things  map[string]string // what the account has made, by the parameter that names it
	enter   func(g *guest)    // makes the account again
}

// credential is the Authorization header; callers with wrong credentials have many.
func (g *guest) credential() string {
	if len(g.tokens) == 0 {
		return ""
	}
	g.asked++
	return g.tokens[g.asked%len(g.tokens)]
}

func (s *survey) guest(kind string) *guest {
	s.t.Helper()
	for _, g := range s.guests {
		if g.kind == kind {
			return g
		}
	}
	require.FailNow(s.t, "nobody is called "+kind)
	return nil
}

// invite makes the callers.
func (s *survey) invite() {
	s.t.Helper()
	join := func(kind, form string, prepare func(g *guest, a *account)) *guest {
		g := &guest{kind: kind}
		g.enter = func(g *guest) {
			s.sequence++
			a := s.house.signUp(s.t, fmt.Sprintf(form, s.sequence))
			g.email, g.session, g.tokens, g.things = a.email, a.token, []string{"Bearer " + a.token}, map[string]string{"id": a.session}
			prepare(g, a)
		}
		g.enter(g)
		s.guests = append(s.guests, g)
		return g
	}
	verified := func(g *guest, _ *account) {
		s.exec("UPDATE accounts.users SET email_verified_at = now(), api_tier = 'scale' WHERE email = ?", g.email)
	}
	s.guests = append(s.guests, &guest{kind: "anonymous"})
	join("session", "ada%d@larkspur.example", verified)
	join("unverified", "ben%d@mossgate.example", func(*guest, *account) {})
	join("student", "cleo%d@mba2027.bschool.edu", verified)
	join("administrator", "dan%d@larkspur.example", func(g *guest, a *account) {
		verified(g, a)
		s.grant(g.email)
	})
	owner := s.house.signUp(s.t, "eve@larkspur.example")
	s.exec("UPDATE accounts.users SET email_verified_at = now(), api_tier = 'scale' WHERE email = ?", owner.email)
	key := func(tier, mode string) (id, secret string) {
		got := owner.call("POST", "/v1/api-keys", `{"name":"x","tier":"`+tier+`","mode":"`+mode+`"}`)
		require.Equal(s.t, http.StatusCreated, got.status, got.body)
		return text(s.t, got.body, "id"), text(s.t, got.body, "key")
	}
	for _, kind := range [][3]string{{"live key", "scale", "live"}, {"test key", "scale", "test"}, {"starter key", "starter", "live"}} {
		_, secret := key(kind[1], kind[2])
		s.guests = append(s.guests, &guest{kind: kind[0], tokens: []string{"Bearer " + secret}})
	}
	poor := s.house.signUp(s.t, "uma@larkspur.example")
	s.exec("UPDATE accounts.users SET email_verified_at = now() WHERE email = ?", poor.email)
	s.spent = &guest{kind: "key without free calls", tokens: []string{"Bearer " + poor.makeKey("starter").token}}
	s.exec("UPDATE accounts.users SET subscription_plan = 'free', trial_ends_at = now() - interval '1 day' WHERE email = ?", poor.email)
	s.exec("INSERT INTO keys.free_calls SELECT id, 1000 FROM accounts.users WHERE email = ?", poor.email)
	id, revoked := key("starter", "live")
	require.Equal(s.t, http.StatusNoContent, owner.call("DELETE", "/v1/api-keys/"+id, "").status)
	gone := s.house.signUp(s.t, "finn@larkspur.example")
	require.Equal(s.t, http.StatusOK, gone.call("POST", "/v1/auth/logout", "").status)
	// Which of the wrong credentials an operation is called with depends on how many there are. Some are no credentials at all.
	s.guests = append(s.guests, &guest{kind: "unknown key", tokens: []string{"Bearer gpa_live_wrong"}}, &guest{kind: "wrong credential", tokens: []string{
		"Bearer " + revoked, "Bearer " + gone.token, "Bearer " + revoked[:len(revoked)-1] + "A", "Bearer a.b.c", "Bearer ",
		"Basic " + base64.StdEncoding.EncodeToString([]byte("ada:secret")), "Bearer eyJhbGciOiJub25lIn0.e30.", "Bearer " + strings.Repeat("a", 3000),
		"Bearer \xff\xfe", "bearer", "Bearer a b",
	}})
}

// grant makes an account an administrator's as `gpatlas admin grant` does.
func (s *survey) grant(email string) {
	s.t.Helper()
	_, err := accounts.Grant(s.t.Context(), s.db, clock.System{}, email)
	require.NoError(s.t, err)
}

func (s *survey) exec(statement string, args ...any) {
	s.t.Helper()
	require.NoError(s.t, s.db.From(s.t.Context()).Exec(statement, args...).Error)
}

// makers are the calls that make what a parameter names, and what takes away what is there before, that no maximum and
// no earlier thing is in the way.
var makers = map[string]struct{ path, body, field, before string }{
	"key_id": {
		"/v1/api-keys", `{"name":"Nightly import","tier":"starter","mode":"test"}`, "id",
		"UPDATE keys.api_keys SET revoked_at = now() WHERE revoked_at IS NULL AND user_id = (SELECT id FROM accounts.users WHERE email = ?)",
	},
	"item_id": {
		"/v1/me/watchlist", `{"adviser_crd":"` + shownGP + `"}`, "data",
		"DELETE FROM accounts.watchlist_items WHERE user_id = (SELECT id FROM accounts.users WHERE email = ?)",
	},
	"collection_id": {
		"/v1/me/collections", `{"name":"Infrastructure"}`, "data",
		"DELETE FROM accounts.collections WHERE user_id = (SELECT id FROM accounts.users WHERE email = ?)",
	},
	"search_id": {
		"/v1/me/searches", `{"name":"Managers in Colorado","filters":{"state":"CO"}}`, "data",
		"DELETE FROM accounts.saved_searches WHERE user_id = (SELECT id FROM accounts.users WHERE email = ?)",
	},
	"endpoint_id": {
		"/v1/me/webhooks", `{"url":"https://hooks.gpatlas.example/x","scope":{"all":true}}`, "data",
		"DELETE FROM feed.endpoints WHERE user_id = (SELECT id FROM accounts.users WHERE email = ?)",
	},
	"job_id": {
		"/v1/gps/" + shownGP + "/enrich", `{"async_mode":true}`, "data",
		"DELETE FROM people.enrichment_askers WHERE user_id = (SELECT id FROM accounts.users WHERE email = ?)",
	},
}

// thing is the value of a parameter in a path: of what the caller has made, where such things are made.
func (g *guest) thing(s *survey, name string) string {
	s.t.Helper()
	maker, made := makers[name]
	switch {
	case name == "alert_id":
		return s.insert(`INSERT INTO dataops.alerts (kind, subject, reason, raised_at) VALUES ('aum_jumps', ?, 'it jumped', now()) RETURNING id`)
	case name == "override_id":
		return s.insert(`INSERT INTO dataops.overrides (type, entity_id, field, value, reason, valid_from, created_at, created_by)
			VALUES ('gp_field', ?, 'website', 'null', 'x', '2026-11-01', now(), 1) RETURNING id`)
	case name == "run_id":
		return s.insert(`INSERT INTO dataops.extractions (source_name, trigger, state, created_at, finished_at, error)
			VALUES ('advw', 'command', 'failed', now(), now(), ?) RETURNING id`)
	case name == "notification_id":
		s.exec(`INSERT INTO notifications.kinds (id, name, description, category, enabled, max_per_day, subject, text, created_at, updated_at)
			VALUES (?, 'Notice', '', 'product', true, 5, 'Notice', 'Notice.', now(), now()) ON CONFLICT DO NOTHING`, s.known[name])
		return s.known[name]
	case name == "tracking_id":
		const id = "k2m7qz5x3n6v4b2c4l7w3t5yad"
		s.exec(`WITH mail AS (
				INSERT INTO notifications.tracked_mails (id, queue_id, user_id, kind, created_at) VALUES (@id, 0, 0, 'activity_digest', now()) ON CONFLICT DO NOTHING
			)
			INSERT INTO notifications.tracked_links (id, mail_id, destination, hidden) VALUES (@id, @id, 'https://atlas.example/account', false) ON CONFLICT DO NOTHING`,
			sql.Named("id", id))
		return id
	case name == "message_id":
		if endpoint := g.thing(s, "endpoint_id"); endpoint != noUUID {
			s.exec(`INSERT INTO feed.messages (endpoint_id, id, seq_low, seq_high, kind, events, state, created_at) VALUES (?, ?, 0, 1, 'aum_change', 1, 'failed', now()) ON CONFLICT DO NOTHING`, endpoint, shownMessage)
		}
		return shownMessage
	case g.things[name] != "":
		return g.things[name]
	case s.known[name] != "":
		return s.known[name]
	case g.email == "" && name == "id":
		return "sess_aaaaaaaaaaaaaaaaaaaaaaaaaa"
	case g.email == "" || !made || (name == "job_id" || name == "endpoint_id") && g.kind == "unverified":
		return noUUID
	}
	s.exec(maker.before, g.email)
	g.things[name] = firstID(s.make(g, maker.path, maker.body))
	if name == "collection_id" {
		s.make(g, "/v1/me/collections/"+g.things[name]+"/items", `{"crd":"`+shownGP+`"}`)
	}
	return g.things[name]
}

// insert makes a row with a text of its own, and gives its number.
func (s *survey) insert(statement string) string {
	s.t.Helper()
	s.sequence++
	var id int64
	require.NoError(s.t, s.db.From(s.t.Context()).Raw(statement, strconv.Itoa(s.sequence)).Scan(&id).Error)
	return strconv.FormatInt(id, 10)
}

// make calls until the limits let it.
func (s *survey) make(g *guest, path, body string) string {
	s.t.Helper()
	a := caller{s.t, s.house.base, g.session}
	got := a.call("POST", path, body)
	if got.status == http.StatusTooManyRequests {
		s.lift()
		got = a.call("POST", path, body)
	}
	require.Contains(s.t, []int{http.StatusCreated, http.StatusAccepted}, got.status, "%s as %s: %s", path, g.kind, got.body)
	return got.body
}

// firstID is the first id in an answer.
func firstID(body string) string {
	_, rest, _ := strings.Cut(strings.Replace(body, `"job_id":"`, `"id":"`, 1), `"id":"`)
	id, _, _ := strings.Cut(rest, `"`)
	return id
}

// after makes again what a call has taken away.
func (g *guest) after(s *survey, r httpapi.Route, status int) {
	if status >= http.StatusMultipleChoices || g.email == "" {
		return
	}
	switch r.Operation.OperationID {
	case "logout", "delete-account", "end-session":
		g.enter(g)
	case "revoke-api-key":
		delete(g.things, "key_id")
	case "delete-collection", "remove-collection-item":
		delete(g.things, "collection_id")
	case "trigger-extraction": // one of a source may be active
		s.exec("UPDATE dataops.extractions SET state = 'failed', finished_at = now() WHERE state IN ('queued', 'running')")
	case "delete-saved-search":
		delete(g.things, "search_id")
	case "delete-webhook":
		delete(g.things, "endpoint_id")
	case "create-webhook", "roll-webhook-secret", "update-webhook": // each has a maximum
		s.exec(makers["endpoint_id"].before, g.email)
		delete(g.things, "endpoint_id")
	case "remove-watchlist-item":
		delete(g.things, "item_id")
	case "create-api-key": // a live one: the number of them is bounded
		s.exec(makers["key_id"].before, g.email)
		delete(g.things, "key_id")
	case "add-watchlist-item":
		s.exec(makers["item_id"].before, g.email)
		delete(g.things, "item_id")
	case "create-collection", "add-collection-item":
		s.exec(makers["collection_id"].before, g.email)
		delete(g.things, "collection_id")
	case "create-saved-search":
		s.exec(makers["search_id"].before, g.email)
		delete(g.things, "search_id")
	case "answer-survey":
		s.exec("DELETE FROM accounts.survey_answers")
	}
}
