package web

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/clock"
	"gpatlas/platform/jobs"
	"gpatlas/platform/ratelimit"
	"gpatlas/platform/testkit/dbtest"
)

var queuesNow = clock.Fixed(time.Date(2026, time.November, 20, 12, 0, 0, 0, time.UTC))

// running is the sessions of browsers that there are, by the secret of their cookies; the test ends them.
type running struct {
	mu   sync.Mutex
	by   map[string]*auth.Principal
	away bool
}

func (r *running) VerifyBrowser(_ context.Context, secret string) (*auth.Principal, bool, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.away {
		return nil, false, apperr.Unavailable("Sessions cannot be checked now; try again")
	}
	if p := r.by[secret]; p != nil {
		return p, secret == longSecret, nil
	}
	return nil, false, apperr.New(apperr.KindUnauthenticated, "Could not validate credentials")
}

func (r *running) change(f func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f()
}

const (
	adminSecret = "administrator-at-a-browser"
	longSecret  = "administrator-for-thirty-days"
	userSecret  = "somebody-else-at-a-browser"
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

func serveQueues(t *testing.T, mode, appURL string) *queueHost {
	t.Helper()
	return serveQueuesWith(t, mode, appURL, nil)
}

func serveQueuesWith(t *testing.T, mode, appURL string, limiter ratelimit.Limiter) *queueHost {
	t.Helper()
	h := &queueHost{redis: dbtest.RedisURL(t), log: &lockedText{}, sessions: &running{by: map[string]*auth.Principal{
		adminSecret: {Kind: auth.Session, UserID: 1, SessionID: "sess_1", Admin: true},
		longSecret:  {Kind: auth.Session, UserID: 1, SessionID: "sess_2", Admin: true},
		userSecret:  {Kind: auth.Session, UserID: 2, SessionID: "sess_3"},
	}}}
	ui, err := NewQueueUI(mode, h.redis)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, ui.Close()) })
	a, err := New(Options{
		Config:   Config{Addr: "127.0.0.1:0", AppURL: appURL, CORSOrigins: []string{"*"}, AccessLog: accessOff, BodyLimit: 1 << 20},
		Logger:   slog.New(slog.NewTextHandler(h.log, nil)),
		Clock:    queuesNow,
		Browsers: h.sessions,
		Limiter:  limiter,
		Queues:   ui,
	})
	require.NoError(t, err)
	app := a.Fiber
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
	return h.ask(t, method, QueuesPath+path, body, headers...)
}

func (h *queueHost) ask(t *testing.T, method, path, body string, headers ...string) queueAnswer {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, h.address+path, strings.NewReader(body))
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

func cookie(secret string) string { return "gpa=" + secret }

// For everybody but an administrator at a browser, whatever is sent, a path below /admin is like any unknown one.
func TestAdminPathsAreForAdministratorsOnly(t *testing.T) {
	t.Parallel()
	h := serveQueuesWith(t, queueUIWrite, "", limits{pass: true})
	for name, headers := range map[string][]string{
		"nobody":         nil,
		"a user's":       {"Cookie", cookie(userSecret)},
		"no session's":   {"Cookie", cookie("a-stranger-at-a-browser")},
		"no secret":      {"Cookie", cookie("%00;x")},
		"another cookie": {"Cookie", "session=" + adminSecret},
		"a header":       {"Authorization", "Bearer " + adminSecret},
		"an API key":     {"Authorization", "Bearer gpa_live_ABCDEFGH"},
	} {
		for _, accept := range []string{"*/*", "text/html,application/xhtml+xml,*/*;q=0.8"} {
			for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodDelete, http.MethodPut} {
				sent := slices.Concat(headers, []string{"Origin", h.address, "Accept", accept, "X-Request-ID", "same"})
				unknown := h.ask(t, method, "/unknown", "", sent...)
				for _, path := range []string{"", "/", "/queues", "/queues/", "/queues/api/queues", "/queues/static/js/main.5adda2da.chunk.js", "/queues/login", "/nothing"} {
					got := h.ask(t, method, "/admin"+path, "", sent...)
					require.Equal(t, unknown.StatusCode, got.StatusCode, "%s: %s %s", name, method, path)
					require.Equal(t, unknown.body, strings.ReplaceAll(got.body, "/admin"+path, "/unknown"), "%s: %s %s", name, method, path)
					got.Header.Set("Content-Length", unknown.Header.Get("Content-Length"))
					got.Header.Set("Date", unknown.Header.Get("Date"))
					require.Equal(t, unknown.Header, got.Header, "%s: %s %s", name, method, path)
				}
			}
		}
	}
	h.sessions.change(func() { h.sessions.away = true })
	require.Equal(t, http.StatusServiceUnavailable, h.send(t, http.MethodGet, "", "", "Cookie", cookie(adminSecret)).StatusCode)
	require.Equal(t, http.StatusNotFound, h.send(t, http.MethodGet, "", "").StatusCode)
}

