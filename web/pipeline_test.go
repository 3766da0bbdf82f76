package web_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/stretchr/testify/require"

	"gpatlas/platform/auth"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/log"
	"gpatlas/platform/module"
	"gpatlas/platform/telemetry"
	"gpatlas/platform/testkit/httpapitest"
	"gpatlas/web"
	"gpatlas/web/webtest"
)

func TestRequestID(t *testing.T) {
	t.Parallel()
	h := webtest.Host(t)
	id := func(sent string) string {
		return h.Do(t, httpapitest.Scenario{Path: "/", Header: map[string]string{"X-Request-ID": sent}}).Header.Get("X-Request-ID")
	}
	for _, good := range []string{"a", "Az09_.-", strings.Repeat("x", 64)} {
		require.Equal(t, good, id(good))
	}
	for _, bad := range []string{"", strings.Repeat("x", 65), "a b", "a/b", "é", `"`} {
		require.Regexp(t, "^[0-9a-f]{32}$", id(bad))
	}
	first, second := id(""), id("")
	require.NotEqual(t, first, second)
	got := h.Do(t, httpapitest.Scenario{Path: "/nope", Status: 404, Header: map[string]string{"X-Request-ID": "mine"}})
	require.Equal(t, "mine", got.Header.Get("X-Request-ID"))
}

func TestFixedHeaders(t *testing.T) {
	t.Parallel()
	h := webtest.Host(t)
	for _, path := range []string{"/", "/nope"} {
		status := map[string]int{"/nope": 404}[path]
		h.Do(t, httpapitest.Scenario{Path: path, Status: status, WantHeader: map[string]string{
			"X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer",
			"Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'", "Server": "",
		}})
	}
}

func TestCORS(t *testing.T) {
	t.Parallel()
	anywhere := webtest.Host(t)
	preflight := map[string]string{"Origin": "https://app.example.com", "Access-Control-Request-Method": "GET", "Access-Control-Request-Headers": "authorization"}
	got := anywhere.Do(t, httpapitest.Scenario{Method: "OPTIONS", Path: "/v1/anything", Header: preflight, Status: 204})
	require.Equal(t, "*", got.Header.Get("Access-Control-Allow-Origin"))
	require.Contains(t, got.Header.Get("Access-Control-Allow-Headers"), "Authorization")
	require.Contains(t, got.Header.Get("Access-Control-Allow-Methods"), "PATCH")
	require.Equal(t, "86400", got.Header.Get("Access-Control-Max-Age"))
	for path, status := range map[string]int{"/": 200, "/nope": 404} {
		got = anywhere.Do(t, httpapitest.Scenario{Path: path, Status: status, Header: map[string]string{"Origin": "https://x.example"}})
		require.Equal(t, "*", got.Header.Get("Access-Control-Allow-Origin"))
		require.Contains(t, got.Header.Get("Access-Control-Expose-Headers"), "X-Request-ID")
		require.Empty(t, got.Header.Get("Access-Control-Allow-Credentials"))
	}
	require.Empty(t, anywhere.Do(t, httpapitest.Scenario{Path: "/"}).Header.Get("Access-Control-Allow-Origin"))

	options := webtest.Options(t)
	options.Config.CORSOrigins = []string{"https://app.example.com"}
	app := webtest.App(t, options)
	listed := &httpapitest.Host{App: app.Fiber, API: app.API}
	got = listed.Do(t, httpapitest.Scenario{Path: "/", Header: map[string]string{"Origin": "https://app.example.com"}})
	require.Equal(t, "https://app.example.com", got.Header.Get("Access-Control-Allow-Origin"))
	require.Contains(t, got.Header.Get("Vary"), "Origin")
	got = listed.Do(t, httpapitest.Scenario{Path: "/", Header: map[string]string{"Origin": "https://evil.example.com"}})
	require.Empty(t, got.Header.Get("Access-Control-Allow-Origin"))
	require.Contains(t, got.Header.Get("Vary"), "Origin")
	got = listed.Do(t, httpapitest.Scenario{Method: "OPTIONS", Path: "/", Status: 204, Header: map[string]string{"Origin": "https://evil.example.com", "Access-Control-Request-Method": "GET"}})
	require.Empty(t, got.Header.Get("Access-Control-Allow-Methods"))
}

