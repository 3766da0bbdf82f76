package jobs_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/stretchr/testify/require"

	"gpatlas/platform/jobs"
	"gpatlas/platform/testkit/dbtest"
)

// Every queue has its figures, one that was never used has zeros.
func TestMetricsOfQueues(t *testing.T) {
	t.Parallel()
	b, c := setup(t), &counter{}
	urgent := c.handler("test.run_urgent")
	urgent.Queue = jobs.Critical
	registry := prometheus.NewRegistry()
	b.worker(t, jobs.Deps{Metrics: registry, Handlers: []jobs.Handler{
		urgent, {Type: "test.give_up", Run: func(context.Context, []byte) error { return errors.New("no") }},
	}}, jobs.Config{})
	for i := range 3 {
		require.NoError(t, b.in.Enqueue(t.Context(), jobs.Job{Type: "test.run_urgent", Payload: number{i}}))
	}
	require.NoError(t, b.in.Enqueue(t.Context(), jobs.Job{Type: "test.give_up"}))
	require.NoError(t, b.in.Enqueue(t.Context(), jobs.Job{Type: "test.run_urgent", RunAt: time.Now().Add(time.Hour)}))
	var got map[string]float64
	require.Eventually(t, func() bool {
		got = gather(t, registry)
		return got[`gpatlas_jobs_queue_processed_total{queue="critical"}`] == 3 && got[`gpatlas_jobs_queue_failed_total{queue="default"}`] == 1 &&
			got[`gpatlas_jobs_queue_tasks{queue="critical",state="scheduled"}`] == 1
	}, soon, often)
	got = gather(t, registry) // the counters of runs were read before the queues
	for name, want := range map[string]float64{
		`gpatlas_jobs_queue_size{queue="critical"}`:                     1,
		`gpatlas_jobs_queue_tasks{queue="critical",state="completed"}`:  3,
		`gpatlas_jobs_queue_tasks{queue="default",state="archived"}`:    1,
		`gpatlas_jobs_queue_processed_total{queue="default"}`:           1,
		`gpatlas_jobs_queue_failed_total{queue="critical"}`:             0,
		`gpatlas_jobs_queue_size{queue="low"}`:                          0,
		`gpatlas_jobs_queue_latency_seconds{queue="low"}`:               0,
		`gpatlas_jobs_queue_paused{queue="critical"}`:                   0,
		`gpatlas_jobs_runs_total{result="done",type="test.run_urgent"}`: 3,
		`gpatlas_jobs_queue_up`:                                         1,
	} {
		require.Contains(t, got, name)
		require.InDelta(t, want, got[name], 0, name)
	}
}

// Without Redis a scrape says so and still tells of the outbox.
func TestMetricsWithoutRedis(t *testing.T) {
	t.Parallel()
	b := setup(t)
	server := dbtest.RedisServer(t)
	require.NoError(t, server.Stop(t.Context()))
	registry := prometheus.NewRegistry()
	w := b.worker(t, jobs.Deps{
		Metrics: registry, MetricsPage: promhttp.HandlerFor(registry, promhttp.HandlerOpts{}),
		RedisURL: server.RedisURL() + "?max_retries=-1&dial_timeout=200ms",
	}, jobs.Config{DrainTimeout: time.Millisecond, MetricsAddr: "127.0.0.1:0"})
	require.ErrorContains(t, w.Ready(t.Context()), "Redis accepts no jobs")
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+w.MetricsAddr()+"/ready", nil)
	require.NoError(t, err)
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	require.Equal(t, http.StatusServiceUnavailable, response.StatusCode)
	require.NoError(t, b.in.Enqueue(t.Context(), jobs.Job{Type: "people.enrich"}))
	got := gather(t, registry)
	require.Contains(t, got, "gpatlas_jobs_queue_up")
	require.InDelta(t, 0, got["gpatlas_jobs_queue_up"], 0)
	require.InDelta(t, 1, got["gpatlas_jobs_outbox_waiting"], 0)
	require.NotContains(t, got, `gpatlas_jobs_queue_size{queue="low"}`)
}

// A worker shows its metrics where it is told to, and nothing else there, until it has drained.
func TestAWorkerServesItsMetrics(t *testing.T) {
	t.Parallel()
	b := setup(t)
	registry := prometheus.NewRegistry()
	d := jobs.Deps{Metrics: registry, MetricsPage: promhttp.HandlerFor(registry, promhttp.HandlerOpts{})}
	w := b.worker(t, d, jobs.Config{MetricsAddr: ":0"})
	host, port, err := net.SplitHostPort(w.MetricsAddr())
	require.NoError(t, err)
	require.Equal(t, "127.0.0.1", host, "without a host it is this machine's alone")
	client := &http.Client{Timeout: soon, Transport: &http.Transport{DisableKeepAlives: true}}
	ask := func(method, path string) (int, string) {
		request, err := http.NewRequestWithContext(t.Context(), method, "http://"+w.MetricsAddr()+path, nil)
		require.NoError(t, err)
		response, err := client.Do(request)
		require.NoError(t, err)
		defer func() { _ = response.Body.Close() }()
		body, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		return response.StatusCode, string(body)
	}
	status, body := ask(http.MethodGet, "/metrics")
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, body, `gpatlas_jobs_queue_tasks{queue="critical",state="pending"} 0`)
	for path, want := range map[string]int{"/": 404, "/debug/pprof/": 404, "/metrics/x": 404} {
		status, body = ask(http.MethodGet, path)
		require.Equal(t, want, status, path)
		require.NotContains(t, body, "gpatlas_", path)
	}
	status, body = ask(http.MethodGet, "/ready")
	require.Equal(t, http.StatusOK, status)
	require.JSONEq(t, `{"ready":true}`, body)
	status, _ = ask(http.MethodPost, "/metrics")
	require.Equal(t, http.StatusMethodNotAllowed, status)

	taken, err := jobs.NewWorker(jobs.Config{MetricsAddr: ":" + port}, jobs.Deps{DB: b.db, RedisURL: b.url, MetricsPage: d.MetricsPage})
	require.NoError(t, err)
	require.ErrorContains(t, taken.Start(t.Context()), "is in use by another program")
	require.NoError(t, taken.Shutdown(t.Context()))

	address := w.MetricsAddr()
	require.NoError(t, w.Shutdown(t.Context()))
	_, err = net.DialTimeout("tcp", address, soon)
	require.Error(t, err, "the socket ends with the worker")
	require.Empty(t, b.worker(t, jobs.Deps{}, jobs.Config{}).MetricsAddr(), "off unless it is set")
}
