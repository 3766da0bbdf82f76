package web

import (
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/stretchr/testify/require"

	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/clock"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/jobs"
	"gpatlas/platform/ratelimit"
	"gpatlas/platform/testkit/dbtest"
)

var queuesNow = clock.Fixed(time.Date(2026, time.November, 20, 12, 0, 0, 0, time.UTC))

// jwt is a token that looks like a session's, good for a while from queuesNow.
func jwt(name string, lifetime time.Duration) string {
	encode := base64.RawURLEncoding.EncodeToString
	claims := fmt.Sprintf(`{"sub":%q,"exp":%d}`, name, queuesNow.Now().Add(lifetime).Unix())
	return encode([]byte(`{"alg":"HS256"}`)) + "." + encode([]byte(claims)) + "." + encode([]byte(name))
}

// running is the sessions that there are, by access token; the test ends them.
type running struct {
	mu   sync.Mutex
	by   map[string]*auth.Principal
	away bool
}

func (r *running) VerifySession(_ context.Context, token string) (*auth.Principal, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.away {
		return nil, apperr.Unavailable("Sessions cannot be checked now; try again")
	}
	if p := r.by[token]; p != nil {
		return p, nil
	}
	return nil, apperr.New(apperr.KindUnauthenticated, "Could not validate credentials")
}

func (r *running) change(f func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f()
}

var (
	adminToken = jwt("admin", 15*time.Minute)
	userToken  = jwt("user", 15*time.Minute)
	oldToken   = jwt("old", 0)
	blankToken = "an-opaque-token"
)

// queueHost is the page on a real socket, over a real Redis with some jobs in it.
type queueHost struct {
	address  string
	redis    string
	sessions *running
	log      *lockedText
}

// lockedText is a log that may be read while it is written.
type lockedText struct {
	mu sync.Mutex
	b  strings.Builder
}

func (l *lockedText) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedText) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func serveQueues(t *testing.T, mode, publicURL string) *queueHost {
	t.Helper()
	return serveQueuesWith(t, mode, publicURL, nil)
}

func serveQueuesWith(t *testing.T, mode, publicURL string, limiter ratelimit.Limiter) *queueHost {
	t.Helper()
	h := &queueHost{redis: dbtest.RedisURL(t), log: &lockedText{}, sessions: &running{by: map[string]*auth.Principal{
		adminToken: {Kind: auth.Session, UserID: 1, SessionID: "sess_1", Admin: true},
		blankToken: {Kind: auth.Session, UserID: 1, SessionID: "sess_2", Admin: true},
		oldToken:   {Kind: auth.Session, UserID: 1, SessionID: "sess_3", Admin: true},
		userToken:  {Kind: auth.Session, UserID: 2, SessionID: "sess_4"},
	}}}
	ui, err := NewQueueUI(mode, h.redis)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, ui.Close()) })
	o := Options{
		Config:   Config{PublicURL: publicURL, CORSOrigins: []string{"*"}, AccessLog: accessOff},
		Logger:   slog.New(slog.NewTextHandler(h.log, nil)),
		Clock:    queuesNow,
		Sessions: h.sessions,
		Limiter:  limiter,
	}.withDefaults()
	p, err := newPipeline(o)
	require.NoError(t, err)
	app := fiber.New(httpapi.FiberConfig(o.Logger))
	app.Use(p.handle)
	middleware := map[*fiber.Route]bool{}
	for _, stack := range app.Stack() {
		middleware[stack[0]] = true
	}
	api := httpapi.New(app, httpapi.Config{})
	require.NoError(t, addQueues(app, ui, o))
	p.traffic.learn(app, api, middleware)
	p.admission.learn(app, api, middleware)
	socket, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	served := make(chan error, 1)
	go func() { served <- app.Listener(socket) }()
	t.Cleanup(func() {
		require.NoError(t, app.ShutdownWithTimeout(time.Minute))
		require.NoError(t, <-served)
	})
	h.address = "http://" + socket.Addr().String()
	return h
}

