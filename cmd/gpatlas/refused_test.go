package main

import (
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/httpapi"
	"gpatlas/web"
)

// provoked are the calls that an operation refuses for reasons of its own, beside those that the journey finds. They are made
// when the journey is over. A call is repeated until it has the status wanted, at most times.
var provoked = []struct {
	id     string
	status int
	times  int
	tried
}{
	{"login", 401, 1, tried{body: `{"username":"ada@larkspur.example","password":"two herons"}`}},
	{"login", 429, 12, tried{body: `{"username":"unknown@larkspur.example","password":"two herons"}`}},
	{"refresh-session", 401, 1, tried{body: `{"refresh_token":"gpar_unknown"}`}},
	{"resend-verification", 409, 1, tried{as: "other"}},
	{"recover-account", 401, 1, tried{body: `{"email":"ada@larkspur.example","password":"two herons"}`}},
	{"recover-account", 409, 1, tried{body: `{"email":"ada@larkspur.example","password":"three herons cross the pond"}`}},
	{"add-watchlist-item", 404, 1, tried{as: "other", body: `{"adviser_crd":"999999999","alert_enabled":true}`}},
	{"create-api-key", 409, 12, tried{as: "other", body: `{"name":"One more","tier":"starter","mode":"live"}`}},
	{"unsubscribe", 404, 1, tried{body: `{"token":"unknown"}`}},
	{"export-account", 429, 12, tried{as: "other"}},
}

// unprovoked are the refusals of an operation's own that no short call can provoke, by operation. Their documented sentence is
// the one for every operation of that status.
var unprovoked = map[string][]int{
	"answer-survey":           {404, 409}, // of a student in the second month
	"create-saved-search":     {409},      // after 500 of them
	"replace-saved-search":    {409},
	"create-checkout-session": {409}, // Stripe is not set up in the journey
	"create-portal-session":   {409},
	"receive-billing-event":   {400, 415},
	"send-test-notification":  {409},      // of an account with an unverified address
	"show-unsubscribe-page":   {400, 404}, // pages
	"unsubscribe-by-link":     {400, 404, 415},
	"track-click":             {404}, // of a mail that is no more
	"rename-api-key":          {409}, // of a revoked key
	"verify-email":            {409}, // of an address that another account has confirmed meanwhile
}

// callsOfKey is how often one key calls: fewer than its limit of 5 seconds allows.
const callsOfKey = 9

// refuse adds to the examples of each operation what it answers to callers that it does not admit, to bodies that it does not
// take, and to the calls above.
func (tr *traveller) refuse(examples map[string]web.Example) {
	t := tr.t
	t.Helper()
	other := tr.house.signUp(t, "cleo@mossgate.example") // the journey has used most of what its own account may call in 5 seconds
	tr.house.verify(t, other)
	session, anonymous := other.caller, tr.callers[""]
	tr.callers["other"] = session
	var key caller
	refusedKeys := 0
	for id, r := range tr.routes {
		op, answers := r.Operation, examples[id].Answers
		path := pathParameter.ReplaceAllStringFunc(op.Path, func(p string) string { return examples[id].Parameters[strings.Trim(p, "{}")] })
		rejected := func(status int, got answer) {
			require.Equal(t, status, got.status, "%s: %s", id, got.body)
			answers[strconv.Itoa(status)] = exampleBody(t, got.body)
		}
		admitted := session
		switch r.Access {
		case httpapi.Public:
			admitted = anonymous
			if !r.Unguarded {
				rejected(http.StatusUnauthorized, caller{t, tr.house.base, "gpa_live_unknown"}.call(op.Method, path, ""))
			}
		case httpapi.Signature:
			continue
		case httpapi.Admin:
			rejected(http.StatusUnauthorized, anonymous.call(op.Method, path, ""))
			rejected(http.StatusForbidden, session.call(op.Method, path, ""))
			continue // the journey has no administrator
		default:
			rejected(http.StatusUnauthorized, anonymous.call(op.Method, path, ""))
			if op.Responses["403"] != nil {
				if refusedKeys%callsOfKey == 0 {
					key = session.makeKey("starter")
				}
				refusedKeys++
				rejected(http.StatusForbidden, key.call(op.Method, path, ""))
			}
		}
		if op.RequestBody != nil && op.RequestBody.Content["application/json"] != nil {
			rejected(http.StatusUnsupportedMediaType, tr.sendText(admitted, op.Method, path))
		}
	}
	for _, p := range provoked {
		var got answer
		for range p.times {
			if got = tr.callers[p.as].call(tr.routes[p.id].Operation.Method, tr.routes[p.id].Operation.Path, p.body); got.status == p.status {
				break
			}
		}
		require.Equal(t, p.status, got.status, "%s: %s", p.id, got.body)
		examples[p.id].Answers[strconv.Itoa(p.status)] = exampleBody(t, got.body)
	}
	collections := tr.routes["create-collection"].Operation.Path
	require.Equal(t, http.StatusCreated, session.call("POST", collections, `{"name":"First"}`).status)
	var second struct{ Data struct{ ID string } }
	require.NoError(t, json.Unmarshal([]byte(session.call("POST", collections, `{"name":"Second"}`).body), &second))
	taken := session.call(tr.routes["update-collection"].Operation.Method, collections+"/"+second.Data.ID, `{"name":"First"}`)
	require.Equal(t, http.StatusConflict, taken.status, taken.body)
	examples["update-collection"].Answers["409"] = exampleBody(t, taken.body)
	tr.complete(examples)
}

