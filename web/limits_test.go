package web_test

import (
	"context"
	"io"
	"maps"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/console"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
	"gpatlas/platform/ratelimit"
	"gpatlas/platform/testkit/chargetest"
	"gpatlas/platform/testkit/httpapitest"
	templates "gpatlas/templates/console"
	"gpatlas/web/webtest"
)

// limiter decides by a function and remembers who was asked about.
type limiter struct {
	decide func(caller *auth.Principal) ratelimit.Decision

	mu    sync.Mutex
	asked []auth.Principal
	spent int // of them, by AllowSpent
	pages int // of them, by AllowPage
	given []auth.Principal
}

// AllowSpent lets those pass whom the day alone refuses.
func (l *limiter) AllowSpent(ctx context.Context, caller *auth.Principal) ratelimit.Decision {
	d := l.Allow(ctx, caller)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.spent++
	d.Allowed = d.Allowed || d.Window == "day"
	return d
}

// AllowPage lets those pass whom the day alone refuses: pages have none.
func (l *limiter) AllowPage(ctx context.Context, caller *auth.Principal) ratelimit.Decision {
	d := l.Allow(ctx, caller)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.pages++
	if !d.Allowed && d.Window == "day" {
		return endless(caller)
	}
	return d
}

// GiveBack remembers who got something back, and gives it.
func (l *limiter) GiveBack(_ context.Context, caller *auth.Principal, d *ratelimit.Decision) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.given = append(l.given, *caller)
	d.Remaining++
}

// Weigh lets pass what weighs less than 10.
func (l *limiter) Weigh(_ context.Context, _ *auth.Principal, d *ratelimit.Decision, weight int64) {
	*d = full(nil)
	if d.Weight = weight; weight < 10 {
		*d = plenty(nil)
		d.Remaining -= weight - 1
	}
}

func (l *limiter) Allow(_ context.Context, caller *auth.Principal) ratelimit.Decision {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.asked = append(l.asked, *caller)
	return l.decide(caller)
}

// callers are those that it was asked about since the last time.
func (l *limiter) callers() []auth.Principal {
	l.mu.Lock()
	defer l.mu.Unlock()
	asked := l.asked
	l.asked = nil
	return asked
}

// windows are those of the tier starter, as the test's clock finds them.
var windows = []ratelimit.Policy{
	{Name: "burst", Quota: 10, Seconds: 5, Remaining: 9, Reset: 5},
	{Name: "minute", Quota: 60, Seconds: 60, Remaining: 41, Reset: 60},
	{Name: "day", Quota: 100, Seconds: 86400, Remaining: 73, Reset: 43200},
}

var midnight = time.Date(2026, time.November, 21, 0, 0, 0, 0, time.UTC)

func plenty(*auth.Principal) ratelimit.Decision {
	return ratelimit.Decision{Allowed: true, Counted: true, Limited: true, Limit: 100, Remaining: 73, Reset: midnight, Policies: windows}
}

func endless(*auth.Principal) ratelimit.Decision {
	return ratelimit.Decision{Allowed: true, Reset: midnight, Policies: windows[:2]}
}

// full refuses for the day.
func full(*auth.Principal) ratelimit.Decision {
	spent := append([]ratelimit.Policy(nil), windows...)
	spent[2].Remaining = 0
	return ratelimit.Decision{Limited: true, Limit: 100, Remaining: -3, Reset: midnight, Policies: spent, Window: "day", RetryAfter: 12 * time.Hour}
}

// The sender of signed bodies is not limited: it has one address and sends more than an anonymous caller may.
func TestSignedBodiesAreNotLimited(t *testing.T) {
	t.Parallel()
	h, l := limited(t, full)
	h.Do(t, httpapitest.Scenario{Path: "/v1/public", Status: 429})
	require.Len(t, l.callers(), 1)
	for range 3 {
		h.Do(t, httpapitest.Scenario{Method: "POST", Path: "/v1/signature", Body: `{"text":"x"}`, WantHeader: map[string]string{"X-RateLimit-Limit": "unlimited"}})
	}
	require.Empty(t, l.callers())
}

