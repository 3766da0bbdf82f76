package web_test

import (
	"context"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/fx"
	"go.uber.org/fx/fxtest"

	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
	"gpatlas/platform/ratelimit"
	"gpatlas/platform/telemetry"
	"gpatlas/platform/testkit/httpapitest"
	"gpatlas/web"
	"gpatlas/web/spec"
	"gpatlas/web/webtest"
)

// The invented callers of the tests.
const (
	aKey          = "gpa_live_of_a_user"
	anAdminKey    = "gpa_live_of_an_admin"
	aToken        = "token.of.a-user"
	anAdminsToken = "token.of.an-admin"
)

func credentials() webtest.Credentials {
	return webtest.Credentials{
		aKey:          {Kind: auth.Key, UserID: 7, KeyID: "0b5c8ad0-4e1f-4d5c-9b53-3f1d3a1c2e47", Mode: "live", APITier: "growth"},
		anAdminKey:    {Kind: auth.Key, UserID: 1, KeyID: "d7a3f6c2-90b1-4f0e-8a65-5f7b1b0c9d21", Mode: "live", APITier: "scale", Admin: true},
		aToken:        {Kind: auth.Session, UserID: 7, SessionID: "sess_a", APITier: "growth"},
		anAdminsToken: {Kind: auth.Session, UserID: 1, SessionID: "sess_b", APITier: "scale", Admin: true},
	}
}

// seen is the answer of the guarded operations: who the handler thinks has called.
type seen struct {
	Kind    int    `json:"kind"`
	UserID  int64  `json:"user_id"`
	Address string `json:"address"`
}

func whoami(ctx context.Context, _ *struct{}) (*httpapi.Reply[seen], error) {
	p := auth.From(ctx)
	return &httpapi.Reply[seen]{Body: seen{Kind: int(p.Kind), UserID: p.UserID, Address: p.Address.String()}}, nil
}

type noteInput struct {
	Body struct {
		Text string `json:"text"`
	}
}

func note(ctx context.Context, _ *noteInput) (*httpapi.Reply[seen], error) { return whoami(ctx, nil) }

// guarded is a module with two operations of every access class: one that takes parameters only, one with a body.
func guarded() module.Manifest {
	m := module.Manifest{Name: "guarded"}
	for class, options := range map[string][]httpapi.Option{
		"public":    nil,
		"open":      {httpapi.AlwaysOpen()},
		"key":       {httpapi.Grant(httpapi.Key)},
		"login":     {httpapi.Grant(httpapi.Login)},
		"login-key": {httpapi.Grant(httpapi.Login), httpapi.KeyToo()},
		"admin":     {httpapi.Grant(httpapi.Admin)},
		"admin-key": {httpapi.Grant(httpapi.Admin), httpapi.AdminKeyToo()},
		"signature": {httpapi.Grant(httpapi.Signature)},
	} {
		m.Routes = append(m.Routes, httpapi.Get("/v1/"+class, "get-"+class, whoami, options...), httpapi.Post("/v1/"+class, "post-"+class, note, options...))
	}
	return m
}

func guardedOptions(t *testing.T) web.Options {
	t.Helper()
	options := webtest.Options(t, guarded())
	options.Keys, options.Sessions = credentials(), credentials()
	return options
}

func hostOf(t *testing.T, options web.Options) *httpapitest.Host {
	t.Helper()
	app := webtest.App(t, options)
	return &httpapitest.Host{App: app.Fiber, API: app.API}
}

// The ways to call, and what they send.
var callers = []struct{ name, header string }{
	{"anonymous", ""},
	{"other scheme", "Basic dXNlcjpwYXNz"},
	{"no scheme", aKey},
	{"scheme alone", "Bearer"},
	{"two tokens", "Bearer " + aToken + " " + aToken},
	{"two credentials", "Bearer " + aToken + ", Bearer " + aToken},
	{"wrong key", "Bearer gpa_live_wrong"},
	{"wrong token", "Bearer wrong.token"},
	{"other case", "Bearer " + strings.ToUpper(aKey)},
	{"key", "Bearer " + aKey},
	{"session", "bearer  " + aToken},
	{"admin session", "BEARER " + anAdminsToken},
	{"admin key", "Bearer " + anAdminKey},
}