func TestCompression(t *testing.T) {
	t.Parallel()
	h := webtest.Host(t, (&fake{}).manifest())
	plain := h.Do(t, httpapitest.Scenario{Path: "/v1/list", WantHeader: map[string]string{"Content-Encoding": "", "Vary": "Accept-Encoding"}})
	decode := map[string]func(string) string{
		"br": func(body string) string {
			out, err := io.ReadAll(brotli.NewReader(strings.NewReader(body)))
			require.NoError(t, err)
			return string(out)
		},
		"gzip": func(body string) string {
			r, err := gzip.NewReader(strings.NewReader(body))
			require.NoError(t, err)
			out, err := io.ReadAll(r)
			require.NoError(t, err)
			return string(out)
		},
	}
	for accept, want := range map[string]string{
		"br": "br", "gzip": "gzip", "gzip, deflate, br": "br", "gzip, br;q=0.5": "gzip", "br;q=0, gzip": "gzip", "*": "br",
		"identity": "", "br;q=0": "", "deflate": "", "gzip;q=0.1, *;q=0": "gzip", "GZIP": "gzip", "br;q=x": "",
	} {
		address := "/v1/list"
		response := fetch(t, h, address, "Accept-Encoding", accept)
		require.Equal(t, want, response.Header.Get("Content-Encoding"), accept)
		if want == "" {
			require.Equal(t, plain.Body, response.Body)
			continue
		}
		require.Equal(t, plain.Body, decode[want](response.Body), accept)
		require.Less(t, len(response.Body), len(plain.Body)/2)
		require.NotEqual(t, plain.Header.Get("ETag"), response.Header.Get("ETag"), "another representation, another strong tag")
		again := fetch(t, h, address, "Accept-Encoding", accept, "If-None-Match", response.Header.Get("ETag"))
		require.Equal(t, 304, again.Status)
		require.Equal(t, response.Header.Get("ETag"), again.Header.Get("ETag"))
	}
	small := fetch(t, h, "/", "Accept-Encoding", "br")
	require.Empty(t, small.Header.Get("Content-Encoding"))
}

// fetch asks the app without looking at the body.
func fetch(tb testing.TB, h *httpapitest.Host, path string, headers ...string) httpapitest.Response {
	tb.Helper()
	request, err := http.NewRequestWithContext(tb.Context(), http.MethodGet, "http://gpatlas.test"+path, nil)
	require.NoError(tb, err)
	for i := 0; i+1 < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	response, err := h.App.Test(request, -1)
	require.NoError(tb, err)
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	require.NoError(tb, err)
	return httpapitest.Response{Status: response.StatusCode, Header: response.Header, Body: string(body)}
}

// One line a request, with its id; a failure of ours has one more, with its cause; secrets are in none.
func TestAccessLog(t *testing.T) {
	t.Parallel()
	var lines logSink
	logger, flush := log.Open(log.Config{Format: "json"}, &lines)
	options := webtest.Options(t, (&fake{}).manifest())
	options.Logger, options.Config.AccessLog = logger, "all"
	options.Sessions = webtest.Credentials{"hidden-credential": {Kind: auth.Session, UserID: 1}}
	app := webtest.App(t, options)
	h := &httpapitest.Host{App: app.Fiber, API: app.API}
	h.Do(t, httpapitest.Scenario{Path: "/v1/list?limit=3", Header: map[string]string{"X-Request-ID": "r-1", "Authorization": "Bearer hidden-credential", "User-Agent": "tester"}})
	h.Do(t, httpapitest.Scenario{Path: "/v1/nope?token=hidden-token", Status: 404, Header: map[string]string{"X-Request-ID": "r-2"}})
	h.Do(t, httpapitest.Scenario{Path: "/v1/list", Status: 401, Header: map[string]string{"X-Request-ID": "r-5", "Authorization": "Bearer gpa_live_hidden"}})
	h.Do(t, httpapitest.Scenario{Path: "/v1/fail", Status: 500, Header: map[string]string{"X-Request-ID": "r-3"}})
	h.Do(t, httpapitest.Scenario{Path: "/v1/panic", Status: 500, Header: map[string]string{"X-Request-ID": "r-4"}})
	flush()
	text := lines.String()
	require.Equal(t, 7, strings.Count(text, "\n"), text)
	for _, part := range []string{
		`"method":"GET","path":"/v1/list","query":"limit=3","operation":"list","status":200`, `"agent":"tester","request_id":"r-1"`,
		`"operation":"unknown-path","status":404`, `"error":"Internal server error: unexpected EOF","request_id":"r-3"`, "panic: boom", "pipeline.go", `"request_id":"r-4"`,
	} {
		require.Contains(t, text, part)
	}
	require.NotContains(t, text, "hidden")
}