// Operations that are declared so look at neither limits nor credentials, also where their path has a parameter.
func TestUnguardedPathsWithParameters(t *testing.T) {
	t.Parallel()
	options := guardedOptions(t)
	l := &limiter{decide: full}
	options.Limiter, options.Config.AccessPolicy = l, "keyed"
	always := func(context.Context, *struct {
		ID string `path:"id"`
	},
	) (*httpapi.Reply[seen], error) {
		return &httpapi.Reply[seen]{}, nil
	}
	options.Manifests = append(options.Manifests, module.New("pixels", module.Part{Routes: []httpapi.Route{
		httpapi.Get("/v1/pixel/{id}.png", "pixel", always, httpapi.Unguarded(), httpapi.Volatile()),
	}}))
	h := hostOf(t, options)
	for _, path := range []string{"/v1/pixel/a.png", "/v1/pixel/a.b.png", "/v1/pixel/%2f.png"} {
		got := fetch(t, h, path, "Authorization", "Bearer wrong")
		require.Equal(t, 200, got.Status, path)
		require.Equal(t, "unlimited", got.Header.Get("X-RateLimit-Limit"), path)
	}
	require.Empty(t, l.callers())
	for _, path := range []string{"/v1/pixel/.png", "/v1/pixel/a", "/v1/pixel/a/b.png", "/v1/pixels/a.png"} {
		require.Equal(t, 429, fetch(t, h, path).Status, path)
	}
}

var limitHeaders = []string{"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "RateLimit-Policy", "RateLimit"}

func limited(t *testing.T, decide func(*auth.Principal) ratelimit.Decision) (*httpapitest.Host, *limiter) {
	t.Helper()
	options := guardedOptions(t)
	options.Manifests = append(options.Manifests, (&fake{}).manifest(), module.New("limits", module.Part{Routes: []httpapi.Route{
		httpapi.Get("/v1/used", "used", whoami, httpapi.Grant(httpapi.Key), httpapi.BeyondDay()),
		httpapi.Get("/v1/own-limit", "own-limit", func(context.Context, *struct{}) (*httpapi.Reply[item], error) {
			return nil, apperr.New(apperr.KindRateLimited, "Too often")
		}),
		httpapi.Get("/v1/{place}/verify", "verify-place", func(context.Context, *struct {
			Place string `path:"place"`
		},
		) (*httpapi.Reply[seen], error) {
			return &httpapi.Reply[seen]{}, nil
		}, httpapi.AlwaysOpen()),
	}, Pages: []console.Page{
		{Method: http.MethodGet, Path: "/about", Load: func(context.Context, *console.Request) (console.View, error) {
			return console.View{Title: "About", Body: templates.ErrorPage, Data: "x"}, nil
		}},
		{Method: http.MethodGet, Path: "/mine", Access: console.SignedIn},
	}}))
	l := &limiter{decide: decide}
	options.Limiter = l
	return hostOf(t, options), l
}

// Every answer says what is left, also those that fail; the service's own operations and the internal pages do not.
func TestWhereLimitsAreShown(t *testing.T) {
	t.Parallel()
	h, l := limited(t, plenty)
	tag := fetch(t, h, "/v1/public").Header.Get("ETag")
	want := map[string]string{
		"X-RateLimit-Limit": "100", "X-RateLimit-Remaining": "73", "X-RateLimit-Reset": "1795219200",
		"RateLimit-Policy": `"burst";q=10;w=5, "minute";q=60;w=60, "day";q=100;w=86400`,
		"RateLimit":        `"burst";r=9;t=5, "minute";r=41;t=60, "day";r=73;t=43200`,
	}
	for name, s := range map[string]httpapitest.Scenario{
		"good":            {Path: "/v1/public"},
		"HEAD":            {Method: "HEAD", Path: "/v1/public"},
		"created":         {Method: "POST", Path: "/v1/public", Body: `{"text":"x"}`},
		"not modified":    {Path: "/v1/public", Header: map[string]string{"If-None-Match": tag}, Status: 304},
		"bad parameter":   {Path: "/v1/public?x=1", Status: 400},
		"bad body":        {Method: "POST", Path: "/v1/public", Body: `{`, Status: 400},
		"needs a session": {Path: "/v1/login", Status: 401},
		"wrong key":       {Path: "/v1/public", Status: 401, Header: map[string]string{"Authorization": "Bearer gpa_x"}},
		"not allowed":     {Path: "/v1/login", Status: 403, Header: map[string]string{"Authorization": "Bearer " + aKey}},
		"unknown path":    {Path: "/v1/nope", Status: 404},
		"outside":         {Path: "/nope", Status: 404},
		"other verb":      {Method: "DELETE", Path: "/v1/public", Status: 405},
		"OPTIONS":         {Method: "OPTIONS", Path: "/v1/public", Status: 204},
		"failure":         {Path: "/v1/fail", Status: 500},
		"panic":           {Path: "/v1/panic", Status: 500},
	} {
		s.WantHeader = maps.Clone(want)
		if s.Status == http.StatusNotModified { // it has taken nothing from the day
			s.WantHeader["X-RateLimit-Remaining"] = "74"
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h.Do(t, s)
		})
	}
	for _, path := range []string{"/docs", "/openapi.json", "/llms.txt", "/docs/start.js"} {
		require.Equal(t, "100", fetch(t, h, path).Header.Get("X-RateLimit-Limit"), path)
	}
	require.NotEmpty(t, l.callers())
	for _, path := range []string{"/", "/health", "/status", "/_internal/metrics", "/_internal/nope", "/_internal"} {
		got := fetch(t, h, path, "Authorization", "Bearer "+aKey)
		for _, name := range limitHeaders {
			require.Empty(t, got.Header.Get(name), "%s %s", path, name)
		}
	}
	require.Empty(t, l.callers(), "they are not counted")
}

