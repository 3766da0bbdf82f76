package register_test

import (
	"encoding/json"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/accounts/internal/onboarding"
	"gpatlas/modules/accounts/internal/register"
	"gpatlas/modules/accounts/internal/session"
	"gpatlas/modules/accounts/internal/testkit/sessiontest"
	"gpatlas/platform/auth"
	"gpatlas/platform/testkit/httpapitest"
)

// site is the operations of registration, sessions and onboarding together: the way of a person through them.
type site struct {
	*sessiontest.Bench
	*httpapitest.Host
}

func newSite(t *testing.T) site {
	t.Helper()
	b, s := setup(t)
	routes := append(register.Routes(s), session.Routes(b.Sessions)...)
	return site{b, httpapitest.New(t, append(routes, onboarding.Routes(onboarding.NewService(b.Users, b.Clock))...)...)}
}

const body = `{"email": "ada@larkspur.example", "password": "three herons cross the pond", "full_name": "Ada Larkspur"}`

// as is the caller of an access token.
func (s site) as(t *testing.T, token string) *auth.Principal {
	t.Helper()
	p, err := s.Sessions.VerifySession(t.Context(), token)
	require.NoError(t, err)
	return p
}

// answer sends a scenario and reads the answer.
func (s site) answer(t *testing.T, sc httpapitest.Scenario) map[string]any {
	t.Helper()
	var m map[string]any
	require.NoError(t, json.Unmarshal([]byte(s.Do(t, sc).Body), &m))
	return m
}

func TestRegisterRoute(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	got := s.answer(t, httpapitest.Scenario{
		Method: "POST", Path: "/v1/auth/register", Body: body, Status: 201, Header: map[string]string{"User-Agent": "curl/8.5.0"},
		As:         &auth.Principal{Address: netip.MustParseAddr("203.0.113.7")},
		WantHeader: map[string]string{"Cache-Control": "no-store"}, NotContains: []string{"herons", "argon2"},
	})
	who := got["user"].(map[string]any)
	require.Equal(t, map[string]any{
		"id": who["id"], "email": "ada@larkspur.example", "full_name": "Ada Larkspur", "subscription_plan": "pro", "api_tier": "starter",
		"email_verified": false, "created_at": "2026-11-20T09:30:00.000000Z", "tier": "free_trial", "trial_ends_at": "2026-12-04T09:30:00.000000Z",
		"is_admin": false, "onboarding": map[string]any{"step": 1.0, "completed": false},
	}, who)
	require.Equal(t, "Bearer", got["token_type"])
	require.InDelta(t, 900, got["expires_in"], 0)
	require.NotEmpty(t, got["refresh_token"])
	require.NotEmpty(t, got["message"])
	caller := s.as(t, got["access_token"].(string))
	require.Equal(t, got["session_id"], caller.SessionID)

	me := s.answer(t, httpapitest.Scenario{Path: "/v1/auth/me", As: caller})
	require.Equal(t, who, me)
	sessions := s.answer(t, httpapitest.Scenario{Path: "/v1/auth/sessions", As: caller})
	require.Equal(t, map[string]any{"total": 1.0, "sessions": []any{map[string]any{
		"id": caller.SessionID, "device": "curl 8.5.0", "ip_address": "203.0.113.7", "location": nil,
		"created_at": "2026-11-20T09:30:00.000000Z", "last_active": "2026-11-20T09:30:00.000000Z", "is_current": true,
	}}}, sessions)
	s.Do(t, httpapitest.Scenario{
		Method: "POST", Path: "/v1/auth/register", Body: strings.Replace(body, "ada@", "ADA@", 1), Status: 409,
		WantJSON: `{"detail": "An account with this email address already exists"}`,
	})
}