// wrongOnes of the callers send a credential that is not valid.
const wrongOnes = 8

// isToken says that a wrong one of the callers sends what may have been an access token.
func isToken(caller string) bool { return caller == "wrong token" || caller == "other case" }

// allowed is, for each class, what comes back to: anonymous, key, session, admin session, admin key.
type allowed [5]int

func (a allowed) to(caller int) int {
	switch {
	case a == everybody:
		return http.StatusOK
	case caller == 0:
		return a[0]
	case caller <= wrongOnes:
		return http.StatusUnauthorized
	default:
		return a[caller-wrongOnes]
	}
}

var (
	everybody    = allowed{} // whatever is sent as a credential: the body is signed
	openToAll    = allowed{200, 200, 200, 200, 200}
	identified   = allowed{401, 200, 200, 200, 200}
	sessionsOnly = allowed{401, 403, 200, 200, 403}
	adminsOnly   = allowed{401, 403, 403, 200, 403}
	adminsAny    = allowed{401, 403, 403, 200, 200}
)

// matrix sends every caller to every registered operation of the module and compares with what its class allows.
func matrix(t *testing.T, options web.Options, want map[string]allowed) {
	t.Helper()
	h := hostOf(t, options)
	asked := map[string]bool{}
	for _, r := range h.API.Routes() {
		class, ours := strings.CutPrefix(r.Operation.Path, "/v1/")
		if !ours || strings.HasPrefix(class, "legal/") {
			continue // the host's own, always open: legal_test.go
		}
		asked[class] = true
		require.Contains(t, want, class)
		for i, caller := range callers {
			t.Run(r.Operation.OperationID+" by "+caller.name, func(t *testing.T) {
				t.Parallel()
				s := httpapitest.Scenario{Method: r.Operation.Method, Path: r.Operation.Path, Status: want[class].to(i), Header: map[string]string{}}
				if r.AlwaysOpen && isToken(caller.name) {
					s.Status = http.StatusOK
				}
				if s.Method == http.MethodPost {
					s.Body = `{"text":"x"}`
				}
				if caller.header != "" {
					s.Header["Authorization"] = caller.header
				}
				switch {
				case s.Status == http.StatusUnauthorized && i == 0:
					s.WantHeader = map[string]string{"WWW-Authenticate": "Bearer"}
				case s.Status == http.StatusUnauthorized:
					s.WantHeader = map[string]string{"WWW-Authenticate": `Bearer error="invalid_token"`}
				default:
					s.WantHeader = map[string]string{"WWW-Authenticate": ""}
				}
				h.Do(t, s)
				s.Method, s.Body = http.MethodHead, ""
				if r.Operation.Method == http.MethodGet {
					h.Do(t, s)
				}
			})
		}
	}
	require.Len(t, asked, len(want))
}

func TestAccessMatrix(t *testing.T) {
	t.Parallel()
	matrix(t, guardedOptions(t), map[string]allowed{
		"public": openToAll, "open": openToAll, "key": identified, "login": sessionsOnly, "login-key": identified,
		"admin": adminsOnly, "admin-key": adminsAny, "signature": everybody,
	})
}

// With the policy keyed, public data needs a key or a session; what is always open stays so.
func TestAccessMatrixKeyed(t *testing.T) {
	t.Parallel()
	options := guardedOptions(t)
	options.Config.AccessPolicy = "keyed"
	matrix(t, options, map[string]allowed{
		"public": identified, "open": openToAll, "key": identified, "login": sessionsOnly, "login-key": identified,
		"admin": adminsOnly, "admin-key": adminsAny, "signature": everybody,
	})
}