// A caller without a daily limit reads "unlimited"; windows that count are shown all the same.
func TestUnlimited(t *testing.T) {
	t.Parallel()
	h, _ := limited(t, endless)
	h.Do(t, httpapitest.Scenario{Path: "/v1/public", WantHeader: map[string]string{
		"X-RateLimit-Limit": "unlimited", "X-RateLimit-Remaining": "unlimited", "X-RateLimit-Reset": "1795219200",
		"RateLimit-Policy": `"burst";q=10;w=5, "minute";q=60;w=60`, "RateLimit": `"burst";r=9;t=5, "minute";r=41;t=60`,
	}})
	bare, _ := limited(t, func(*auth.Principal) ratelimit.Decision { return ratelimit.Decision{Allowed: true} })
	bare.Do(t, httpapitest.Scenario{Path: "/v1/public", WantHeader: map[string]string{
		"X-RateLimit-Limit": "unlimited", "X-RateLimit-Reset": "1795219200", "RateLimit-Policy": "", "RateLimit": "",
	}})
}

// Where no limits apply the headers say so.
func TestNoLimits(t *testing.T) {
	t.Parallel()
	switchedOff, l := limited(t, func(*auth.Principal) ratelimit.Decision { return ratelimit.Decision{None: true} })
	for _, h := range []*httpapitest.Host{switchedOff, webtest.Host(t, guarded())} {
		h.Do(t, httpapitest.Scenario{Path: "/v1/public", WantHeader: map[string]string{
			"X-RateLimit-Limit": "unlimited", "X-RateLimit-Remaining": "unlimited", "X-RateLimit-Reset": "1795219200",
			"RateLimit-Policy": "", "RateLimit": "", "Retry-After": "",
		}})
	}
	require.Len(t, l.callers(), 1)
	for path, status := range map[string]int{"/about": 200, "/mine": 303, templates.Style.Path: 200, "/docs": 200, "/admin/queues/api": 404} {
		got := fetch(t, switchedOff, path)
		require.Equal(t, status, got.Status, path)
		require.Equal(t, []string{"unlimited", "unlimited", "1795219200"},
			[]string{got.Header.Get("X-RateLimit-Limit"), got.Header.Get("X-RateLimit-Remaining"), got.Header.Get("X-RateLimit-Reset")}, path)
	}
}