// fail makes a job that failed for good.
func (h *queueHost) fail(t *testing.T) {
	t.Helper()
	db := dbtest.New(t)
	w, err := jobs.NewWorker(jobs.Config{PollInterval: 20 * time.Millisecond}, jobs.Deps{DB: db, RedisURL: h.redis, Handlers: []jobs.Handler{{
		Type: "test.send_mail", Queue: jobs.Critical, Run: func(context.Context, []byte) error { return io.ErrUnexpectedEOF },
	}}})
	require.NoError(t, err)
	require.NoError(t, w.Start(t.Context()))
	require.NoError(t, jobs.NewEnqueuer(db).Enqueue(t.Context(), jobs.Job{Type: "test.send_mail", TaskID: "mail-7"}))
	require.Eventually(t, func() bool { return h.dead(t) == 1 }, time.Minute, 10*time.Millisecond)
	require.NoError(t, w.Shutdown(t.Context()))
}

func (h *queueHost) dead(t *testing.T) int {
	t.Helper()
	counts, err := jobs.NewInspector(h.redis)
	require.NoError(t, err)
	defer func() { require.NoError(t, counts.Close()) }()
	_, dead, err := counts.Load(t.Context())
	require.NoError(t, err)
	return dead
}

type queueAnswer struct {
	*http.Response
	body string
}

// send asks below the page's path; headers are pairs.
func (h *queueHost) send(t *testing.T, method, path, body string, headers ...string) queueAnswer {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, h.address+QueuesPath+path, strings.NewReader(body))
	require.NoError(t, err)
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	client := &http.Client{
		Timeout: time.Minute, Transport: &http.Transport{DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	response, err := client.Do(request)
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	read, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return queueAnswer{response, string(read)}
}

func cookie(token string) string { return queueCookie + "=" + token }

// To anybody but an administrator the page is closed, whatever is sent: browsers get the login page, others 401.
func TestQueuesAreForAdministratorsOnly(t *testing.T) {
	t.Parallel()
	h := serveQueues(t, queueUIWrite, "")
	for name, headers := range map[string][]string{
		"nobody":            nil,
		"a user's session":  {"Cookie", cookie(userToken)},
		"no session's":      {"Cookie", cookie(jwt("stranger", time.Hour))},
		"no token":          {"Cookie", cookie("%00;x")},
		"an empty one":      {"Cookie", cookie("")},
		"an API key":        {"Cookie", cookie("gpa_live_ABCDEFGH")},
		"another cookie":    {"Cookie", "session=" + adminToken},
		"two, a user first": {"Cookie", cookie(userToken) + "; " + cookie(userToken)},
	} {
		for _, path := range []string{"", "/", "/api/queues", "/static/js/main.5adda2da.chunk.js", "/queues/default", "/logout"} {
			for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodDelete, http.MethodPut} {
				got := h.send(t, method, path, "", append(headers, "Origin", h.address)...)
				require.Equal(t, http.StatusUnauthorized, got.StatusCode, "%s: %s %s", name, method, path)
				require.Contains(t, got.body, "sign in at /admin/queues/login", name)
				require.NotContains(t, got.body, "sync", name)
			}
			browser := h.send(t, http.MethodGet, path, "", append(headers, "Accept", "text/html,application/xhtml+xml,*/*;q=0.8")...)
			require.Equal(t, http.StatusSeeOther, browser.StatusCode, "%s: %s", name, path)
			require.Equal(t, "/admin/queues/login", browser.Header.Get("Location"), name)
			require.Equal(t, "no-store", browser.Header.Get("Cache-Control"), name)
			require.Equal(t, http.StatusUnauthorized, h.send(t, http.MethodPost, path, "", append(headers, "Accept", "text/html")...).StatusCode, name)
		}
	}
	// The answer is the same for a path that the page does not have.
	absent, page := h.send(t, http.MethodGet, "/x", ""), h.send(t, http.MethodGet, "/", "")
	require.Equal(t, http.StatusUnauthorized, absent.StatusCode)
	require.JSONEq(t, absent.body, page.body)
	h.sessions.change(func() { h.sessions.away = true })
	require.Equal(t, http.StatusServiceUnavailable, h.send(t, http.MethodGet, "", "", "Cookie", cookie(adminToken)).StatusCode)
	require.Equal(t, http.StatusUnauthorized, h.send(t, http.MethodGet, "", "").StatusCode)
}

