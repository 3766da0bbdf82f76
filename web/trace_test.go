package web_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/telemetry"
	"gpatlas/platform/testkit/httpapitest"
	"gpatlas/web/webtest"
)

// A request under a caller's trace becomes a span of it, named after the operation's path.
func TestRequestsAreTraced(t *testing.T) {
	t.Parallel()
	received := make(chan string, 1)
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		received <- string(body)
	}))
	defer collector.Close()
	tracing, err := telemetry.NewTracing(t.Context(), telemetry.Config{Endpoint: collector.URL}, "test")
	require.NoError(t, err)
	options := webtest.Options(t, (&fake{}).manifest())
	options.Tracing = tracing
	app := webtest.App(t, options)
	h := &httpapitest.Host{App: app.Fiber, API: app.API}
	h.Do(t, httpapitest.Scenario{Path: "/v1/items/invented", Header: map[string]string{
		"traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "X-Request-ID": "trace-me",
	}})
	require.NoError(t, tracing.Stop(t.Context()))
	body := <-received
	require.Contains(t, body, "GET /v1/items/{name}")
	require.Contains(t, body, "trace-me")
}
