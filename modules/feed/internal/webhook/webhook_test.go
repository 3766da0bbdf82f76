package webhook_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	standard "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/stretchr/testify/require"

	"gpatlas/modules/feed/internal/changefeed"
	"gpatlas/modules/feed/internal/sending"
	"gpatlas/modules/feed/internal/signing"
	"gpatlas/modules/feed/internal/webhook"
	"gpatlas/platform/auth"
	"gpatlas/platform/changes"
	"gpatlas/platform/database"
	"gpatlas/platform/jobs"
	"gpatlas/platform/outbound"
	"gpatlas/platform/seal"
	"gpatlas/platform/testkit/clocktest"
	"gpatlas/platform/testkit/dbtest"
	"gpatlas/platform/testkit/httpapitest"
)

// bench is the operations over a database with two accounts.
type bench struct {
	*httpapitest.Host
	service  *webhook.Service
	db       *database.DB
	clock    *clocktest.Clock
	ada, bea *auth.Principal
}

func newBench(t *testing.T, allow bool) *bench {
	t.Helper()
	b := &bench{db: dbtest.New(t), clock: clocktest.At("2026-11-20T09:30:00Z")}
	for _, p := range []struct {
		who  **auth.Principal
		mail string
	}{{&b.ada, "ada@larkspur.example"}, {&b.bea, "bea@larkspur.example"}} {
		ids, err := database.Values[int64](t.Context(), b.db, "add an account", `INSERT INTO accounts.users (email, email_key, password_hash, full_name, tier, subscription_plan, api_tier, created_at, updated_at, email_verified_at)
			VALUES (@email, @email, 'x', 'Ada Larkspur', 'free_trial', 'free', 'starter', now(), now(), now()) RETURNING id`, database.Args{"email": p.mail})
		require.NoError(t, err)
		*p.who = &auth.Principal{Kind: auth.Session, UserID: ids[0]}
	}
	b.service = b.with(seal.Secrets{[]byte(strings.Repeat("s", 32))}, allow)
	b.Host = httpapitest.New(t, webhook.Routes(b.service)...)
	return b
}

func (b *bench) with(secrets seal.Secrets, allow bool) *webhook.Service {
	hub := changes.NewHub(b.db, slog.New(slog.DiscardHandler))
	return webhook.NewService(sending.New(sending.Deps{
		DB: b.db, Hub: hub, Feed: changefeed.NewService(b.db, hub, b.clock, 0), Out: outbound.New(outbound.Config{AllowHTTP: allow}),
		Vault: signing.Vault{Secrets: secrets}, Queue: jobs.NewEnqueuer(b.db), Clock: b.clock, Log: slog.New(slog.DiscardHandler),
	}))
}

const path = "/v1/me/webhooks"

func (b *bench) do(t *testing.T, as *auth.Principal, method, at, body string, status int) string {
	t.Helper()
	return b.Do(t, httpapitest.Scenario{Method: method, Path: path + at, Body: body, As: as, Status: status}).Body
}

func field(t *testing.T, body string, names ...string) string {
	t.Helper()
	var tree any
	require.NoError(t, json.Unmarshal([]byte(body), &tree))
	for _, name := range append([]string{"data"}, names...) {
		tree = tree.(map[string]any)[name] //nolint:forcetypeassert // a test
	}
	return fmt.Sprint(tree)
}

const small = `{"url":"https://hooks.example.com/gpatlas","scope":{"all":true}}`