func form(token string) string { return url.Values{"access_token": {token}}.Encode() }

const formType = "application/x-www-form-urlencoded"

// The login sets one cookie, for this path alone, for pages of this site alone, as long as the token is good.
func TestQueueLogin(t *testing.T) {
	t.Parallel()
	h, safe := serveQueues(t, queueUIRead, ""), serveQueues(t, queueUIRead, "https://api.example.com/")
	page := h.send(t, http.MethodGet, "/login", "", "Origin", "https://evil.example")
	require.Equal(t, http.StatusOK, page.StatusCode)
	require.Equal(t, "text/html; charset=utf-8", page.Header.Get("Content-Type"))
	require.Contains(t, page.body, `<form method="post" action="/admin/queues/login">`)
	require.NotContains(t, page.body, "<script")
	require.Contains(t, page.Header.Get("Content-Security-Policy"), "default-src 'none'; style-src 'sha256-")
	require.Contains(t, page.Header.Get("Content-Security-Policy"), "form-action 'self'")
	require.Equal(t, "DENY", page.Header.Get("X-Frame-Options"))
	require.Equal(t, "no-store", page.Header.Get("Cache-Control"))
	require.Empty(t, page.Header.Get("Access-Control-Allow-Origin"), "other origins do not read it")

	for name, test := range map[string]struct {
		host    *queueHost
		body    string
		headers []string
		cookie  string
	}{
		"by form":         {h, form(adminToken), []string{"Content-Type", formType, "Origin", h.address}, cookie(adminToken) + "; max-age=900; path=/admin/queues; HttpOnly; SameSite=Strict"},
		"blanks around":   {h, form(" " + adminToken + "\n"), []string{"Content-Type", formType}, cookie(adminToken) + "; max-age=900; path=/admin/queues; HttpOnly; SameSite=Strict"},
		"by header":       {h, "", []string{"Authorization", "Bearer " + adminToken}, cookie(adminToken) + "; max-age=900; path=/admin/queues; HttpOnly; SameSite=Strict"},
		"over https":      {safe, form(adminToken), []string{"Content-Type", formType, "Sec-Fetch-Site", "same-origin"}, cookie(adminToken) + "; max-age=900; path=/admin/queues; HttpOnly; secure; SameSite=Strict"},
		"over https, old": {safe, form(adminToken), []string{"Content-Type", formType, "Origin", "https://api.example.com"}, cookie(adminToken) + "; max-age=900; path=/admin/queues; HttpOnly; secure; SameSite=Strict"},
		"without an end":  {h, form(blankToken), []string{"Content-Type", formType}, cookie(blankToken) + "; path=/admin/queues; HttpOnly; SameSite=Strict"},
	} {
		got := test.host.send(t, http.MethodPost, "/login", test.body, test.headers...)
		require.Equal(t, http.StatusSeeOther, got.StatusCode, name)
		require.Equal(t, QueuesPath, got.Header.Get("Location"), name)
		require.Equal(t, []string{test.cookie}, got.Header.Values("Set-Cookie"), name)
		require.Equal(t, "no-store", got.Header.Get("Cache-Control"), name)
	}
	refused := map[string]string{}
	for name, test := range map[string]struct {
		path, body string
		headers    []string
	}{
		"a user's":             {"/login", form(userToken), []string{"Content-Type", formType}},
		"nobody's":             {"/login", form(jwt("stranger", time.Hour)), []string{"Content-Type", formType}},
		"run out":              {"/login", form(oldToken), []string{"Content-Type", formType}},
		"an API key":           {"/login", "", []string{"Authorization", "Bearer gpa_live_ABCDEFGH"}},
		"nothing":              {"/login", "", nil},
		"too long":             {"/login", form(strings.Repeat("x", 4000)), []string{"Content-Type", formType}},
		"another header in it": {"/login", form("x; path=/\r\nX-Evil: 1"), []string{"Content-Type", formType}},
		"in the address":       {"/login?" + form(adminToken), "", []string{"Content-Type", formType}},
		"another site's form":  {"/login", form(adminToken), []string{"Content-Type", formType, "Origin", "https://evil.example"}},
		"another site's post":  {"/login", form(adminToken), []string{"Content-Type", formType, "Sec-Fetch-Site", "cross-site"}},
		"a sibling's form":     {"/login", form(adminToken), []string{"Content-Type", formType, "Sec-Fetch-Site", "same-site", "Origin", h.address}},
		"of no origin":         {"/login", form(adminToken), []string{"Content-Type", formType, "Origin", "null"}},
	} {
		got := h.send(t, http.MethodPost, test.path, test.body, test.headers...)
		require.Equal(t, http.StatusForbidden, got.StatusCode, name)
		require.Empty(t, got.Header.Values("Set-Cookie"), name)
		refused[got.body] = name
	}
	require.Len(t, refused, 1, "all are refused alike")
	require.Equal(t, http.StatusForbidden, safe.send(t, http.MethodPost, "/login", form(adminToken), "Content-Type", formType, "Origin", safe.address).StatusCode,
		"where the address is known, it is the only one")
	require.NotContains(t, h.log.String(), adminToken)
}