// An operation may count its request as several: the headers show what is left then, and a refusal has the number.
func TestHeavyRequests(t *testing.T) {
	t.Parallel()
	options := guardedOptions(t)
	options.Manifests = append(options.Manifests, module.New("heavy", module.Part{Routes: []httpapi.Route{
		httpapi.Get("/v1/heavy/{weight}", "get-heavy", func(ctx context.Context, in *struct {
			Weight int64 `path:"weight"`
		},
		) (*httpapi.Reply[seen], error) {
			return &httpapi.Reply[seen]{}, ratelimit.Weigh(ctx, in.Weight)
		}),
	}}))
	options.Limiter = &limiter{decide: func(caller *auth.Principal) ratelimit.Decision {
		d := plenty(caller)
		d.Weight = 1
		return d
	}}
	h := hostOf(t, options)
	for path, remaining := range map[string]string{"/v1/heavy/1": "73", "/v1/heavy/5": "69"} {
		h.Do(t, httpapitest.Scenario{Path: path, WantHeader: map[string]string{"X-RateLimit-Remaining": remaining}})
	}
	const sentence = "Rate limit exceeded: 100 requests per day, and this request counts as 20; the limit resets at 2026-11-21T00:00:00Z"
	h.Do(t, httpapitest.Scenario{
		Path: "/v1/heavy/20", Status: http.StatusTooManyRequests, Contains: []string{`"detail":"` + sentence + `"`, `"code":"rate_limit_exceeded"`, `"message":"` + sentence + `"`},
		WantHeader: map[string]string{"X-RateLimit-Limit": "100", "X-RateLimit-Remaining": "0", "Retry-After": "43200"},
	})
	options.Limiter = &limiter{decide: endless} // which weighs nothing
	hostOf(t, options).Do(t, httpapitest.Scenario{Path: "/v1/heavy/20"})
}

// The refusal, to the letter.
func TestRefusal(t *testing.T) {
	t.Parallel()
	h, _ := limited(t, full)
	h.Do(t, httpapitest.Scenario{
		Path: "/v1/public", Status: 429, Header: map[string]string{"X-Request-ID": "req-9", "Authorization": "Bearer " + aKey, "Origin": "https://x.example"},
		WantJSON: `{
			"detail": "Rate limit exceeded: 100 requests per day; the limit resets at 2026-11-21T00:00:00Z",
			"error": {
				"type": "rate_limit_error", "code": "rate_limit_exceeded", "request_id": "req-9", "doc_url": "/docs",
				"message": "Rate limit exceeded: 100 requests per day; the limit resets at 2026-11-21T00:00:00Z"
			}
		}`,
		WantHeader: map[string]string{
			"Retry-After": "43200", "X-RateLimit-Limit": "100", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1795219200",
			"RateLimit-Policy": `"burst";q=10;w=5, "minute";q=60;w=60, "day";q=100;w=86400`,
			"RateLimit":        `"burst";r=9;t=5, "minute";r=41;t=60, "day";r=0;t=43200`,
			"Content-Type":     "application/json", "Cache-Control": "no-store", "X-Request-ID": "req-9", "X-Content-Type-Options": "nosniff",
			"Access-Control-Allow-Origin": "*", "ETag": "", "WWW-Authenticate": "",
		},
	})
	for _, s := range []httpapitest.Scenario{
		{Path: "/v1/nope"},
		{Path: "/v1/login"},
		{Path: "/v1/public?x=1"},
		{Method: "POST", Path: "/v1/public", Body: `{`},
		{Path: "/v1/public", Header: map[string]string{"Authorization": "Bearer gpa_wrong"}}, // a guess is limited, and tells nothing
	} {
		s.Status, s.Contains, s.WantHeader = 429, []string{`"code":"rate_limit_exceeded"`}, map[string]string{"WWW-Authenticate": "", "Retry-After": "43200"}
		h.Do(t, s)
	}
	h.Do(t, httpapitest.Scenario{Path: "/health"})
}