// Of operations that people reach from an email the line has neither the token nor who asks, also where the request is wrong.
func TestAccessLogIsDiscreet(t *testing.T) {
	t.Parallel()
	var lines logSink
	options := webtest.Options(t)
	options.Logger, options.Config.AccessLog = slog.New(slog.NewJSONHandler(&lines, nil)), "all"
	always := func(context.Context, *struct {
		Token string `path:"token"`
		URL   string `query:"url"`
	},
	) (*httpapi.Reply[seen], error) {
		return &httpapi.Reply[seen]{}, nil
	}
	options.Manifests = append(options.Manifests, module.New("mails", module.Part{Routes: []httpapi.Route{
		httpapi.Get("/v1/leave/{token}", "leave", always, httpapi.Unguarded(), httpapi.Discreet(), httpapi.Volatile()),
	}}))
	h := hostOf(t, options)
	for path, status := range map[string]int{
		"/v1/leave/hidden": 200, "/v1/leave/hidden?url=hidden": 200, "/v1/leave/hidden?hidden=1": 400, "/v1/leave/hidden/": 404, "/v1/leave/a/hidden": 404,
		"/v1/%6ceave/hidden": 0, "/v1/LEAVE/hidden": 0, "/v1//leave/hidden": 0,
	} {
		got := fetch(t, h, path, "User-Agent", "hidden-agent")
		if status > 0 {
			require.Equal(t, status, got.Status, path)
		}
	}
	text := lines.String()
	require.Equal(t, 8, strings.Count(text, "\n"), text)
	require.Equal(t, 8, strings.Count(text, `"path":"/v1/leave/[redacted]","query":""`), text)
	require.Equal(t, 8, strings.Count(text, `"client":"","agent":""`), text)
	require.NotContains(t, text, "hidden")
}

func TestAccessLogCanBeLessOrOff(t *testing.T) {
	t.Parallel()
	for setting, want := range map[string]int{"all": 2, "errors": 1, "off": 0} {
		var lines logSink
		options := webtest.Options(t)
		options.Logger, options.Config.AccessLog = slog.New(slog.NewJSONHandler(&lines, nil)), setting
		app := webtest.App(t, options)
		h := &httpapitest.Host{App: app.Fiber, API: app.API}
		h.Do(t, httpapitest.Scenario{Path: "/"})
		h.Do(t, httpapitest.Scenario{Path: "/nope", Status: 404})
		require.Equal(t, want, strings.Count(lines.String(), "\n"), setting)
	}
}

// A panic is a 500 in the usual shape, and the process lives.
func TestPanic(t *testing.T) {
	t.Parallel()
	address := webtest.Serve(t, webtest.App(t, webtest.Options(t, (&fake{}).manifest())))
	for range 3 {
		got := ask(t, address+"/v1/panic")
		require.Equal(t, 500, got.Status)
		require.JSONEq(t, `{"detail":"Internal server error"}`, got.Body)
		require.NotEmpty(t, got.Header.Get("X-Request-ID"))
	}
	got := ask(t, address+"/")
	require.Equal(t, 200, got.Status)
}

// What a handler keeps after its request is not overwritten by the next one on the same connection: Fiber's buffers
// are not handed out.
func TestKeptValuesAreNotCorrupted(t *testing.T) {
	t.Parallel()
	f := &fake{}
	address := webtest.Serve(t, webtest.App(t, webtest.Options(t, f.manifest())))
	keepAlive := &http.Client{}
	var wg sync.WaitGroup
	for worker := range 4 {
		wg.Go(func() {
			for i := range 50 {
				request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, fmt.Sprintf("%s/v1/items/worker-%d-item-%03d", address, worker, i), nil)
				if err != nil {
					panic(err)
				}
				response, err := keepAlive.Do(request)
				if err != nil {
					panic(err)
				}
				_, _ = io.Copy(io.Discard, response.Body)
				_ = response.Body.Close()
			}
		})
	}
	wg.Wait()
	keepAlive.CloseIdleConnections()
	seen := map[string]bool{}
	for _, name := range f.kept {
		seen[name] = true
	}
	require.Len(t, f.kept, 200)
	require.Len(t, seen, 200, "two kept values became one")
	require.True(t, seen["worker-3-item-049"])
}

func TestRequestMetrics(t *testing.T) {
	t.Parallel()
	options := webtest.Options(t, (&fake{}).manifest())
	options.Metrics = telemetry.NewMetrics()
	app := webtest.App(t, options)
	h := &httpapitest.Host{App: app.Fiber, API: app.API}
	h.Do(t, httpapitest.Scenario{Path: "/v1/list"})
	h.Do(t, httpapitest.Scenario{Method: "HEAD", Path: "/v1/list"})
	h.Do(t, httpapitest.Scenario{Path: "/v1/list?limit=0", Status: 400})
	h.Do(t, httpapitest.Scenario{Path: "/v1/nope", Status: 404})
	h.Do(t, httpapitest.Scenario{Path: "/v1/panic", Status: 500})
	fetch(t, h, "/docs")
	var out bytes.Buffer
	families, err := options.Metrics.Gatherer().Gather()
	require.NoError(t, err)
	for _, family := range families {
		if strings.HasPrefix(family.GetName(), "gpatlas_http_requests") {
			for _, m := range family.GetMetric() {
				fmt.Fprintf(&out, "%s %s %v\n", m.GetLabel()[0].GetValue(), m.GetLabel()[1].GetValue(), m.GetCounter().GetValue())
			}
		}
	}
	require.Equal(t, "docs 200 1\nlist 200 2\nlist 400 1\npanic 500 1\nunknown-path 404 1\n", out.String())
	_, err = web.New(options)
	require.ErrorContains(t, err, "register request metrics", "one registry hosts one app")
}