// An administrator gets the page, its assets and its figures, under a policy that lets nothing else load.
func TestQueuePage(t *testing.T) {
	t.Parallel()
	h := serveQueues(t, queueUIRead, "")
	h.fail(t)
	get := func(path string) queueAnswer {
		return h.send(t, http.MethodGet, path, "", "Cookie", cookie(adminToken), "Origin", "https://evil.example")
	}
	for _, path := range []string{"", "/", "/queues/critical?status=archived", "/schedulers", "/index.html", "/static/none.js"} {
		page := get(path)
		require.Equal(t, http.StatusOK, page.StatusCode, path)
		require.Equal(t, "text/html; charset=utf-8", page.Header.Get("Content-Type"), path)
		require.Contains(t, page.body, `<title>Asynq - Monitoring</title>`, path)
		require.Contains(t, page.body, `window.FLAG_READ_ONLY="true"`, path)
		require.NotContains(t, page.body, "googleapis", path)
		require.NotContains(t, page.body, "manifest", path)
		policy := page.Header.Get("Content-Security-Policy")
		require.Equal(t, 2, strings.Count(page.body, "<script>"))
		require.Contains(t, policy, "script-src 'self'"+scriptHashes([]byte(page.body))+";", path)
		require.Contains(t, policy, "default-src 'none'")
		require.Equal(t, "no-store", page.Header.Get("Cache-Control"))
		require.Empty(t, page.Header.Get("Access-Control-Allow-Origin"))
		require.Equal(t, "same-origin", page.Header.Get("Cross-Origin-Resource-Policy"))
		require.Equal(t, "nosniff", page.Header.Get("X-Content-Type-Options"))
	}
	for path, kind := range map[string]string{
		"/static/js/main.5adda2da.chunk.js":     "application/javascript; charset=utf-8",
		"/static/media/logo-color.c2b0c1f3.svg": "image/svg+xml",
		"/favicon.ico":                          "image/x-icon",
	} {
		asset := get(path)
		require.Equal(t, http.StatusOK, asset.StatusCode, path)
		require.Equal(t, kind, asset.Header.Get("Content-Type"), path)
		require.NotContains(t, asset.body, "<!doctype", path)
	}
	list := get("/api/queues")
	require.Equal(t, http.StatusOK, list.StatusCode)
	require.Contains(t, list.body, `"queue":"critical"`)
	require.Contains(t, list.body, `"archived":1`)
	require.Equal(t, "no-store", list.Header.Get("Cache-Control"))
	dead := get("/api/queues/critical/archived_tasks")
	require.Contains(t, dead.body, `"id":"mail-7"`)
	require.Contains(t, dead.body, io.ErrUnexpectedEOF.Error())
}