// Each administrator's operation that is registered refuses all others, and the contract's are all among them.
func TestAdminOperationsOfTheContract(t *testing.T) {
	t.Parallel()
	options := webtest.Options(t, standIns(t))
	options.Keys, options.Sessions = credentials(), credentials()
	h := hostOf(t, options)
	rows, err := spec.Endpoints()
	require.NoError(t, err)
	waiting := map[string]bool{}
	for _, row := range rows {
		if row.Access == httpapi.Admin {
			waiting[row.Method+" "+row.Path] = true
		}
	}
	require.Greater(t, len(waiting), 30)
	for _, r := range h.API.Routes() {
		if !strings.HasPrefix(r.Operation.Path, "/v1/admin/") {
			require.NotEqual(t, httpapi.Admin, r.Access, r.Operation.Path)
			continue
		}
		delete(waiting, r.Operation.Method+" "+r.Operation.Path)
		for i, caller := range callers {
			path := regexp.MustCompile(`{[a-z_]+}`).ReplaceAllString(r.Operation.Path, "1")
			s := httpapitest.Scenario{Method: r.Operation.Method, Path: path, Status: adminsOnly.to(i), Header: map[string]string{}}
			if caller.header != "" {
				s.Header["Authorization"] = caller.header
			}
			h.Do(t, s)
		}
	}
	require.Empty(t, waiting)
}

// A refused caller learns nothing of the operation: neither parameters nor body are looked at.
func TestAccessComesBeforeDecoding(t *testing.T) {
	t.Parallel()
	h := hostOf(t, guardedOptions(t))
	for _, s := range []httpapitest.Scenario{
		{Path: "/v1/login?colour=red"},
		{Method: "POST", Path: "/v1/login", Body: `{"text"`},
		{Method: "POST", Path: "/v1/login?colour=red", Body: `{"texd":1}`},
		{Method: "POST", Path: "/v1/login", Body: `<xml/>`, Header: map[string]string{"Content-Type": "text/xml"}},
	} {
		s.Status = 401
		s.WantJSON = `{"detail":"Not authenticated; send Authorization: Bearer with the access token of a session"}`
		h.Do(t, s)
		header := map[string]string{"Authorization": "Bearer " + aKey}
		if s.Header != nil {
			header["Content-Type"] = s.Header["Content-Type"]
		}
		s.Header, s.Status = header, 403
		s.WantJSON = `{"detail":"API keys cannot do this; send the access token of a session"}`
		h.Do(t, s)
	}
}

// An access token in the URL is no credential: the parameter is unknown, and the caller anonymous.
func TestNoCredentialsInTheQuery(t *testing.T) {
	t.Parallel()
	h := hostOf(t, guardedOptions(t))
	for _, name := range []string{"key", "token", "access_token"} {
		h.Do(t, httpapitest.Scenario{Path: "/v1/public?" + name + "=" + aToken, Status: 400, Contains: []string{`"field":"` + name + `"`, "unknown parameter"}, NotContains: []string{aToken}})
		h.Do(t, httpapitest.Scenario{Path: "/v1/key?" + name + "=" + aToken, Status: 401})
	}
}

// What the handler sees is the verifier's principal with the client's address; the verifier's own is paused.
func TestHandlersSeeTheCaller(t *testing.T) {
	t.Parallel()
	options := guardedOptions(t)
	options.Config.TrustedProxies = []string{"0.0.0.0"} // the peer of app.Test
	known := credentials()
	options.Keys, options.Sessions = known, known
	h := hostOf(t, options)
	for credential, want := range map[string]string{
		"": `{"kind":0,"user_id":0,"address":"192.0.2.7"}`, aToken: `{"kind":1,"user_id":7,"address":"192.0.2.7"}`,
		aKey: `{"kind":2,"user_id":7,"address":"192.0.2.7"}`,
	} {
		for _, method := range []string{"GET", "POST"} {
			s := httpapitest.Scenario{Method: method, Path: "/v1/public", Header: map[string]string{"X-Forwarded-For": "198.51.100.1, 192.0.2.7"}, WantJSON: want}
			if method == "POST" {
				s.Body = `{"text":"x"}`
			}
			if credential != "" {
				s.Header["Authorization"] = "Bearer " + credential
			}
			h.Do(t, s)
		}
	}
	require.Equal(t, credentials(), known)
}