// Unknown fields of a form are rejected by name: no one registers as an administrator.
func TestRegisterRouteRefusals(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	before := s.Passwords.Computed()
	post := func(name, text string, fields ...string) httpapitest.Scenario {
		sc := httpapitest.Scenario{Name: name, Method: "POST", Path: "/v1/auth/register", Body: text, Status: 400}
		for _, f := range fields {
			sc.Contains = append(sc.Contains, `"field":"`+f+`"`)
		}
		return sc
	}
	list := []httpapitest.Scenario{
		post("no body", ""),
		post("no JSON", "{"),
		post("nothing", "{}", "email", "password", "full_name"),
		post("null", `{"email": null, "password": null, "full_name": null}`, "email", "password", "full_name"),
		post("other types", `{"email": 1, "password": ["x"], "full_name": {}, "marketing_consent": "yes"}`, "email", "password", "full_name", "marketing_consent"),
		post("too short and unknown", `{"email": "a", "password": "x", "full_name": "", "tier": "x"}`, "email", "password", "full_name", "tier"),
		post("common and malformed", `{"email": "ada", "password": "password12345", "full_name": " "}`, "email", "password", "full_name"),
		post("a megabyte", strings.Replace(body, "three herons", strings.Repeat("x", 1_000_000), 1), "password"),
		post("parameter", body),
	}
	list[len(list)-1].Path += "?is_admin=true"
	for _, field := range []string{"is_admin", "api_tier", "subscription_plan", "email_verified", "email_verified_at", "id", "tier", "trial_ends_at", "deleted_at", "school", "onboarding_step", "IS_ADMIN"} {
		list = append(list, post(field, strings.Replace(body, "{", `{"`+field+`": true, `, 1), field))
	}
	for _, sc := range list {
		s.Do(t, sc)
	}
	require.Equal(t, before, s.Passwords.Computed(), "nothing was hashed")
	u, err := s.Users.FindByEmail(t.Context(), "ada@larkspur.example")
	require.NoError(t, err)
	require.Nil(t, u)
}

// Failures are the same to the byte, and a throttled one has Retry-After.
func TestLoginRoute(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	u := s.MakeUser(t, "ada@larkspur.example")
	gone := s.MakeUser(t, "gone@mossgate.example")
	require.NoError(t, s.Users.Update(t.Context(), gone.ID, map[string]any{"deleted_at": s.Clock.Now()}))
	login := func(username, password string, status int) httpapitest.Response {
		text, err := json.Marshal(map[string]string{"username": username, "password": password})
		require.NoError(t, err)
		return s.Do(t, httpapitest.Scenario{Method: "POST", Path: "/v1/auth/login", Body: string(text), Status: status})
	}
	var got map[string]any
	require.NoError(t, json.Unmarshal([]byte(login("ada@larkspur.example", sessiontest.Password, 200).Body), &got))
	require.Equal(t, map[string]any{"id": float64(u.ID), "email": "ada@larkspur.example", "tier": "free_trial"}, got["user"])
	require.Len(t, got, 6, "access_token, refresh_token, token_type, expires_in, session_id, user")

	login("a\x00b@larkspur.example", "x", 400) // no body with this character is read
	wrong := login("ada@larkspur.example", "not the password", 401)
	require.JSONEq(t, `{"detail": "Incorrect email address or password"}`, wrong.Body)
	for _, same := range []httpapitest.Response{
		login("nobody@larkspur.example", sessiontest.Password, 401), login(gone.Email, sessiontest.Password, 401), login("x", "x", 401),
		login("' OR 1=1 --", "' OR 1=1 --", 401),
	} {
		require.Equal(t, wrong.Body, same.Body)
		require.Equal(t, wrong.Header, same.Header)
	}
	before := s.Passwords.Computed()
	login("ada@larkspur.example", strings.Repeat("x", 1_000_000), 400)
	login("ada@larkspur.example", strings.Repeat("x", 129), 400)
	login(strings.Repeat("x", 255), "x", 400)
	s.Do(t, httpapitest.Scenario{Method: "POST", Path: "/v1/auth/login", Body: `{"username": "ada@larkspur.example"}`, Status: 400, Contains: []string{`"field":"password"`}})
	require.Equal(t, before, s.Passwords.Computed(), "nothing was hashed")

	for range 9 {
		login("ada@larkspur.example", "not the password", 401)
	}
	for range 10 {
		login("unknown@larkspur.example", "not the password", 401)
	}
	known, unknown := login("ada@larkspur.example", sessiontest.Password, 429), login("unknown@larkspur.example", "x", 429)
	require.JSONEq(t, `{"detail": "Too many failed sign-ins; try again later"}`, known.Body)
	require.Equal(t, "900", known.Header.Get("Retry-After"))
	require.Equal(t, known.Body, unknown.Body)
	require.Equal(t, known.Header, unknown.Header)
}

