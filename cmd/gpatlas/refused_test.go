package main

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/stretchr/testify/require"

	"gpatlas/platform/charge"
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
	{"queue-freshness-entity", 404, 1, tried{as: "admin", body: `{"entity_type":"gp","entity_id":"999999999","reason":"A customer reports an old team"}`}},
	{"create-override", 404, 1, tried{as: "admin", body: `{"override_type":"gp_field","entity_id":"999999999","field":"website","value":"https://www.aldergate.example","reason":"The firm moved to another domain","valid_from":"2026-10-01"}`}},
	{"unlock-people", 404, 1, tried{as: "other", body: `{"crds":["999999999"],"tier":"complete"}`}},
	{"test-notification", 404, 1, tried{as: "admin", body: `{"notification_id":"unknown_notice"}`}},
	{"unsubscribe", 404, 1, tried{body: `{"token":"unknown"}`}},
	{"list-changes", 404, 1, tried{as: "other", parameters: "?collection_id=" + noUUID}},
	{"export-account", 429, 12, tried{as: "other"}},
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
			admitted = tr.callers["admin"]
		default:
			rejected(http.StatusUnauthorized, anonymous.call(op.Method, path, ""))
			if op.Responses["403"] != nil && r.ChargeMicros == 0 && !r.Confirmed { // those for confirmed addresses share an example
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
			if got = tr.callers[p.as].call(tr.routes[p.id].Operation.Method, tr.routes[p.id].Operation.Path+p.parameters, p.body); got.status == p.status {
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
					Example json.RawMessage
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
		var shown errorExample
		require.NoError(t, json.Unmarshal(got.Content["application/json"].Example, &shown))
		require.Equal(t, c.detail, shown.Detail, c)
	}
}

// errorExample is what the checks read of an example of an error.
type errorExample struct {
	Detail, Code string
	Amount       float64
}

// Guarantee: every error in the document shows a response that its operation can return. Examples are real responses of the journey,
// or declared by the operation; what is shared is shown only where its cause exists.
func TestErrorsShowPossibleResponses(t *testing.T) {
	t.Parallel()
	app, err := describe()
	require.NoError(t, err)
	text, err := app.API.JSON()
	require.NoError(t, err)
	type response struct {
		Ref     string `json:"$ref"`
		Content map[string]struct {
			Example  json.RawMessage
			Examples map[string]struct{ Value errorExample }
		}
	}
	var document struct {
		Paths      map[string]map[string]struct{ Responses map[string]response }
		Components struct{ Responses map[string]response }
	}
	require.NoError(t, json.Unmarshal(text, &document))
	var missing []string
	for _, r := range app.API.Routes() {
		op := r.Operation
		keyed := slices.ContainsFunc(op.Parameters, func(p *huma.Param) bool { return p.Name == httpapi.HeaderKey })
		keyless := !slices.ContainsFunc(op.Security, func(s map[string][]string) bool { _, ok := s["apiKeyToken"]; return ok })
		for status, shown := range document.Paths[op.Path][strings.ToLower(op.Method)].Responses {
			at := op.OperationID + " " + status
			if _, name, is := strings.Cut(shown.Ref, "#/components/responses/"); is {
				shown = document.Components.Responses[name]
			}
			for media, m := range shown.Content {
				if media != "image/png" && m.Example == nil && len(m.Examples) == 0 { // JSON cannot show an image
					missing = append(missing, at+" "+media)
				}
			}
			for name, one := range shown.Content["application/json"].Examples {
				require.Contains(t, []string{one.Value.Code, "any_cause", "cause_1", "cause_2"}, name, at)
				if one.Value.Code == charge.CodeMaxCharge {
					require.InDelta(t, float64(r.ChargeMicros)/1e6, one.Value.Amount, 1e-9, at)
				}
			}
			if status == "402" && r.ChargeMicros > 0 {
				codes := []string{charge.CodeMaxCharge, charge.CodeSpendingCap, charge.CodeUnbacked, charge.CodeFreeCalls}
				if r.Unlock {
					codes = append(codes, charge.CodeConfirmation)
				}
				require.ElementsMatch(t, codes, slices.Collect(maps.Keys(shown.Content["application/json"].Examples)), at)
			}
			var e errorExample
			if media := shown.Content["application/json"]; status < "400" || media.Example == nil || json.Unmarshal(media.Example, &e) != nil {
				continue
			}
			switch status {
			case "402":
				require.Equal(t, charge.CodeFreeCalls, e.Code, at)
			case "403":
				switch e.Detail {
				case "Only administrators can do this":
					require.Equal(t, httpapi.Admin, r.Access, at)
				case "API keys cannot do this; send the access token of a session":
					require.True(t, keyless, at)
				}
			case "409":
				require.Equal(t, e.Detail == httpapi.StillRunning, keyed && shown.Content != nil && document.Paths[op.Path][strings.ToLower(op.Method)].Responses[status].Ref != "", at)
			case "422":
				require.True(t, keyed, at)
			case "429":
				require.NotEmpty(t, e.Detail, at)
			}
		}
	}
	require.Empty(t, missing, "no example: add the call to journey or provoked, or declare the error with httpapi.Refuses")
}