// The sentence speaks of the window that is full; a wait is rounded up, never to nothing.
func TestRefusalNamesTheWindow(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		window, want, after string
		wait                time.Duration
	}{
		{"burst", "10 requests per 5 seconds; the limit resets at 2026-11-20T12:00:03Z", "3", 2001 * time.Millisecond},
		{"minute", "60 requests per minute; the limit resets at 2026-11-20T12:00:41Z", "41", 41 * time.Second},
		{"day", "100 requests per day; the limit resets at 2026-11-21T00:00:00Z", "43200", 12 * time.Hour},
		{"other", "100 requests per day; the limit resets at 2026-11-21T00:00:00Z", "1", time.Nanosecond},
		{"burst", "10 requests per 5 seconds; the limit resets at 2026-11-20T12:00:00Z", "1", 0},
	} {
		h, _ := limited(t, func(caller *auth.Principal) ratelimit.Decision {
			d := full(caller)
			d.Window, d.RetryAfter = test.window, test.wait
			return d
		})
		h.Do(t, httpapitest.Scenario{
			Path: "/v1/public", Status: 429, Contains: []string{`{"detail":"Rate limit exceeded: ` + test.want + `"`}, WantHeader: map[string]string{"Retry-After": test.after},
		})
	}
}

// Refused requests do no work: neither the operation nor, for what is charged, the meter is reached.
func TestRefusedRequestsAreNotServed(t *testing.T) {
	t.Parallel()
	meter, counted := &chargetest.Meter{}, &counter{}
	options := webtest.Options(t, paid())
	options.Meter, options.Limiter, options.Keys, options.Recorder = meter, &limiter{decide: full}, credentials(), counted
	hostOf(t, options).Do(t, httpapitest.Scenario{
		Path: "/v1/paid", Status: 429, Header: map[string]string{"Authorization": "Bearer " + aKey}, WantHeader: map[string]string{"X-Charge": "0.00"},
	})
	require.Empty(t, meter.Asked())
	require.Len(t, counted.used, 1)
	require.Equal(t, 429, counted.used[0].Status)
}

// Keys and sessions are counted as what they are; all others, and wrong credentials, by address.
func TestWhoIsLimited(t *testing.T) {
	t.Parallel()
	h, l := limited(t, plenty)
	known := credentials()
	for _, test := range []struct {
		credential string
		want       *auth.Principal
	}{
		{"", &auth.Principal{}},
		{"gpa_live_wrong", &auth.Principal{}},
		{"wrong", &auth.Principal{}},
		{aKey, known[aKey]},
		{aToken, known[aToken]},
	} {
		headers := []string{}
		if test.credential != "" {
			headers = []string{"Authorization", "Bearer " + test.credential}
		}
		fetch(t, h, "/v1/public", headers...)
		want, asked := *test.want, l.callers()
		require.Len(t, asked, 1)
		want.Address = asked[0].Address
		require.True(t, want.Address.IsValid())
		require.Equal(t, want, asked[0])
	}
}