func TestRefreshRoute(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.MakeUser(t, "ada@larkspur.example")
	tokens := s.Login(t, "ada@larkspur.example")
	path := "/v1/auth/refresh"
	first := s.answer(t, httpapitest.Scenario{Method: "POST", Path: path, Body: `{"refresh_token": "` + tokens.RefreshToken + `"}`})
	require.Len(t, first, 5, "login's answer without user")
	require.Equal(t, tokens.SessionID, first["session_id"])
	second := s.answer(t, httpapitest.Scenario{Method: "POST", Path: path + "?refresh_token=" + first["refresh_token"].(string)})
	third := s.answer(t, httpapitest.Scenario{
		Method: "POST", Path: path + "?refresh_token=" + second["refresh_token"].(string), Body: `{"refresh_token": "` + second["refresh_token"].(string) + `"}`,
	})
	last := third["refresh_token"].(string)
	refused := `{"detail": "Could not validate credentials"}`
	for _, sc := range []httpapitest.Scenario{
		{Name: "nothing", Path: path, Status: 400, Contains: []string{`"field":"refresh_token"`}},
		{Name: "empty object", Path: path, Body: `{}`, Status: 400, Contains: []string{`"field":"refresh_token"`}},
		{Name: "empty", Path: path, Body: `{"refresh_token": ""}`, Status: 400},
		{Name: "two", Path: path + "?refresh_token=x", Body: `{"refresh_token": "` + last + `"}`, Status: 400},
		{Name: "too long", Path: path, Body: `{"refresh_token": "` + strings.Repeat("x", 4097) + `"}`, Status: 400},
		{Name: "unknown field", Path: path, Body: `{"refresh_token": "` + last + `", "user_id": 1}`, Status: 400, Contains: []string{`"field":"user_id"`}},
		{Name: "made up", Path: path, Body: `{"refresh_token": "gpar_x"}`, Status: 401, WantJSON: refused},
		{Name: "used", Path: path, Body: `{"refresh_token": "` + tokens.RefreshToken + `"}`, Status: 401, WantJSON: refused},
		{Name: "access token", Path: path, Body: `{"refresh_token": "` + third["access_token"].(string) + `"}`, Status: 401, WantJSON: refused},
		{Name: "the last one still holds", Path: path, Body: `{"refresh_token": "` + last + `"}`},
	} {
		sc.Method = "POST"
		s.Do(t, sc)
	}
}