// The service's own operations and the documentation answer whatever credential is sent; unknown paths do not.
func TestWhereCredentialsAreNotLookedAt(t *testing.T) {
	t.Parallel()
	for _, policy := range []string{"open", "keyed"} {
		options := guardedOptions(t)
		options.Config.AccessPolicy = policy
		h := hostOf(t, options)
		for _, header := range []string{"", "Bearer gpa_live_wrong", "Basic x"} {
			for path, status := range map[string]int{
				"/": 200, "/health": 200, "/status": 200, "/openapi.json": 200, "/openapi.yaml": 200, "/llms.txt": 200, "/docs": 200, "/docs/": 200,
				"/docs/start.js": 200, "/_internal/metrics": 404, "/_internal/nope": 404, "/_internal": 404,
			} {
				require.Equal(t, status, fetch(t, h, path, "Authorization", header).Status, "%s with %q", path, header)
			}
		}
		for _, path := range []string{"/nope", "/v1/nope", "/health/", "/_internalnope", "/docs/nope"} {
			require.Equal(t, 404, fetch(t, h, path).Status, path)
			require.Equal(t, 401, fetch(t, h, path, "Authorization", "Bearer wrong").Status, path)
		}
	}
}

// The header sent twice, and the header sent empty, are no absent header.
func TestOddHeaders(t *testing.T) {
	t.Parallel()
	address := webtest.Serve(t, webtest.App(t, guardedOptions(t)))
	for lines, status := range map[string]int{
		"": 200, "Authorization: Bearer " + aKey + "\r\n": 200,
		"Authorization:\r\n": 401, "Authorization: \r\n": 401, "Authorization: Bearer \r\n": 401, "Authorization: Bearer a\tb\r\n": 401,
		"Authorization: Bearer " + aKey + "\r\nAuthorization: Bearer " + aKey + "\r\n": 401,
		"Authorization: Bearer \xff\r\n":                                               401,
	} {
		response := raw(t, address, "GET /v1/public HTTP/1.1\r\nHost: x\r\n"+lines+"\r\n")
		require.NoError(t, response.Body.Close())
		require.Equal(t, status, response.StatusCode, "%q", lines)
	}
}

// Without verifiers nobody is known, and nobody with a credential is taken for anonymous.
func TestWithoutVerifiers(t *testing.T) {
	t.Parallel()
	h := webtest.Host(t, guarded())
	h.Do(t, httpapitest.Scenario{Path: "/v1/public"})
	for credential, detail := range map[string]string{aKey: "Invalid or revoked API key", aToken: "Could not validate credentials"} {
		h.Do(t, httpapitest.Scenario{
			Path: "/v1/public", Status: 401, Header: map[string]string{"Authorization": "Bearer " + credential}, WantJSON: `{"detail":"` + detail + `"}`,
		})
	}
}

// verifier answers every credential alike.
type verifier struct {
	answer *auth.Principal
	err    error
	panics bool
}

func (v verifier) VerifyKey(context.Context, string) (*auth.Principal, error) {
	if v.panics {
		panic("verifier")
	}
	return v.answer, v.err
}

func (v verifier) VerifySession(ctx context.Context, token string) (*auth.Principal, error) {
	return v.VerifyKey(ctx, token)
}