// What an administrator sees ends with the very next call after his session, or his being one.
func TestQueuesEndWithTheSession(t *testing.T) {
	t.Parallel()
	h := serveQueues(t, queueUIRead, "")
	get := func() int {
		return h.send(t, http.MethodGet, "/api/queues", "", "Cookie", cookie(adminToken)).StatusCode
	}
	require.Equal(t, http.StatusOK, get())
	h.sessions.change(func() {
		h.sessions.by[adminToken] = &auth.Principal{Kind: auth.Session, UserID: 1, SessionID: "sess_1"}
	})
	require.Equal(t, http.StatusUnauthorized, get(), "no administrator any more")
	h.sessions.change(func() { h.sessions.by[adminToken].Admin = true })
	require.Equal(t, http.StatusOK, get())
	h.sessions.change(func() { delete(h.sessions.by, adminToken) })
	require.Equal(t, http.StatusUnauthorized, get(), "the session has ended")
}

// limits lets sessions pass and nobody else.
type limits struct{}

func (limits) Allow(_ context.Context, caller *auth.Principal) ratelimit.Decision {
	if caller.Kind == auth.Session && caller.Address.IsLoopback() {
		return ratelimit.Decision{Allowed: true}
	}
	return ratelimit.Decision{Limited: true, Limit: 100, Window: "day", RetryAfter: time.Hour}
}

func (l limits) AllowSpent(ctx context.Context, caller *auth.Principal) ratelimit.Decision {
	return l.Allow(ctx, caller)
}

func (l limits) AllowPage(ctx context.Context, caller *auth.Principal) ratelimit.Decision {
	return l.Allow(ctx, caller)
}

func (limits) GiveBack(context.Context, *auth.Principal, *ratelimit.Decision) {}

// The guard counts a request for the session that asks; one without a session counts for its address.
func TestQueueRequestsCountForTheirSession(t *testing.T) {
	t.Parallel()
	h := serveQueuesWith(t, queueUIRead, "", limits{})
	q := &queues{sessions: h.sessions, limits: newAdmission(Options{Limiter: limits{}, Clock: queuesNow}), serve: func(*fiber.Ctx) error { return nil }}
	app := fiber.New(httpapi.FiberConfig(nil))
	app.Use(func(c *fiber.Ctx) error {
		c.SetUserContext(auth.With(t.Context(), &auth.Principal{Address: netip.MustParseAddr("127.0.0.1")}))
		return c.Next()
	})
	app.All(QueuesPath, q.show)
	for token, want := range map[string]int{adminToken: http.StatusOK, userToken: http.StatusTooManyRequests, "": http.StatusTooManyRequests} {
		request := httptest.NewRequest(http.MethodGet, QueuesPath, nil)
		request.Header.Set("Cookie", cookie(token))
		got, err := app.Test(request)
		require.NoError(t, err)
		require.NoError(t, got.Body.Close())
		require.Equal(t, want, got.StatusCode)
		if want != http.StatusOK {
			require.Equal(t, "3600", got.Header.Get("Retry-After"))
		}
	}
	require.Equal(t, http.StatusTooManyRequests, h.send(t, http.MethodPost, "/login", form(adminToken), "Content-Type", formType).StatusCode)
	for path, want := range map[string]bool{
		QueuesPath: true, QueuesPath + "/": true, QueuesPath + "/api/queues": true, QueuesPath + "/login/": true,
		QueuesPath + "/login": false, QueuesPath + "x": false, "/admin": false,
	} {
		require.Equal(t, want, belowQueues(path), path)
	}
}

var changes = []struct{ method, path string }{
	{http.MethodPost, "/api/queues/critical:pause"},
	{http.MethodPost, "/api/queues/critical/archived_tasks/mail-7:run"},
	{http.MethodDelete, "/api/queues/critical/archived_tasks/mail-7"},
	{http.MethodDelete, "/api/queues/critical/archived_tasks:delete_all"},
}