// sendText sends a body that is no JSON.
func (tr *traveller) sendText(c caller, method, path string) answer {
	req, err := http.NewRequestWithContext(tr.t.Context(), method, c.base+path, strings.NewReader("x"))
	require.NoError(tr.t, err)
	req.Header.Set("Content-Type", "text/plain")
	if c.token != "" {
		req.Header.Set("Authorization", "Bearer "+c.token)
	}
	res, err := (&http.Client{Timeout: patience}).Do(req)
	require.NoError(tr.t, err)
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	require.NoError(tr.t, err)
	return answer{res.StatusCode, res.Header, string(body)}
}

// shared are the statuses whose sentence is not an operation's own: the limits of the caller (429), the size of a body (413), an
// Idempotency-Key (422), money (402) and failures of the service.
var shared = []int{http.StatusPaymentRequired, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity, http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusServiceUnavailable}

// complete wants an example of its own for every other error that an operation documents, and the shared ones to have theirs.
func (tr *traveller) complete(examples map[string]web.Example) {
	var missing []string
	for id, r := range tr.routes {
		for status, response := range r.Operation.Responses {
			code, err := strconv.Atoi(status)
			require.NoError(tr.t, err)
			if code < http.StatusBadRequest {
				continue
			}
			if response.Ref != "" {
				name := response.Ref[strings.LastIndex(response.Ref, "/")+1:]
				require.NotNil(tr.t, tr.components[name].Content["application/json"].Example, "%s, %s", id, status)
			}
			general := slices.Contains(shared, code) || slices.Contains(unprovoked[id], code) ||
				r.Access == httpapi.Admin || strings.HasSuffix(response.Ref, "/StillRunning")
			if !general && !json.Valid(examples[id].Answers[status]) {
				missing = append(missing, id+" "+status)
			}
		}
	}
	require.Empty(tr.t, missing, "they are documented, and nothing shows what is answered: add them to provoked")
}

// Guarantee: the document shows each operation's own sentence for a refusal. What all operations say alike stands there once.
func TestRefusalsInTheDocument(t *testing.T) {
	t.Parallel()
	app, err := describe()
	require.NoError(t, err)
	text, err := app.API.JSON()
	require.NoError(t, err)
	var document struct {
		Paths map[string]map[string]struct {
			Responses map[string]struct {
				Ref     string `json:"$ref"`
				Content map[string]struct {
					Example struct{ Detail string }
				}
			}
		}
	}
	require.NoError(t, json.Unmarshal(text, &document))
	for _, c := range []struct{ path, method, status, detail string }{
		{"/v1/auth/login", "post", "401", "Incorrect email address or password"},
		{"/v1/auth/me", "get", "401", "Not authenticated; send Authorization: Bearer with the access token of a session"},
		{"/v1/auth/me", "get", "403", ""},
		{"/v1/gps", "get", "401", "Invalid or revoked API key"},
		{"/v1/gps", "get", "413", ""},
	} {
		got := document.Paths[c.path][c.method].Responses[c.status]
		if c.detail == "" {
			require.NotEmpty(t, got.Ref, c)
			continue
		}
		require.Equal(t, c.detail, got.Content["application/json"].Example.Detail, c)
	}
}
