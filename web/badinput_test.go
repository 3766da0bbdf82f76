package web_test

import (
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/testkit/httpapitest"
	"gpatlas/web/webtest"
)

// What is wrong with a request before any operation sees it has the shape of every other failure.
func TestBadRequests(t *testing.T) {
	t.Parallel()
	options := webtest.Options(t, (&fake{}).manifest())
	options.Config.BodyLimit = 1000
	address := webtest.Serve(t, webtest.App(t, options))
	for name, test := range map[string]struct {
		request string
		status  int
		detail  string
	}{
		"q of 10,000 characters": {"GET /v1/list?q=" + strings.Repeat("x", 10_000) + " HTTP/1.1\r\nHost: x\r\n\r\n", 400, `Invalid q: must have 2 to 200 characters`},
		"address of 60,000 bytes": {
			"GET /v1/list?q=" + strings.Repeat("%E4%B8%AD", 6_700) + " HTTP/1.1\r\nHost: x\r\n\r\n", 431,
			"The URL and headers of the request are too large",
		},
		"body too large":        {"POST /v1/items HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1001\r\n\r\n" + strings.Repeat("x", 1001), 413, "The request body is too large"},
		"body said too large":   {"POST /v1/items HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n", 413, "The request body is too large"},
		"no HTTP":               {"HELLO\r\n\r\n", 400, "The request is malformed"},
		"unknown verb":          {"BREW /v1/list HTTP/1.1\r\nHost: x\r\n\r\n", 405, "This method is not allowed here; allowed: GET, HEAD"},
		"unknown verb and path": {"BREW /v1/tea HTTP/1.1\r\nHost: x\r\n\r\n", 404, "There is no /v1/tea; see /openapi.json for every operation"},
		"verb not of the path":  {"DELETE /v1/list HTTP/1.1\r\nHost: x\r\n\r\n", 405, "This method is not allowed here; allowed: GET, HEAD"},
		"unknown path":          {"GET /v2/list HTTP/1.1\r\nHost: x\r\n\r\n", 404, "There is no /v2/list; see /openapi.json for every operation"},
		"other case":            {"GET /V1/list HTTP/1.1\r\nHost: x\r\n\r\n", 404, "There is no /V1/list; see /openapi.json for every operation"},
		"dots":                  {"GET /v1/../../etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n", 404, "There is no /v1/../../etc/passwd; see /openapi.json for every operation"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			response := raw(t, address, test.request)
			defer func() { _ = response.Body.Close() }()
			body, err := io.ReadAll(response.Body)
			require.NoError(t, err)
			require.Equal(t, test.status, response.StatusCode, string(body))
			require.Contains(t, string(body), `{"detail":"`+test.detail)
			require.Equal(t, "application/json", response.Header.Get("Content-Type"))
			require.NotEmpty(t, response.Header.Get("X-Request-ID"))
			require.NotEmpty(t, response.Header.Get("X-RateLimit-Limit"), "also where the path could not be read")
			require.Equal(t, "nosniff", response.Header.Get("X-Content-Type-Options"))
		})
	}
}

func TestFailuresCarryTheShape(t *testing.T) {
	t.Parallel()
	h := webtest.Host(t, (&fake{}).manifest())
	h.Run(t, []httpapitest.Scenario{
		{Name: "unknown parameter of the root", Path: "/?verbose=1", Status: 400, WantJSON: `{"detail":"Invalid verbose: unknown parameter; this operation accepts no parameters","errors":[{"field":"verbose","message":"unknown parameter; this operation accepts no parameters"}]}`},
		{Name: "405 of a page", Method: "POST", Path: "/docs", Status: 405, WantHeader: map[string]string{"Allow": "GET, HEAD"}},
		{Name: "internal from elsewhere", Path: "/_internal/metrics", Status: 404, WantJSON: `{"detail":"There is no /_internal/metrics; see /openapi.json for every operation"}`},
		{Name: "internal, unknown", Path: "/_internal/nope", Status: 404, WantJSON: `{"detail":"There is no /_internal/nope; see /openapi.json for every operation"}`},
		{Name: "internal, other verb", Method: "POST", Path: "/_internal/metrics", Status: 404},
		{Name: "links keep the query", Path: "/v1/list?q=%22a%22&limit=100&offset=100", WantHeader: map[string]string{"Link": `</v1/list?q=%22a%22&limit=100&offset=0>; rel="first", </v1/list?q=%22a%22&limit=100&offset=0>; rel="prev", </v1/list?q=%22a%22&limit=100&offset=100>; rel="last"`}},
	})
}