// A verifier that cannot tell, or that breaks its promise, lets nobody in.
func TestFailingVerifiers(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		verifier verifier
		status   int
	}{
		"away":       {verifier{err: apperr.Unavailable("Credentials cannot be verified now; try again")}, 503},
		"of no kind": {verifier{err: http.ErrHandlerTimeout}, 500},
		"nobody":     {verifier{}, 500},
		"no kind":    {verifier{answer: &auth.Principal{UserID: 7}}, 500},
		"other kind": {verifier{answer: &auth.Principal{Kind: 9, UserID: 7}}, 500},
		"panics":     {verifier{panics: true}, 500},
		"too slow":   {verifier{err: context.DeadlineExceeded}, 503},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			options := webtest.Options(t, guarded())
			options.Keys, options.Sessions = test.verifier, test.verifier
			h := hostOf(t, options)
			for _, credential := range []string{aKey, aToken} {
				got := fetch(t, h, "/v1/public", "Authorization", "Bearer "+credential)
				require.Equal(t, test.status, got.Status, got.Body)
				require.Empty(t, got.Header.Get("WWW-Authenticate"))
			}
		})
	}
}

// counter is a recorder that remembers.
type counter struct {
	mu    sync.Mutex
	used  []ratelimit.Usage
	names map[string]string // by operation: "GET /v1/gps"
}

func (c *counter) Learn(operation, method, path string) {
	if c.names == nil {
		c.names = map[string]string{}
	}
	c.names[operation] = method + " " + path
}

func (c *counter) Record(u ratelimit.Usage) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.used = append(c.used, u)
}

// Each answer to a key is counted once, with its operation and status; nobody else's is.
func TestUsageOfKeysIsRecorded(t *testing.T) {
	t.Parallel()
	counted := &counter{}
	options := guardedOptions(t)
	options.Recorder = counted
	h := hostOf(t, options)
	ask := func(method, path, credential string) {
		request, err := http.NewRequestWithContext(t.Context(), method, "http://gpatlas.test"+path, nil)
		require.NoError(t, err)
		if credential != "" {
			request.Header.Set("Authorization", "Bearer "+credential)
		}
		response, err := h.App.Test(request, -1)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
	}
	for _, credential := range []string{"", aToken, anAdminsToken, "gpa_live_wrong", "wrong"} {
		ask("GET", "/v1/public", credential)
	}
	ask("GET", "/health", aKey)
	require.Empty(t, counted.used)
	for _, request := range []struct{ method, path string }{
		{"GET", "/v1/public"}, {"HEAD", "/v1/public"}, {"GET", "/v1/public?x=1"}, {"POST", "/v1/login"}, {"GET", "/v1/nope"},
	} {
		ask(request.method, request.path, aKey)
	}
	for i, u := range counted.used {
		require.Equal(t, "0b5c8ad0-4e1f-4d5c-9b53-3f1d3a1c2e47", u.Caller.KeyID)
		require.Equal(t, webtest.Now.Now(), u.At)
		counted.used[i] = ratelimit.Usage{Operation: u.Operation, Status: u.Status}
	}
	require.Equal(t, []ratelimit.Usage{
		{Operation: "get-public", Status: 200},
		{Operation: "get-public", Status: 200},
		{Operation: "get-public", Status: 400},
		{Operation: "post-login", Status: 403},
		{Operation: "unknown-path", Status: 404},
	}, counted.used)
	require.Equal(t, "GET /v1/public", counted.names["get-public"])
}

// The container's verifiers, limiter and recorder are the app's.
func TestModuleTakesVerifiers(t *testing.T) {
	t.Parallel()
	counted, limits := &counter{}, &limiter{decide: plenty}
	var app *web.App
	container := fxtest.New(t, fx.NopLogger,
		fx.Provide(
			func() auth.KeyVerifier { return credentials() }, func() auth.SessionVerifier { return credentials() },
			func() ratelimit.Limiter { return limits }, func() ratelimit.Recorder { return counted },
		),
		fx.Supply(webtest.Config(), telemetry.NewMetrics(), telemetry.NoTracing(), webtest.Options(t).Logger, []module.Manifest{guarded()}),
		web.Module, fx.Populate(&app))
	container.RequireStart()
	h := httpapitest.Host{App: app.Fiber, API: app.API}
	for _, credential := range []string{aKey, aToken} {
		h.Do(t, httpapitest.Scenario{
			Path: "/v1/key", Header: map[string]string{"Authorization": "Bearer " + credential},
			WantHeader: map[string]string{"X-RateLimit-Limit": "100"},
		})
	}
	container.RequireStop()
	require.Len(t, counted.used, 1)
}