func TestEndpoints(t *testing.T) {
	t.Parallel()
	b := newBench(t, false)
	made := b.do(t, b.ada, "POST", "", `{"url":"https://hooks.example.com/gpatlas","kinds":["aum_change"],"scope":{"crds":["900001"]},"headers":{"X-Key":"of-the-receiver"}}`, 201)
	require.Regexp(t, `"secret":"whsec_[A-Za-z0-9+/]{43}="`, made)
	require.NotContains(t, made, "of-the-receiver")
	id := field(t, made, "id")
	got := b.do(t, b.ada, "GET", "/"+id, "", 200)
	require.NotContains(t, got, "whsec_")
	require.Contains(t, got, `"kinds":["aum_change"],"scope":{"crds":["900001"]},"mode":"each","headers":["X-Key"],"state":"active","why":null,"failing_since":null,"failures":0,"waiting":0,"cursor":"cur_`)
	got = b.do(t, b.ada, "PATCH", "/"+id, `{"state":"paused","kinds":[],"scope":{"watchlist":true},"mode":"notify","headers":{}}`, 200)
	require.Contains(t, got, `"kinds":[],"scope":{"watchlist":true},"mode":"notify","headers":[],"state":"paused"`)
	require.Contains(t, b.do(t, b.ada, "PATCH", "/"+id, `{}`, 200), `"state":"paused"`)
	require.Contains(t, b.do(t, b.ada, "GET", "", "", 200), `"meta":{"total":1}`)
	exported, err := b.service.ExportFor(t.Context(), b.ada.UserID)
	require.NoError(t, err)
	text, err := json.Marshal(exported)
	require.NoError(t, err)
	require.Contains(t, string(text), "hooks.example.com")
	require.NotContains(t, string(text), "whsec_")
	dump, err := database.Values[string](t.Context(), b.db, "dump", "SELECT e::text || s::text || encode(s.sealed, 'escape') FROM feed.endpoints e JOIN feed.secrets s ON true", nil)
	require.NoError(t, err)
	require.NotContains(t, strings.Join(dump, ""), field(t, made, "secret"))
	b.do(t, b.ada, "DELETE", "/"+id, "", 204)
	b.do(t, b.ada, "DELETE", "/"+id, "", 404)
}

// Every operation answers another account like an endpoint that does not exist.
func TestForeign(t *testing.T) {
	t.Parallel()
	b := newBench(t, false)
	own := "/" + field(t, b.do(t, b.ada, "POST", "", small, 201), "id")
	const none, message = "/0190a5b2-7c41-4d6e-9a3f-1c2b3d4e5f60", "/messages/msg_mfrggzdfmztwq2lknnwg23tpob"
	for _, c := range [][2]string{
		{"GET", ""}, {"PATCH", ""}, {"DELETE", ""}, {"POST", "/roll-secret"}, {"POST", "/test"}, {"POST", "/recover"}, {"GET", "/messages"}, {"GET", message}, {"POST", message + "/resend"},
	} {
		body := ""
		if c[0] != "GET" && c[0] != "DELETE" {
			body = `{}`
		}
		switch c[1] {
		case "/recover":
			body = `{"since":"2026-11-14T06:00:00Z"}`
		case "/test", message + "/resend":
			body = ""
		}
		foreign, unknown := b.do(t, b.bea, c[0], own+c[1], body, 404), b.do(t, b.ada, c[0], none+c[1], body, 404)
		require.Equal(t, field404(t, unknown), field404(t, foreign), c)
		b.Do(t, httpapitest.Scenario{Method: c[0], Path: path + own + c[1], Body: body, Status: http.StatusUnauthorized})
	}
	require.Contains(t, b.do(t, b.bea, "GET", "", "", 200), `"data":[]`)
	require.Contains(t, b.do(t, b.ada, "GET", own+message, "", 404), "message not found")
	require.Contains(t, b.do(t, b.ada, "POST", own+message+"/resend", "", 404), "message not found")
}

func field404(t *testing.T, body string) string {
	t.Helper()
	var problem struct{ Detail string }
	require.NoError(t, json.Unmarshal([]byte(body), &problem))
	return problem.Detail
}

