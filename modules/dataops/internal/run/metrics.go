package run

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"gpatlas/modules/dataops/internal/alert"
	"gpatlas/modules/dataops/internal/gate"
)

// Ingestions run in processes that end, so their figures are read from the stored runs at each scrape.
var (
	runsMetric        = desc("gpatlas_ingestion_runs", "Ingested documents.")
	rowsMetric        = desc("gpatlas_ingestion_rows", "Rows read from ingested documents.")
	quarantinedMetric = desc("gpatlas_ingestion_quarantined_rows", "Unusable rows of ingested documents.")
	secondsMetric     = desc("gpatlas_ingestion_seconds", "Total time of ingestions.")
	latestMetric      = desc("gpatlas_ingestion_latest_timestamp_seconds", "Start of the newest ingestion, Unix time.")
	alertsMetric      = prometheus.NewDesc("gpatlas_alerts_open", "Open alerts.", []string{"kind"}, nil)
)

// alertKinds are shown even when there is no alert: an alarm on a series that is absent does not ring.
func alertKinds() []string {
	kinds := []string{alert.SourceFailed, alert.SourceLate, string(gate.EditionDoubtful), string(gate.RowsDoubtful)}
	kinds = append(kinds, alert.Metrics()...)
	for _, c := range gate.Checks() {
		kinds = append(kinds, string(c))
	}
	return kinds
}

func desc(name, help string) *prometheus.Desc {
	return prometheus.NewDesc(name, help, []string{"source", "state"}, nil)
}

// scrapeLimit bounds a read of the runs: metrics are wanted most when the database is slow.
const scrapeLimit = 2 * time.Second

// Metrics shows the runs to Prometheus. While the database is unavailable it shows nothing.
type Metrics struct {
	base  context.Context //nolint:containedctx // a collector is called without one
	store *Store
}

// NewMetrics makes a collector whose queries end with ctx at the latest.
func NewMetrics(ctx context.Context, store *Store) *Metrics { return &Metrics{base: ctx, store: store} }

// Describe names the figures.
func (m *Metrics) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{runsMetric, rowsMetric, quarantinedMetric, secondsMetric, latestMetric, alertsMetric} {
		ch <- d
	}
}

// Collect reads the figures from the runs.
func (m *Metrics) Collect(ch chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(m.base, scrapeLimit)
	defer cancel()
	totals, err := m.store.Totals(ctx)
	if err != nil {
		return // in Prometheus an absent series means unknown
	}
	alerts, err := m.store.alerts.CountOpen(ctx)
	if err != nil {
		return
	}
	for _, kind := range alertKinds() {
		ch <- prometheus.MustNewConstMetric(alertsMetric, prometheus.GaugeValue, float64(alerts[kind]), kind)
	}
	for _, t := range totals {
		for d, v := range map[*prometheus.Desc]float64{
			runsMetric: float64(t.Runs), rowsMetric: float64(t.Rows), quarantinedMetric: float64(t.Quarantined),
			secondsMetric: float64(t.Seconds), latestMetric: float64(t.Latest.Unix()),
		} {
			ch <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, t.Source, t.State)
		}
	}
}