// Who says that he asks for another is believed only if he is a trusted proxy.
func TestForwardedAddressesOfStrangersAreIgnored(t *testing.T) {
	t.Parallel()
	for proxy, want := range map[string]string{"": "127.0.0.1", "192.0.2.1": "127.0.0.1", "127.0.0.1": "198.51.100.9"} {
		l := &limiter{decide: plenty}
		options := guardedOptions(t)
		options.Limiter = l
		if proxy != "" {
			options.Config.TrustedProxies = []string{proxy}
		}
		address := webtest.Serve(t, webtest.App(t, options))
		for _, spoofed := range []string{"198.51.100.9", "203.0.113.5, 198.51.100.9", "unknown, 198.51.100.9"} {
			require.Equal(t, 200, ask(t, address+"/v1/public", "X-Forwarded-For", spoofed, "Forwarded", "for=203.0.113.7", "X-Real-Ip", "203.0.113.8").Status)
		}
		asked := l.callers()
		require.Len(t, asked, 3)
		for _, caller := range asked {
			require.Equal(t, want, caller.Address.String(), "proxy %q", proxy)
		}
	}
}

// A browser's question whether it may ask is neither verified nor counted, and pages may read the limits.
func TestPreflightIsFree(t *testing.T) {
	t.Parallel()
	h, l := limited(t, full)
	got := h.Do(t, httpapitest.Scenario{Method: "OPTIONS", Path: "/v1/login", Status: 204, Header: map[string]string{
		"Origin": "https://x.example", "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization", "Authorization": "Bearer wrong",
	}})
	require.Empty(t, l.callers())
	for _, name := range []string{"Authorization", "Idempotency-Key", "X-Session-ID"} {
		require.Contains(t, strings.Split(got.Header.Get("Access-Control-Allow-Headers"), ", "), name)
	}
	refused := fetch(t, h, "/v1/public", "Origin", "https://x.example")
	for _, name := range append(limitHeaders, "Retry-After", "WWW-Authenticate", "X-Request-ID") {
		require.Contains(t, strings.Split(refused.Header.Get("Access-Control-Expose-Headers"), ", "), name)
	}
}

// Requests that are refused before they are read to the end count for their address too.
func TestUnreadableRequestsCount(t *testing.T) {
	t.Parallel()
	for want, decide := range map[int]func(*auth.Principal) ratelimit.Decision{413: plenty, 429: full} {
		options := guardedOptions(t)
		l := &limiter{decide: decide}
		options.Limiter, options.Config.BodyLimit = l, 1000
		address := webtest.Serve(t, webtest.App(t, options))
		response := raw(t, address, "POST /v1/public HTTP/1.1\r\nHost: x\r\nContent-Length: 1001\r\n\r\n"+strings.Repeat("x", 1001))
		body, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		require.Equal(t, want, response.StatusCode, string(body))
		require.Equal(t, "100", response.Header.Get("X-RateLimit-Limit"))
		asked := l.callers()
		require.Len(t, asked, 1)
		require.Equal(t, "127.0.0.1", asked[0].Address.String())
	}
}

// The address of the documentation is the service's public one, where that is known.
func TestRefusalPointsAtTheDocumentation(t *testing.T) {
	t.Parallel()
	options := guardedOptions(t)
	options.Config.PublicURL, options.Limiter = "https://api.example.com/", &limiter{decide: full}
	got := fetch(t, hostOf(t, options), "/v1/public")
	require.Equal(t, http.StatusTooManyRequests, got.Status)
	require.Contains(t, got.Body, `"doc_url":"https://api.example.com/docs"`)
}