func TestQueuesAreReadOnlyUnlessASettingSaysOtherwise(t *testing.T) {
	t.Parallel()
	h := serveQueues(t, "", "") // nothing set
	h.fail(t)
	for _, change := range changes {
		got := h.send(t, change.method, change.path, "", "Cookie", cookie(adminToken), "Origin", h.address, "Sec-Fetch-Site", "same-origin")
		require.Equal(t, http.StatusForbidden, got.StatusCode, change.path)
		require.Contains(t, got.body, "WEB_QUEUE_UI=write", change.path)
	}
	require.Equal(t, 1, h.dead(t))
}

// Where changes are allowed they come from the page itself: a form of another site is refused though the cookie is there.
func TestQueuesAreChangedFromTheirOwnPageOnly(t *testing.T) {
	t.Parallel()
	h := serveQueues(t, queueUIWrite, "")
	h.fail(t)
	for name, headers := range map[string][]string{
		"nothing said":   nil,
		"another site":   {"Sec-Fetch-Site", "cross-site", "Origin", h.address},
		"a sibling":      {"Sec-Fetch-Site", "same-site", "Origin", h.address},
		"another origin": {"Origin", "http://evil.example"},
		"another port":   {"Origin", "http://127.0.0.1:1"},
		"none":           {"Origin", "null"},
		"no browser's":   {"Origin", strings.TrimPrefix(h.address, "http://")},
	} {
		for _, change := range changes {
			got := h.send(t, change.method, change.path, "", append(headers, "Cookie", cookie(adminToken))...)
			require.Equal(t, http.StatusForbidden, got.StatusCode, "%s: %s", name, change.path)
		}
	}
	require.Equal(t, 1, h.dead(t))
	require.Equal(t, http.StatusNotFound, h.send(t, http.MethodPut, "/api/queues", "", "Cookie", cookie(adminToken), "Origin", h.address).StatusCode)
	page := h.send(t, http.MethodGet, "", "", "Cookie", cookie(adminToken))
	require.Contains(t, page.body, `window.FLAG_READ_ONLY="false"`)
	got := h.send(t, http.MethodDelete, "/api/queues/critical/archived_tasks/mail-7", "", "Cookie", cookie(adminToken), "Origin", h.address)
	require.Equal(t, http.StatusNoContent, got.StatusCode)
	require.Zero(t, h.dead(t))
	got = h.send(t, http.MethodPost, "/api/queues/critical:pause", "", "Cookie", cookie(adminToken), "Sec-Fetch-Site", "same-origin")
	require.Equal(t, http.StatusNoContent, got.StatusCode)
	require.Contains(t, h.log.String(), `msg="queues changed by an administrator" user_id=1 method=DELETE path=/admin/queues/api/queues/critical/archived_tasks/mail-7 status=204`)
}

func TestNewQueueUI(t *testing.T) {
	t.Parallel()
	for _, test := range [][2]string{{queueUIOff, "redis://127.0.0.1:1/0"}, {queueUIRead, ""}, {"", ""}} {
		ui, err := NewQueueUI(test[0], test[1])
		require.NoError(t, err)
		require.Nil(t, ui)
	}
	_, err := NewQueueUI("", "http://127.0.0.1")
	require.ErrorContains(t, err, "URL of Redis")
	for mode, writable := range map[string]bool{"": false, queueUIRead: false, queueUIWrite: true} {
		ui, err := NewQueueUI(mode, "unix:///tmp/none?db=3")
		require.NoError(t, err)
		require.Equal(t, writable, ui.Writable())
		require.Equal(t, QueuesPath, ui.Root())
		require.NoError(t, ui.Close())
	}
}

func TestExpiryOfTokens(t *testing.T) {
	t.Parallel()
	at, known := expiry(adminToken)
	require.True(t, known)
	require.True(t, at.Equal(queuesNow.Now().Add(15*time.Minute)))
	encode := base64.RawURLEncoding.EncodeToString
	for _, claims := range []string{"", "{}", "[]", `{"exp":"x"}`, `{"exp":-1}`, `{"exp":1e300}`, `{"exp":null}`} {
		_, known := expiry("a." + encode([]byte(claims)) + ".b")
		require.False(t, known, claims)
	}
	for _, token := range []string{"", "a.b", "a.!.c", "a.b.c.d"} {
		_, known := expiry(token)
		require.False(t, known, token)
	}
}
