// Package telemetry is where metrics are registered and traces are sent from.
package telemetry

import (
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Metrics is a process's own registry, so that tests and two servers in one process do not share a global one.
type Metrics struct {
	registry *prometheus.Registry
}

// NewMetrics makes a registry with the Go runtime's and the process's own figures in it.
func NewMetrics() *Metrics {
	r := prometheus.NewRegistry()
	r.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return &Metrics{registry: r}
}

// Registerer is where modules register their metrics, named gpatlas_<module>_….
func (m *Metrics) Registerer() prometheus.Registerer { return m.registry }

// Gatherer reads every metric.
func (m *Metrics) Gatherer() prometheus.Gatherer { return m.registry }

// Handler serves the metrics in Prometheus' formats.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{Registry: m.registry})
}