// A key in the URL is refused with a word on where it belongs, before anything is done, and stands in no answer.
func TestKeysInURLs(t *testing.T) {
	t.Parallel()
	h := hostOf(t, guardedOptions(t))
	for _, query := range []string{"api_key=" + aKey, "API_KEY=x", "apikey=x", "x=1&api-key=x", "q=" + aKey, "token=gpa_test_wrong"} {
		got := h.Do(t, httpapitest.Scenario{Path: "/v1/public?" + query, Status: 401})
		require.Contains(t, got.Body, "there is an API key in the URL", query)
		require.Contains(t, got.Body, "Authorization: Bearer", query)
		require.NotContains(t, got.Body, aKey)
		for _, credential := range []string{aKey, aToken} {
			beside := fetch(t, h, "/v1/public?"+query, "Authorization", "Bearer "+credential)
			require.Equal(t, []any{401, got.Body}, []any{beside.Status, beside.Body}, "beside a valid credential")
		}
	}
	h.Do(t, httpapitest.Scenario{Path: "/v1/public?key=x", Status: 400})
}

// A key in another header is refused with a word on where it belongs; other values there are a proxy's business, and a request
// with an Authorization header is judged by that.
func TestKeysInOtherHeaders(t *testing.T) {
	t.Parallel()
	h := hostOf(t, guardedOptions(t))
	for _, name := range []string{"X-API-Key", "x-api-key", "Api-Key", "apikey", "X-Auth-Token"} {
		for _, value := range []string{aKey, "gpa_test_wrong"} {
			got := fetch(t, h, "/v1/public", name, value)
			require.Equal(t, 401, got.Status, name)
			require.Contains(t, got.Body, "send it as Authorization: Bearer", name)
			require.NotContains(t, got.Body, value)
			require.Equal(t, `Bearer error="invalid_token"`, got.Header.Get("WWW-Authenticate"))
		}
		for _, value := range []string{"", "c0ffee", "Bearer " + aKey} {
			require.Equal(t, 200, fetch(t, h, "/v1/public", name, value).Status, "%s: %q", name, value)
		}
		require.Equal(t, 200, fetch(t, h, "/v1/key", name, aKey, "Authorization", "Bearer "+aKey).Status)
		require.Equal(t, 200, fetch(t, h, "/docs", name, aKey).Status)
		require.Equal(t, 200, fetch(t, h, "/health", name, aKey).Status)
	}
	for _, value := range []string{aKey, "Token " + aKey, "ApiKey " + aKey} {
		got := fetch(t, h, "/v1/public", "Authorization", value)
		require.Equal(t, 401, got.Status)
		require.Contains(t, got.Body, "send one Authorization: Bearer header")
	}
}

// A verifier that cannot be asked is no expired token: who has sent a good one is not taken for nobody.
func TestOpenOperationsIgnoreExpiredTokensOnly(t *testing.T) {
	t.Parallel()
	options := guardedOptions(t)
	options.Sessions = awaySessions{}
	require.Equal(t, 503, fetch(t, hostOf(t, options), "/v1/open", "Authorization", "Bearer "+aToken).Status)
	h, l := limited(t, plenty)
	got := fetch(t, h, "/v1/open", "Authorization", "Bearer expired.access.token")
	require.Equal(t, 200, got.Status)
	require.Contains(t, got.Body, `"kind":0`, "the caller is anonymous")
	require.Equal(t, 1, l.pages, "and has the limits of one who has sent nothing")
}

type awaySessions struct{}

func (awaySessions) VerifySession(context.Context, string) (*auth.Principal, error) {
	return nil, apperr.New(apperr.KindUnavailable, "The service is temporarily unavailable")
}
