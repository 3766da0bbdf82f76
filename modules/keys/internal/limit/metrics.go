package limit

import "github.com/prometheus/client_golang/prometheus"

// Metrics are the limiter's figures for operators. A nil *Metrics counts nothing.
type Metrics struct {
	unlimited prometheus.Counter
	refused   *prometheus.CounterVec
}

// NewMetrics registers the figures with reg.
func NewMetrics(reg prometheus.Registerer) *Metrics {
	m := &Metrics{
		unlimited: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "gpatlas_limit_unlimited_total", Help: "Requests allowed without counting because Redis was unavailable.",
		}),
		refused: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "gpatlas_limit_refused_total", Help: "Requests rejected by the limits, by window.",
		}, []string{"window"}),
	}
	reg.MustRegister(m.unlimited, m.refused)
	return m
}

func (m *Metrics) passed() {
	if m != nil {
		m.unlimited.Inc()
	}
}

func (m *Metrics) denied(window string) {
	if m != nil {
		m.refused.WithLabelValues(window).Inc()
	}
}
