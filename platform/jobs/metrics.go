package jobs

import (
	"context"
	"slices"
	"time"

	"github.com/hibiken/asynq"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/redis/go-redis/v9"

	"gpatlas/platform/clock"
)

// collectLimit bounds the time of a scrape.
const collectLimit = 2 * time.Second

// metrics are the worker's counters, and a collector that reads the queue and the outbox when it is scraped.
type metrics struct {
	relays  *prometheus.CounterVec
	runs    *prometheus.CounterVec
	seconds *prometheus.HistogramVec

	inspector *asynq.Inspector
	redis     redis.UniversalClient // the inspector's
	outbox    *store
	clock     clock.Clock
	base      context.Context // the worker's: a scrape has none
}

// Every worker exports the same figures of the queues and the outbox: use the maximum, not the sum.
var (
	byQueue        = []string{"queue"}
	queueTasks     = prometheus.NewDesc("gpatlas_jobs_queue_tasks", "Jobs in a queue by state. Archived jobs failed permanently.", []string{"queue", "state"}, nil)
	queueSize      = prometheus.NewDesc("gpatlas_jobs_queue_size", "Jobs in a queue in any state except completed.", byQueue, nil)
	queueLatency   = prometheus.NewDesc("gpatlas_jobs_queue_latency_seconds", "Age of the oldest job waiting in a queue.", byQueue, nil)
	queuePaused    = prometheus.NewDesc("gpatlas_jobs_queue_paused", "1 while a queue is paused by an operator.", byQueue, nil)
	queueProcessed = prometheus.NewDesc("gpatlas_jobs_queue_processed_total", "Job runs of a queue by all workers, as counted in Redis.", byQueue, nil)
	queueFailed    = prometheus.NewDesc("gpatlas_jobs_queue_failed_total", "Failed job runs of a queue by all workers, as counted in Redis.", byQueue, nil)
	queueUp        = prometheus.NewDesc("gpatlas_jobs_queue_up", "1 if the Redis server of the queue responds.", nil, nil)
	outboxJobs     = prometheus.NewDesc("gpatlas_jobs_outbox_waiting", "Jobs in the outbox that are not in the queue yet.", nil, nil)
	outboxAge      = prometheus.NewDesc("gpatlas_jobs_outbox_oldest_seconds", "Age of the oldest job in the outbox.", nil, nil)
)

// scrapeOptions are for a separate connection with short timeouts, so that an unreachable Redis does not block the other
// metrics of a scrape.
func scrapeOptions(o *redis.UniversalOptions) *redis.UniversalOptions {
	c := *o
	c.DialTimeout, c.ReadTimeout, c.WriteTimeout = collectLimit/2, collectLimit/2, collectLimit/2
	c.MaxRetries, c.DialerRetries, c.PoolSize = -1, 1, 2
	return &c
}

func newMetrics(client redis.UniversalClient, outbox *store, clk clock.Clock) *metrics {
	return &metrics{
		relays: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "gpatlas_jobs_relayed_total", Help: "Jobs moved from the outbox to the queue, by result: queued, duplicate, failed; lost: the queue no longer had it.",
		}, []string{"result"}),
		runs: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "gpatlas_jobs_runs_total", Help: "Job runs by type and result.",
		}, []string{"type", "result"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "gpatlas_jobs_run_seconds", Help: "Duration of job runs by type.", Buckets: prometheus.ExponentialBuckets(0.005, 4, 10),
		}, []string{"type"}),
		inspector: asynq.NewInspectorFromRedisClient(client), redis: client, outbox: outbox, clock: clk,
	}
}

func (m *metrics) relayed(result string) { m.relays.WithLabelValues(result).Inc() }

func (m *metrics) ran(taskType, result string, took time.Duration) {
	if result == "unknown" {
		taskType = "unknown" // unknown types must not create labels
	}
	m.runs.WithLabelValues(taskType, result).Inc()
	m.seconds.WithLabelValues(taskType).Observe(took.Seconds())
}

// Describe implements prometheus.Collector.
func (m *metrics) Describe(ch chan<- *prometheus.Desc) {
	m.relays.Describe(ch)
	m.runs.Describe(ch)
	m.seconds.Describe(ch)
	for _, d := range []*prometheus.Desc{
		queueTasks, queueSize, queueLatency, queuePaused, queueProcessed, queueFailed, queueUp, outboxJobs, outboxAge,
	} {
		ch <- d
	}
}

// Collect implements prometheus.Collector. Figures that cannot be read are left out, and queue_up is 0.
func (m *metrics) Collect(ch chan<- prometheus.Metric) {
	m.relays.Collect(ch)
	m.runs.Collect(ch)
	m.seconds.Collect(ch)
	gauge := func(d *prometheus.Desc, v float64) { ch <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v) }
	queues, err := m.queues()
	up := 1.0
	if err != nil {
		up = 0
	}
	gauge(queueUp, up)
	for q, info := range queues {
		collectQueue(ch, Queue(q).String(), info)
	}
	ctx, cancel := context.WithTimeout(m.base, collectLimit)
	defer cancel()
	if n, oldest, err := m.outbox.backlog(ctx); err == nil {
		gauge(outboxJobs, float64(n))
		age := 0.0
		if n > 0 {
			age = m.clock.Now().Sub(oldest).Seconds()
		}
		gauge(outboxAge, age)
	}
}

// queues reads the figures of every queue; unused ones have only zeros.
func (m *metrics) queues() ([]*asynq.QueueInfo, error) {
	list := make([]*asynq.QueueInfo, queueCount)
	known, err := m.inspector.Queues()
	if err != nil {
		return nil, err
	}
	for q := range queueCount {
		list[q] = &asynq.QueueInfo{}
		if !slices.Contains(known, q.String()) {
			continue
		}
		if list[q], err = m.inspector.GetQueueInfo(q.String()); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func collectQueue(ch chan<- prometheus.Metric, name string, info *asynq.QueueInfo) {
	send := func(d *prometheus.Desc, kind prometheus.ValueType, v float64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(d, kind, v, append([]string{name}, labels...)...)
	}
	for state, n := range map[string]int{
		"pending": info.Pending, "active": info.Active, "scheduled": info.Scheduled, "retry": info.Retry,
		"archived": info.Archived, "completed": info.Completed,
	} {
		send(queueTasks, prometheus.GaugeValue, float64(n), state)
	}
	paused := 0.0
	if info.Paused {
		paused = 1
	}
	send(queueSize, prometheus.GaugeValue, float64(info.Size-info.Completed))
	send(queueLatency, prometheus.GaugeValue, info.Latency.Seconds())
	send(queuePaused, prometheus.GaugeValue, paused)
	send(queueProcessed, prometheus.CounterValue, float64(info.ProcessedTotal))
	send(queueFailed, prometheus.CounterValue, float64(info.FailedTotal))
}