func TestBadInput(t *testing.T) {
	t.Parallel()
	b := newBench(t, false)
	for body, want := range map[string]string{
		`{"scope":{"all":true}}`:                                                                                      `"url"`,
		`{"url":"https://hooks.example.com"}`:                                                                         `"scope"`,
		`{"url":"http://hooks.example.com","scope":{"all":true}}`:                                                     `must begin with https://`,
		`{"url":"https://127.0.0.1","scope":{"all":true}}`:                                                            `must name a public host`,
		`{"url":"https://hooks.example.com","scope":{}}`:                                                              `must have exactly one of`,
		`{"url":"https://hooks.example.com","scope":{"all":true,"watchlist":true}}`:                                   `must have exactly one of`,
		`{"url":"https://hooks.example.com","scope":{"crds":[]}}`:                                                     `"scope.crds"`,
		`{"url":"https://hooks.example.com","scope":{"crds":["x"]}}`:                                                  `"scope.crds"`,
		`{"url":"https://hooks.example.com","scope":{"collection_id":"6f1c2e0a-6a3b-4a52-9a55-0d6f0c1b2a3d"}}`:        `is not one of your collections`,
		`{"url":"https://hooks.example.com","scope":{"all":true},"kinds":["aum_chang"]}`:                              `did you mean`,
		`{"url":"https://hooks.example.com","scope":{"all":true},"kinds":["aum_change","aum_change"]}`:                `twice`,
		`{"url":"https://hooks.example.com","scope":{"all":true},"mode":"x"}`:                                         `"mode"`,
		`{"url":"https://hooks.example.com","scope":{"all":true},"headers":{"Host":"x"}}`:                             `reserved`,
		`{"url":"https://hooks.example.com","scope":{"all":true},"headers":{"Webhook-Id":"x"}}`:                       `reserved`,
		`{"url":"https://hooks.example.com","scope":{"all":true},"headers":{"Content-Type":"x"}}`:                     `reserved`,
		`{"url":"https://hooks.example.com","scope":{"all":true},"headers":{"A b":"x"}}`:                              `names of letters`,
		`{"url":"https://hooks.example.com","scope":{"all":true},"headers":{"A":"x\r\nHost: y"}}`:                     `line breaks`,
		`{"url":"https://hooks.example.com","scope":{"all":true},"headers":{"A":"` + strings.Repeat("x", 512) + `"}}`: `512 bytes`,
		`{"url":"https://hooks.example.com","scope":{"all":true},"secret":"x"}`:                                       `"secret"`,
	} {
		require.Contains(t, b.do(t, b.ada, "POST", "", body, 400), want, body)
	}
	at := "/" + field(t, b.do(t, b.ada, "POST", "", small, 201), "id")
	for body, want := range map[string]string{
		`{}`: `either since or cursor`, `{"since":"yesterday"}`: "must be a timestamp such as", `{"cursor":"x"}`: `"cursor"`, `{"since":"2026-11-14T06:00:00Z","cursor":"x"}`: "either since or cursor",
	} {
		require.Contains(t, b.do(t, b.ada, "POST", at+"/recover", body, 400), want, body)
	}
	head, err := changes.HeadOf(t.Context(), b.db)
	require.NoError(t, err)
	require.Contains(t, b.do(t, b.ada, "POST", at+"/recover", `{"cursor":"`+head.At(head.Newest+9).String()+`"}`, 400), "it would skip events")
	require.Contains(t, b.do(t, b.ada, "POST", at+"/recover", `{"cursor":"`+changes.Cursor{}.String()+`"}`, 410), "cursor_expired")
	b.do(t, b.ada, "POST", at+"/roll-secret", `{"expires_in":604801}`, 400)
	b.do(t, b.ada, "GET", at+"/messages?state=lost", "", 400)
	require.Contains(t, b.do(t, b.ada, "GET", at+"/messages?kind=aum_chang", "", 400), "did you mean")
	b.do(t, b.ada, "GET", at+"/messages/x", "", 400)
	b.do(t, b.ada, "GET", "/x", "", 400)
}

// 50 active endpoints, and no more, however they become active.
func TestMost(t *testing.T) {
	t.Parallel()
	b := newBench(t, false)
	var last string
	for range webhook.EndpointsMost["enterprise"] {
		last = field(t, b.do(t, b.ada, "POST", "", small, 201), "id")
	}
	require.Contains(t, b.do(t, b.ada, "POST", "", small, 409), "at most 50 active webhook endpoints")
	b.do(t, b.ada, "PATCH", "/"+last, `{"state":"paused"}`, 200)
	b.do(t, b.ada, "POST", "", small, 201)
	b.do(t, b.ada, "PATCH", "/"+last, `{"state":"active"}`, 409)
	b.do(t, b.bea, "POST", "", small, 201)
}

