package telemetry_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/trace"

	"gpatlas/platform/telemetry"
)

func TestMetrics(t *testing.T) {
	t.Parallel()
	m := telemetry.NewMetrics()
	counter := prometheus.NewCounter(prometheus.CounterOpts{Name: "gpatlas_test_total", Help: "Of a test."})
	require.NoError(t, m.Registerer().Register(counter))
	counter.Inc()
	recorder := httptest.NewRecorder()
	m.Handler().ServeHTTP(recorder, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil))
	for _, part := range []string{"gpatlas_test_total 1", "go_goroutines", "process_open_fds"} {
		require.Contains(t, recorder.Body.String(), part)
	}
	families, err := m.Gatherer().Gather()
	require.NoError(t, err)
	require.NotEmpty(t, families)
	_ = telemetry.NewMetrics() // a second registry does not collide with the first
}

func TestNoTracing(t *testing.T) {
	t.Parallel()
	tracing, err := telemetry.NewTracing(t.Context(), telemetry.Config{}, "test")
	require.NoError(t, err)
	require.False(t, tracing.Enabled())
	ctx, span := tracing.Start(t.Context(), "nothing")
	span.End()
	require.False(t, trace.SpanContextFromContext(ctx).IsValid())
	require.NoError(t, tracing.Stop(t.Context()))
}

// Spans under a caller's sampled trace arrive at the collector.
func TestTracing(t *testing.T) {
	t.Parallel()
	received := make(chan []byte, 1)
	collector := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if r.Header.Get("Content-Encoding") == "gzip" {
			unzip, err := gzip.NewReader(bytes.NewReader(body))
			if err == nil {
				body, _ = io.ReadAll(unzip)
			}
		}
		if r.URL.Path == "/v1/traces" {
			received <- body
		}
		w.WriteHeader(http.StatusOK)
	}))
	defer collector.Close()
	tracing, err := telemetry.NewTracing(t.Context(), telemetry.Config{Endpoint: collector.URL, ServiceName: "gpatlas-test"}, "build-7")
	require.NoError(t, err)
	require.True(t, tracing.Enabled())
	headers := map[string]string{"traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}
	ctx, span := tracing.Start(tracing.Extract(t.Context(), func(name string) string { return headers[name] }), "GET /v1/gps")
	require.Equal(t, "0af7651916cd43dd8448eb211c80319c", trace.SpanContextFromContext(ctx).TraceID().String())
	span.End()
	_, unsampled := tracing.Start(t.Context(), "not sampled at ratio 0")
	unsampled.End()
	require.NoError(t, tracing.Stop(t.Context()))
	body := <-received
	require.Contains(t, string(body), "GET /v1/gps")
	require.Contains(t, string(body), "gpatlas-test")
	require.Contains(t, string(body), "build-7")
	require.NotContains(t, string(body), "not sampled")
}

func TestConfig(t *testing.T) {
	t.Parallel()
	require.NoError(t, telemetry.Config{}.Validate())
	require.NoError(t, telemetry.Config{Endpoint: "https://collector:4318", SampleRatio: 1}.Validate())
	require.ErrorContains(t, telemetry.Config{Endpoint: "collector:4318"}.Validate(), "OTEL_EXPORTER_OTLP_ENDPOINT")
	_, err := telemetry.NewTracing(t.Context(), telemetry.Config{Endpoint: "collector"}, "")
	require.ErrorContains(t, err, "OTEL_EXPORTER_OTLP_ENDPOINT")
}