// Who is refused reads a number of what is left, also where his day has no limit: the headers then speak of the window that
// refuses.
func TestRefusalsSayANumber(t *testing.T) {
	t.Parallel()
	refused := func(window string, wait time.Duration) func(*auth.Principal) ratelimit.Decision {
		return func(caller *auth.Principal) ratelimit.Decision {
			d := endless(caller)
			d.Allowed, d.Window, d.RetryAfter = false, window, wait
			return d
		}
	}
	for _, test := range []struct {
		window       string
		wait         time.Duration
		limit, reset string
	}{
		{"burst", 3 * time.Second, "10", "1795176003"},
		{"minute", 41*time.Second + time.Millisecond, "60", "1795176042"},
		{"other", time.Second, "unlimited", "1795219200"},
	} {
		h, _ := limited(t, refused(test.window, test.wait))
		h.Do(t, httpapitest.Scenario{Path: "/v1/public", Status: 429, WantHeader: map[string]string{
			"X-RateLimit-Limit": test.limit, "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": test.reset,
		}})
	}
	// An operation with a limit of its own refuses as well.
	own, _ := limited(t, endless)
	own.Do(t, httpapitest.Scenario{Path: "/v1/own-limit", Status: 429, WantHeader: map[string]string{
		"X-RateLimit-Limit": "unlimited", "X-RateLimit-Remaining": "0",
	}})
}

// An unchanged answer takes nothing from the day of whoever asked; every other answer does.
func TestUnchangedAnswersAreGivenBack(t *testing.T) {
	t.Parallel()
	h, l := limited(t, plenty)
	tag := fetch(t, h, "/v1/public").Header.Get("ETag")
	page := fetch(t, h, "/docs").Header.Get("ETag")
	require.NotEmpty(t, page)
	for _, s := range []httpapitest.Scenario{
		{Path: "/v1/public", Header: map[string]string{"If-None-Match": `"other"`}},
		{Path: "/v1/public?x=1", Header: map[string]string{"If-None-Match": tag}, Status: 400},
		{Path: "/v1/nope", Header: map[string]string{"If-None-Match": "*"}, Status: 404},
	} {
		s.WantHeader = map[string]string{"X-RateLimit-Remaining": "73"}
		h.Do(t, s)
	}
	require.Empty(t, l.given)
	for _, s := range []httpapitest.Scenario{
		{Path: "/v1/public", Header: map[string]string{"If-None-Match": tag}},
		{Method: "HEAD", Path: "/v1/public", Header: map[string]string{"If-None-Match": tag}},
		{Path: "/v1/public", Header: map[string]string{"If-None-Match": "*", "Authorization": "Bearer " + aKey}},
		{Path: "/docs", Header: map[string]string{"If-None-Match": page}},
	} {
		s.Status, s.WantHeader = 304, map[string]string{"X-RateLimit-Remaining": "74", "RateLimit": `"burst";r=9;t=5, "minute";r=41;t=60, "day";r=73;t=43200`}
		h.Do(t, s)
	}
	require.Len(t, l.given, 4)
	require.Equal(t, auth.Key, l.given[2].Kind)

	for _, decide := range []func(*auth.Principal) ratelimit.Decision{
		endless, // nothing is counted by the day
		func(c *auth.Principal) ratelimit.Decision { d := plenty(c); d.Counted = false; return d }, // Redis was unavailable
		func(*auth.Principal) ratelimit.Decision { return ratelimit.Decision{None: true} },
	} {
		h, l := limited(t, decide)
		h.Do(t, httpapitest.Scenario{Path: "/v1/public", Header: map[string]string{"If-None-Match": tag}, Status: 304})
		require.Empty(t, l.given)
	}
}