// While a secret is replaced both sign; afterwards the new one alone. A secret of the server that is replaced loses nothing.
func TestSecrets(t *testing.T) {
	t.Parallel()
	b := newBench(t, true)
	var header http.Header
	var body []byte
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header, body = r.Header, nil
		body, _ = io.ReadAll(r.Body)
		w.WriteHeader(http.StatusAccepted)
		_, _ = io.WriteString(w, "thanks\x00")
	}))
	defer receiver.Close()
	made := b.do(t, b.ada, "POST", "", `{"url":"`+receiver.URL+`","scope":{"all":true},"headers":{"X-Key":"of-the-receiver"}}`, 201)
	at := "/" + field(t, made, "id")
	accepts := func(secret string) bool {
		verifier, err := standard.NewWebhook(secret)
		require.NoError(t, err)
		return verifier.VerifyIgnoringTimestamp(body, header) == nil
	}
	test := func() {
		t.Helper()
		require.Contains(t, b.do(t, b.ada, "POST", at+"/test", "", 200), `"delivered":true,`)
		require.Equal(t, "of-the-receiver", header.Get("X-Key"))
	}
	test()
	require.Contains(t, string(body), `"type":"webhook.test"`)
	first := field(t, made, "secret")
	require.True(t, accepts(first))
	second := field(t, b.do(t, b.ada, "POST", at+"/roll-secret", `{}`, 200), "secret")
	test()
	require.True(t, accepts(first) && accepts(second))
	require.Len(t, strings.Split(header.Get("webhook-signature"), " "), 2)
	b.clock.Move(24 * time.Hour)
	test()
	require.True(t, !accepts(first) && accepts(second))
	third := field(t, b.do(t, b.ada, "POST", at+"/roll-secret", `{"expires_in":0}`, 200), "secret")
	test()
	require.True(t, !accepts(second) && accepts(third))
	for range 4 {
		b.do(t, b.ada, "POST", at+"/roll-secret", `{}`, 200)
	}
	require.Contains(t, b.do(t, b.ada, "POST", at+"/roll-secret", `{}`, 409), "5 secrets")

	old, next := []byte(strings.Repeat("s", 32)), []byte(strings.Repeat("t", 32))
	_, err := b.with(seal.Secrets{next, old}, true).Sweep(t.Context())
	require.NoError(t, err)
	tested, err := b.with(seal.Secrets{next}, true).Test(t.Context(), b.ada.UserID, at[1:])
	require.NoError(t, err)
	require.True(t, tested.Delivered)
	require.Equal(t, "thanks", *tested.Said)
	require.True(t, accepts(third))
	receiver.Close()
	require.Contains(t, b.do(t, b.ada, "POST", at+"/test", "", 500), "") // sealed with a secret that this process does not know
	tested, err = b.with(seal.Secrets{next}, true).Test(t.Context(), b.ada.UserID, at[1:])
	require.NoError(t, err)
	require.Equal(t, "the host refused the connection", *tested.Error)
}

// Messages by state and kind, and what is older than 30 days is gone.
func TestMessages(t *testing.T) {
	t.Parallel()
	b := newBench(t, false)
	id := field(t, b.do(t, b.ada, "POST", "", small, 201), "id")
	const statement = `INSERT INTO feed.messages (endpoint_id, id, seq_low, seq_high, kind, events, state, attempts, next_at, created_at)
		SELECT @id, signed, n - 1, n, kind, 1, state, 1, @now, @now::timestamptz - n * interval '1 day' FROM (VALUES
		(1, 'msg_aaaaaaaaaaaaaaaaaaaaaaaaaa', 'aum_change', 'done'), (2, 'msg_bbbbbbbbbbbbbbbbbbbbbbbbbb', 'new_fund', 'waiting'), (40, 'msg_cccccccccccccccccccccccccc', 'changes.available', 'failed')) v(n, signed, kind, state)`
	_, err := database.Run(t.Context(), b.db, "prepare", statement, database.Args{"id": id, "now": b.clock.Now()})
	require.NoError(t, err)
	for query, want := range map[string]string{"": "a b c", "?state=waiting": "b", "?kind=changes.available": "c", "?limit=1&offset=1": "b", "?state=done&kind=new_fund": ""} {
		var got struct{ Data []webhook.Message }
		require.NoError(t, json.Unmarshal([]byte(b.do(t, b.ada, "GET", "/"+id+"/messages"+query, "", 200)), &got))
		var letters []string
		for _, m := range got.Data {
			letters = append(letters, m.ID[4:5])
		}
		require.Equal(t, want, strings.Join(letters, " "), query)
	}
	require.Contains(t, b.do(t, b.ada, "GET", "/"+id+"/messages/msg_aaaaaaaaaaaaaaaaaaaaaaaaaa", "", 200), `"event_id":"chg_0000000000000001","events":1,"state":"done","attempts":1,"next_attempt_at":null`)
	b.do(t, b.ada, "PATCH", "/"+id, `{"state":"paused"}`, 200)
	require.Contains(t, b.do(t, b.ada, "POST", "/"+id+"/messages/msg_aaaaaaaaaaaaaaaaaaaaaaaaaa/resend", "", 409), "not active")
	b.do(t, b.ada, "PATCH", "/"+id, `{"state":"active"}`, 200)
	require.Contains(t, b.do(t, b.ada, "POST", "/"+id+"/messages/msg_aaaaaaaaaaaaaaaaaaaaaaaaaa/resend", "", 200), `"state":"waiting"`)
	_, err = b.service.Sweep(context.WithoutCancel(t.Context()))
	require.NoError(t, err)
	require.Contains(t, b.do(t, b.ada, "GET", "/"+id+"/messages", "", 200), `"total":2`)
}
