package index

import (
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"gpatlas/platform/clock"
)

// Metrics are the index's own figures for operators. A nil *Metrics counts nothing.
type Metrics struct {
	builds       prometheus.Counter
	failures     prometheus.Counter
	buildSeconds prometheus.Histogram
	records      *prometheus.GaugeVec
	publication  prometheus.Gauge

	builtAt, confirmedAt atomic.Pointer[time.Time]
}

// NewMetrics registers the figures with reg.
func NewMetrics(reg prometheus.Registerer, clk clock.Clock) *Metrics {
	m := &Metrics{
		builds: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "gpatlas_index_builds_total", Help: "Search indexes built and swapped in.",
		}),
		failures: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "gpatlas_index_failures_total", Help: "Failed attempts to watch the catalog or to build the index.",
		}),
		buildSeconds: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "gpatlas_index_build_seconds", Help: "Time to load the catalog and build the index.",
			Buckets: []float64{.05, .1, .25, .5, 1, 2, 4, 8, 16, 32},
		}),
		records: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "gpatlas_index_records", Help: "Records in the index.",
		}, []string{"kind"}),
		publication: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "gpatlas_index_publication", Help: "Number of the newest publication that the index contains.",
		}),
	}
	age := func(name, help string, since *atomic.Pointer[time.Time]) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, func() float64 {
			at := since.Load()
			if at == nil {
				return -1
			}
			return clk.Now().Sub(*at).Seconds()
		})
	}
	reg.MustRegister(m.builds, m.failures, m.buildSeconds, m.records, m.publication,
		age("gpatlas_index_age_seconds", "Seconds since the index was built. -1 before the first build.", &m.builtAt),
		age("gpatlas_index_unconfirmed_seconds",
			"Seconds since the index was last known to contain the newest publication. -1 before the first build.", &m.confirmedAt))
	return m
}

func (m *Metrics) built(s *Snapshot, took time.Duration) {
	if m == nil {
		return
	}
	m.builds.Inc()
	m.buildSeconds.Observe(took.Seconds())
	m.records.WithLabelValues("adviser").Set(float64(s.fresh.Advisers))
	m.records.WithLabelValues("fund").Set(float64(s.fresh.Funds + s.fresh.ClosedFunds))
	m.publication.Set(float64(s.fresh.Publication))
	m.builtAt.Store(&s.fresh.BuiltAt)
}

func (m *Metrics) confirmed(at time.Time) {
	if m != nil {
		m.confirmedAt.Store(&at)
	}
}

func (m *Metrics) failed() {
	if m != nil {
		m.failures.Inc()
	}
}