// Another's session, and one that never was, are answered with the same bytes.
func TestSessionRoutes(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.MakeUser(t, "ada@larkspur.example")
	s.MakeUser(t, "grace@mossgate.example")
	mine, other := s.Login(t, "ada@larkspur.example"), s.Login(t, "grace@mossgate.example")
	caller := s.as(t, mine.AccessToken)
	for _, id := range []string{other.SessionID, "sess_aaaaaaaaaaaaaaaaaaaaaaaaaa", "x", "%27%20OR%201=1", strings.Repeat("x", 1000)} {
		s.Do(t, httpapitest.Scenario{
			Method: "DELETE", Path: "/v1/auth/sessions/" + id, As: caller, Status: 404, WantJSON: `{"detail": "There is no such session"}`,
		})
	}
	s.as(t, other.AccessToken)
	all := httpapitest.Scenario{
		Method: "DELETE", Path: "/v1/auth/sessions", As: caller, WantJSON: `{"message": "All other sessions terminated", "sessions_terminated": 0}`,
	}
	s.Do(t, all)
	all.Header = map[string]string{"X-Session-ID": mine.SessionID}
	s.Do(t, all)
	s.Do(t, httpapitest.Scenario{
		Method: "DELETE", Path: "/v1/auth/sessions", As: caller, Header: map[string]string{"X-Session-ID": other.SessionID}, Status: 400,
		Contains: []string{`"field":"X-Session-ID"`},
	})
	s.as(t, mine.AccessToken)
	s.Do(t, httpapitest.Scenario{
		Method: "DELETE", Path: "/v1/auth/sessions/" + mine.SessionID, As: caller,
		WantJSON: `{"message": "Session terminated", "session_id": "` + mine.SessionID + `"}`,
	})
	_, err := s.Sessions.VerifySession(t.Context(), mine.AccessToken)
	require.Error(t, err)

	again := s.Login(t, "ada@larkspur.example")
	s.Do(t, httpapitest.Scenario{Method: "POST", Path: "/v1/auth/logout", As: s.as(t, again.AccessToken), WantJSON: `{"message": "Signed out"}`})
	_, err = s.Sessions.VerifySession(t.Context(), again.AccessToken)
	require.Error(t, err)
	_, err = s.Sessions.Refresh(t.Context(), again.RefreshToken)
	require.Error(t, err)
}

func TestOnboardingRoute(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.MakeUser(t, "ada@larkspur.example")
	caller := s.as(t, s.Login(t, "ada@larkspur.example").AccessToken)
	patch := func(text string, status int, contains ...string) {
		s.Do(t, httpapitest.Scenario{Method: "PATCH", Path: "/v1/auth/me/onboarding", As: caller, Body: text, Status: status, Contains: contains})
	}
	patch(`{"step": 2}`, 200, `"onboarding":{"step":2,"completed":false}`)
	patch(`{"step": 1, "completed": false}`, 200, `"onboarding":{"step":2,"completed":false}`)
	for text, field := range map[string]string{
		`{}`: "body", `{"step": 0}`: "step", `{"step": 4}`: "step", `{"step": 1.5}`: "step", `{"step": "2"}`: "step", `{"completed": 1}`: "completed",
		`{"step": 3, "is_admin": true}`: "is_admin", `{"step": 3, "email": "x@mossgate.example"}`: "email",
	} {
		patch(text, 400, `"field":"`+field+`"`)
	}
	patch(`{"step": 3}`, 200, `"onboarding":{"step":3,"completed":true}`)
	patch(`{"step": 1, "completed": false}`, 200, `"onboarding":{"step":3,"completed":true}`)
}

// Who is not signed in, or comes with a key, is turned away by each operation on the own account.
func TestLoginRoutesNeedASession(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	for i, sc := range []httpapitest.Scenario{
		{Path: "/v1/auth/me"},
		{Path: "/v1/auth/sessions"},
		{Method: http.MethodDelete, Path: "/v1/auth/sessions"},
		{Method: http.MethodDelete, Path: "/v1/auth/sessions/sess_x"},
		{Method: http.MethodPost, Path: "/v1/auth/logout"},
		{Method: http.MethodPatch, Path: "/v1/auth/me/onboarding", Body: `{"step": 2}`},
	} {
		sc.Name, sc.Status = strconv.Itoa(i), http.StatusUnauthorized
		s.Do(t, sc)
		sc.As, sc.Status = &auth.Principal{Kind: auth.Key, UserID: 1, KeyID: "k"}, http.StatusForbidden
		s.Do(t, sc)
	}
}
