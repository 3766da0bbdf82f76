package jobs

import (
	"context"
	"time"

	"github.com/hibiken/asynq"
	"github.com/prometheus/client_golang/prometheus"

	"gpatlas/platform/clock"
)

// collectLimit bounds what a scrape may cost.
const collectLimit = 2 * time.Second

// metrics are the worker's counters, and a collector that asks the queue and the outbox when it is scraped.
type metrics struct {
	relays  *prometheus.CounterVec
	runs    *prometheus.CounterVec
	seconds *prometheus.HistogramVec

	inspector *asynq.Inspector
	outbox    *store
	clock     clock.Clock
	base      context.Context // the worker's: a scrape brings none
}

var (
	queueTasks   = prometheus.NewDesc("gpatlas_jobs_queue_tasks", "Jobs in the queue by state.", []string{"state"}, nil)
	queueLatency = prometheus.NewDesc("gpatlas_jobs_queue_latency_seconds", "Age of the oldest job that waits in the queue.", nil, nil)
	queueUp      = prometheus.NewDesc("gpatlas_jobs_queue_up", "1 when the queue's Redis answers.", nil, nil)
	outboxJobs   = prometheus.NewDesc("gpatlas_jobs_outbox_waiting", "Jobs that the relay has not handed to the queue yet.", nil, nil)
	outboxAge    = prometheus.NewDesc("gpatlas_jobs_outbox_oldest_seconds", "Age of the oldest of them.", nil, nil)
)

func newMetrics(inspector *asynq.Inspector, outbox *store, clk clock.Clock) *metrics {
	return &metrics{
		relays: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "gpatlas_jobs_relayed_total", Help: "Jobs handed to the queue, by result: queued, duplicate, failed.",
		}, []string{"result"}),
		runs: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "gpatlas_jobs_runs_total", Help: "Runs of jobs by type and result.",
		}, []string{"type", "result"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "gpatlas_jobs_run_seconds", Help: "Duration of runs by type.", Buckets: prometheus.ExponentialBuckets(0.005, 4, 10),
		}, []string{"type"}),
		inspector: inspector, outbox: outbox, clock: clk,
	}
}

func (m *metrics) relayed(result string) { m.relays.WithLabelValues(result).Inc() }

func (m *metrics) ran(taskType, result string, took time.Duration) {
	if result == "unknown" {
		taskType = "unknown" // whatever is sent must not make labels
	}
	m.runs.WithLabelValues(taskType, result).Inc()
	m.seconds.WithLabelValues(taskType).Observe(took.Seconds())
}

// Describe is prometheus.Collector's.
func (m *metrics) Describe(ch chan<- *prometheus.Desc) {
	m.relays.Describe(ch)
	m.runs.Describe(ch)
	m.seconds.Describe(ch)
	for _, d := range []*prometheus.Desc{queueTasks, queueLatency, queueUp, outboxJobs, outboxAge} {
		ch <- d
	}
}

// Collect is prometheus.Collector's. What cannot be asked is left out; queue_up says so.
func (m *metrics) Collect(ch chan<- prometheus.Metric) {
	m.relays.Collect(ch)
	m.runs.Collect(ch)
	m.seconds.Collect(ch)
	gauge := func(d *prometheus.Desc, v float64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
	}
	m.collectQueue(gauge)
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

func (m *metrics) collectQueue(gauge func(*prometheus.Desc, float64, ...string)) {
	names, err := m.inspector.Queues()
	up := 1.0
	if err != nil {
		up = 0
	}
	gauge(queueUp, up)
	for _, name := range names {
		if name != queue {
			continue
		}
		info, err := m.inspector.GetQueueInfo(name)
		if err != nil {
			continue
		}
		for state, n := range map[string]int{
			"pending": info.Pending, "active": info.Active, "scheduled": info.Scheduled, "retry": info.Retry,
			"archived": info.Archived, "completed": info.Completed,
		} {
			gauge(queueTasks, float64(n), state)
		}
		gauge(queueLatency, info.Latency.Seconds())
	}
}
