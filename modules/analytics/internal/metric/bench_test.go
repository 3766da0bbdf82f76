package metric_test

import (
	"testing"

	"gpatlas/modules/analytics/internal/metric"
	"gpatlas/modules/catalog/catalogapi"
)

// BenchmarkCompute is an adviser of 25 years that amends its form four times a year and has 200 funds.
func BenchmarkCompute(b *testing.B) {
	timeline := make([]catalogapi.AdviserState, 100)
	for i := range timeline {
		timeline[i] = state("ADV", day("2001-03-28").AddDate(0, 3*i, 0).Format("2006-01-02"), int64(1_000_000*(i+1)), int64(i+1))
	}
	standing := of()
	for i := range int64(200) {
		standing.Funds = append(standing.Funds, fund(2000+i%25, 1_000_000*(i+1), day("2001-03-28").AddDate(0, int(i), 0).Format("2006-01-02")))
	}
	for b.Loop() {
		m, _ := metric.Compute(standing, timeline)
		if m.AUMGrowth.CAGR3YPercent == nil || m.FundMetrics.AvgFundSizeTrendPercent == nil {
			b.Fatal("every figure is there")
		}
	}
}
