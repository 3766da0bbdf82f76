package web_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/module"
	"gpatlas/platform/testkit/httpapitest"
	"gpatlas/web"
	"gpatlas/web/webtest"
)

const token = "a-token-of-the-operator"

// internalHost serves an app with internal pages on an address of their own and gives both addresses.
func internalHost(t *testing.T, options web.Options) (public, internal string) {
	t.Helper()
	options.Config.InternalAddr = "127.0.0.1:0"
	server := web.NewServer(webtest.App(t, options))
	require.NoError(t, server.Start(t.Context()))
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), time.Minute) // the test is over by now
		defer cancel()
		require.NoError(t, server.Stop(ctx))
	})
	return "http://" + server.Addr(), "http://" + server.InternalAddr()
}

var internalPages = []string{"/_internal/metrics", "/_internal/ready", "/_internal/pprof", "/_internal/pprof/goroutine", "/_internal/pprof/cmdline"}

// On the public address the internal pages are there for the token's holders alone, not for an address: whoever comes
// through a proxy on this machine comes from here.
func TestInternalPagesOnThePublicAddress(t *testing.T) {
	t.Parallel()
	options := webtest.Options(t)
	options.Config.InternalToken, options.Config.TrustedProxies = token, []string{"127.0.0.1"}
	options.Limiter = &limiter{decide: full}
	address, _ := internalHost(t, options)
	port := address[len("http://127.0.0.1"):]
	for name, test := range map[string]struct {
		headers []string
		status  int
	}{
		"this machine":            {nil, 404},
		"this machine by name":    {[]string{"Host", "localhost" + port}, 404},
		"passed on for here":      {[]string{"X-Forwarded-For", "127.0.0.1"}, 404},
		"passed on for here, v6":  {[]string{"X-Forwarded-For", "::1"}, 404},
		"passed on for nobody":    {[]string{"X-Forwarded-For", "rubbish"}, 404},
		"the token":               {[]string{"Authorization", "Bearer " + token}, 200},
		"passed on with it":       {[]string{"X-Forwarded-For", "203.0.113.9", "Authorization", "Bearer " + token}, 200},
		"another token":           {[]string{"Authorization", "Bearer " + token + "x"}, 404},
		"an empty token":          {[]string{"Authorization", "Bearer "}, 404},
		"the token as basic":      {[]string{"Authorization", "Basic " + token}, 404},
		"from a page":             {[]string{"Origin", "https://x.example"}, 404},
		"from a page, with token": {[]string{"Origin", "https://x.example", "Authorization", "Bearer " + token}, 200},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, page := range internalPages {
				got := ask(t, address+page, test.headers...)
				require.Equal(t, test.status, got.Status, page)
				if test.status == 404 {
					require.JSONEq(t, `{"detail":"There is no `+page+`; see /openapi.json for every operation"}`, got.Body)
				}
				requirePrivate(t, got)
			}
		})
	}
}

// requirePrivate holds an answer below /_internal to what no such answer has: rate headers, and words for other origins.
func requirePrivate(t *testing.T, got httpapitest.Response) {
	t.Helper()
	for _, name := range append([]string{"Access-Control-Allow-Origin", "Access-Control-Expose-Headers", "Access-Control-Allow-Methods", "Retry-After"}, limitHeaders...) {
		require.Empty(t, got.Header.Values(name), name)
	}
	require.Equal(t, "nosniff", got.Header.Get("X-Content-Type-Options"))
}

// Not even requests that are refused before they are read, or preflights, get other headers there.
func TestInternalPagesSayNothingToOtherOrigins(t *testing.T) {
	t.Parallel()
	options := webtest.Options(t)
	options.Config.BodyLimit, options.Limiter = 1000, &limiter{decide: full}
	address := webtest.Serve(t, webtest.App(t, options))
	for request, status := range map[string]int{
		"OPTIONS /_internal/metrics HTTP/1.1\r\nHost: x\r\nOrigin: https://x.example\r\nAccess-Control-Request-Method: GET\r\n\r\n": 404,
		"POST /_internal/ready HTTP/1.1\r\nHost: x\r\nOrigin: https://x.example\r\nContent-Length: 1001\r\n\r\n":                    413,
		"GET /_internal HTTP/1.1\r\nHost: x\r\nOrigin: https://x.example\r\n\r\n":                                                   404,
	} {
		response := raw(t, address, request)
		require.NoError(t, response.Body.Close())
		require.Equal(t, status, response.StatusCode)
		requirePrivate(t, httpapitest.Response{Header: response.Header})
	}
}