// What tells a caller how much he has used answers when his day is used up; the shorter windows hold there too, and whoever
// has no valid credential is refused as everywhere.
func TestBeyondTheDay(t *testing.T) {
	t.Parallel()
	h, l := limited(t, full)
	as := func(credential string) map[string]string {
		return map[string]string{"Authorization": "Bearer " + credential}
	}
	for _, credential := range []string{aKey, aToken} {
		h.Do(t, httpapitest.Scenario{Path: "/v1/used", Header: as(credential), WantHeader: map[string]string{"X-RateLimit-Limit": "100", "X-RateLimit-Remaining": "0"}})
		h.Do(t, httpapitest.Scenario{Method: "HEAD", Path: "/v1/used", Header: as(credential)})
		h.Do(t, httpapitest.Scenario{Path: "/v1/public", Header: as(credential), Status: 429})
	}
	require.Equal(t, 4, l.spent)
	h.Do(t, httpapitest.Scenario{Path: "/v1/used", Header: as("gpa_live_wrong"), Status: 429})
	h.Do(t, httpapitest.Scenario{Path: "/v1/used", Status: 429})
	require.Equal(t, 4, l.spent)
	busy, _ := limited(t, func(caller *auth.Principal) ratelimit.Decision {
		d := full(caller)
		d.Window = "minute"
		return d
	})
	busy.Do(t, httpapitest.Scenario{Path: "/v1/used", Header: as(aKey), Status: 429})

	early, l := limited(t, plenty) // it does not use up the day either
	early.Do(t, httpapitest.Scenario{Path: "/v1/used", Header: as(aKey), WantHeader: map[string]string{"X-RateLimit-Remaining": "74"}})
	require.Len(t, l.given, 1)
	early.Do(t, httpapitest.Scenario{Path: "/v1/used?x=1", Header: as(aKey), Status: 400, WantHeader: map[string]string{"X-RateLimit-Remaining": "73"}})
	require.Len(t, l.given, 1)
}

// Pages, documents and what is always open have limits of their own: a day that the data have used up refuses none of them,
// and none of them takes anything from it. A flood of them is refused, and a guess at a credential counts as everywhere.
func TestPagesHaveTheirOwnLimits(t *testing.T) {
	t.Parallel()
	h, l := limited(t, full)
	open := []httpapitest.Scenario{
		{Path: "/docs"},
		{Path: "/docs", Header: map[string]string{"Authorization": "Bearer " + aKey}},
		{Path: "/docs", Header: map[string]string{"Authorization": "Bearer expired"}},
		{Path: "/docs/start.js"},
		{Path: "/docs/scalar.js"},
		{Path: "/openapi.json"},
		{Path: "/openapi.yaml"},
		{Path: "/llms.txt"},
		{Path: "/about"},
		{Path: "/favicon.ico", Status: 404},
		{Path: "/v1/legal/terms"},
		{Path: "/v1/legal/entity-info", Header: map[string]string{"Authorization": "Bearer " + aKey}},
		{Path: "/v1/open"},
		{Method: "POST", Path: "/v1/open", Body: `{"text":"x"}`},
		{Method: "POST", Path: "/v1/open", Body: `{`, Status: 400},
		{Path: "/v1/town/verify"},
	}
	for i, s := range open {
		s.WantHeader = map[string]string{"X-RateLimit-Limit": "unlimited", "RateLimit-Policy": `"burst";q=10;w=5, "minute";q=60;w=60`}
		h.Do(t, s)
		require.Equal(t, i+1, l.pages, s.Path)
	}
	for _, s := range []httpapitest.Scenario{
		{Path: "/v1/public"},
		{Path: "/v1/open", Header: map[string]string{"Authorization": "Bearer gpa_live_wrong"}},
		{Path: "/nope", Header: map[string]string{"Authorization": "Bearer gpa_live_wrong"}},
		{Path: "/v1/town/verify/x"},
		{Path: "/v1/legal"},
	} {
		s.Status = 429
		h.Do(t, s)
	}
	require.Equal(t, len(open), l.pages)

	flood, _ := limited(t, func(caller *auth.Principal) ratelimit.Decision {
		d := endless(caller)
		d.Allowed, d.Window, d.RetryAfter = false, "burst", time.Second
		return d
	})
	for _, s := range open {
		got := fetch(t, flood, s.Path)
		require.Equal(t, 429, got.Status, s.Path)
		require.Equal(t, "1", got.Header.Get("Retry-After"), s.Path)
	}
}