// The cookie of an administrator's session is extended here as on every page.
func TestAdministratorsStaySignedIn(t *testing.T) {
	t.Parallel()
	h := serveQueues(t, queueUIRead, "")
	require.Contains(t, h.send(t, http.MethodGet, "", "", "Cookie", cookie(longSecret)).Header.Get("Set-Cookie"), "gpa="+longSecret+"; Path=/; Max-Age=2592000")
	require.Empty(t, h.send(t, http.MethodGet, "", "", "Cookie", cookie(adminSecret)).Header.Get("Set-Cookie"))
}

// An administrator gets the page, its assets and its figures, under a policy that lets nothing else load.
func TestQueuePage(t *testing.T) {
	t.Parallel()
	h := serveQueues(t, queueUIRead, "")
	h.fail(t)
	get := func(path string) queueAnswer {
		return h.send(t, http.MethodGet, path, "", "Cookie", cookie(adminSecret), "Origin", "https://evil.example")
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
		return h.send(t, http.MethodGet, "/api/queues", "", "Cookie", cookie(adminSecret)).StatusCode
	}
	require.Equal(t, http.StatusOK, get())
	h.sessions.change(func() {
		h.sessions.by[adminSecret] = &auth.Principal{Kind: auth.Session, UserID: 1, SessionID: "sess_1"}
	})
	require.Equal(t, http.StatusNotFound, get(), "no administrator any more")
	h.sessions.change(func() { h.sessions.by[adminSecret].Admin = true })
	require.Equal(t, http.StatusOK, get())
	h.sessions.change(func() { delete(h.sessions.by, adminSecret) })
	require.Equal(t, http.StatusNotFound, get(), "the session has ended")
}

// limits is a limiter that allows all requests if pass is set, and otherwise only those of sessions.
type limits struct{ pass bool }

func (l limits) Allow(_ context.Context, caller *auth.Principal) ratelimit.Decision {
	if l.pass {
		return ratelimit.Decision{Allowed: true, Limited: true, Limit: 100, Remaining: 50 + caller.UserID}
	}
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

func (limits) Weigh(context.Context, *auth.Principal, *ratelimit.Decision, int64) {}

func (limits) GiveBack(context.Context, *auth.Principal, *ratelimit.Decision) {}

// A request counts for the session of the administrator; one without counts for its address.
func TestQueueRequestsCountForTheirSession(t *testing.T) {
	t.Parallel()
	h := serveQueuesWith(t, queueUIRead, "", limits{})
	for secret, want := range map[string]int{adminSecret: http.StatusOK, userSecret: http.StatusTooManyRequests, "": http.StatusTooManyRequests} {
		got := h.send(t, http.MethodGet, "", "", "Cookie", cookie(secret))
		require.Equal(t, want, got.StatusCode)
		if want != http.StatusOK {
			require.Equal(t, "3600", got.Header.Get("Retry-After"))
		}
	}
	for path, want := range map[string]bool{"/admin": true, QueuesPath: true, QueuesPath + "/api/queues": true, "/admins": false, "/v1/admin": false} {
		require.Equal(t, want, belowAdmin(path), path)
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
		got := h.send(t, change.method, change.path, "", "Cookie", cookie(adminSecret), "Origin", h.address, "Sec-Fetch-Site", "same-origin")
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
			got := h.send(t, change.method, change.path, "", append(headers, "Cookie", cookie(adminSecret))...)
			require.Equal(t, http.StatusForbidden, got.StatusCode, "%s: %s", name, change.path)
		}
	}
	require.Equal(t, 1, h.dead(t))
	require.Equal(t, http.StatusNotFound, h.send(t, http.MethodPut, "/api/queues", "", "Cookie", cookie(adminSecret), "Origin", h.address).StatusCode)
	page := h.send(t, http.MethodGet, "", "", "Cookie", cookie(adminSecret))
	require.Contains(t, page.body, `window.FLAG_READ_ONLY="false"`)
	got := h.send(t, http.MethodDelete, "/api/queues/critical/archived_tasks/mail-7", "", "Cookie", cookie(adminSecret), "Origin", h.address)
	require.Equal(t, http.StatusNoContent, got.StatusCode)
	require.Zero(t, h.dead(t))
	got = h.send(t, http.MethodPost, "/api/queues/critical:pause", "", "Cookie", cookie(adminSecret), "Sec-Fetch-Site", "same-origin")
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