func TestInternalPagesWithoutToken(t *testing.T) {
	t.Parallel()
	h := webtest.Host(t)
	for _, credential := range []string{"", "Bearer ", "Bearer x"} {
		h.Do(t, httpapitest.Scenario{Path: "/_internal/ready", Header: map[string]string{"Authorization": credential}, Status: 404})
	}
}

// On their own address they need no token; there is nothing else, and a browser here reads nothing by somebody's name.
func TestInternalAddress(t *testing.T) {
	t.Parallel()
	public, internal := internalHost(t, webtest.Options(t, (&fake{}).manifest()))
	port := internal[len("http://127.0.0.1"):]
	for _, page := range internalPages {
		got := ask(t, internal+page, "Origin", "https://x.example")
		require.Equal(t, 200, got.Status, page)
		requirePrivate(t, got)
	}
	require.Equal(t, 200, ask(t, public+"/").Status) // something to count
	require.Contains(t, ask(t, internal+"/_internal/metrics").Body, "gpatlas_http_requests_total")
	require.Equal(t, 200, ask(t, internal+"/_internal/pprof/profile?seconds=1").Status)
	for _, path := range []string{"/", "/v1/list", "/health", "/_internal", "/_internal/nope"} {
		got := ask(t, internal+path)
		require.Equal(t, 404, got.Status, path)
		require.JSONEq(t, `{"detail":"Page not found; see /_internal/ready, /metrics and /pprof"}`, got.Body)
	}
	for host, status := range map[string]int{
		"localhost" + port: 200, "127.0.0.1" + port: 200, "[::1]" + port: 200, "::1": 200, "evil.example.com": 404, "localhost.evil.example.com": 404, "203.0.113.9": 404, "203.0.113.9" + port: 404,
	} {
		require.Equal(t, status, ask(t, internal+"/_internal/ready", "Host", host).Status, host)
	}
	require.Equal(t, 404, ask(t, public+"/_internal/ready").Status)
}

// Two processes cannot have one address: the second says which setting it is, and leaves nothing open.
func TestInternalAddressInUse(t *testing.T) {
	t.Parallel()
	_, internal := internalHost(t, webtest.Options(t))
	options := webtest.Options(t)
	options.Config.InternalAddr = strings.TrimPrefix(internal, "http://")
	second := web.NewServer(webtest.App(t, options))
	require.EqualError(t, second.Start(t.Context()), "web: "+options.Config.InternalAddr+", the address of the internal pages, is in use; "+
		"give each process on a machine its own address (WEB_INTERNAL_ADDR), or none with WEB_INTERNAL_ADDR=")
	require.Empty(t, second.Addr())
	require.Empty(t, second.InternalAddr())
	options.Config.InternalAddr = "203.0.113.1:80"
	require.ErrorContains(t, web.NewServer(webtest.App(t, options)).Start(t.Context()), "cannot listen on 203.0.113.1:80, the address of the internal pages (WEB_INTERNAL_ADDR)")
	options.Config.InternalAddr = ""
	require.NoError(t, second.Stop(t.Context()))
	without := web.NewServer(webtest.App(t, options))
	require.NoError(t, without.Start(t.Context()))
	require.Empty(t, without.InternalAddr())
	require.NoError(t, without.Stop(t.Context()))
}

func TestReadiness(t *testing.T) {
	t.Parallel()
	var failure error
	m := module.New("fake", module.Part{Checks: []module.Check{{Name: "index", Run: func(context.Context) error { return failure }}}})
	_, address := internalHost(t, webtest.Options(t, m))
	got := ask(t, address+"/_internal/ready")
	require.Equal(t, 200, got.Status)
	require.JSONEq(t, `{"ready":true,"draining":false,"checks":{"fake.index":"ok"}}`, got.Body)
	failure = errors.New("the first snapshot is not loaded")
	got = ask(t, address+"/_internal/ready")
	require.Equal(t, 503, got.Status)
	require.JSONEq(t, `{"ready":false,"draining":false,"checks":{"fake.index":"the first snapshot is not loaded"}}`, got.Body)
}

// A check that hangs, whatever its context, does not delay the answer beyond two seconds.
func TestReadinessDoesNotHang(t *testing.T) {
	t.Parallel()
	over := make(chan struct{})
	defer close(over)
	m := module.New("fake", module.Part{Checks: []module.Check{{Name: "redis", Run: func(context.Context) error { <-over; return nil }}}})
	_, address := internalHost(t, webtest.Options(t, m))
	got := ask(t, address+"/_internal/ready")
	require.Equal(t, 503, got.Status)
	require.JSONEq(t, `{"ready":false,"draining":false,"checks":{"fake.redis":"no answer in time"}}`, got.Body)
}
