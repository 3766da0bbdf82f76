package bench_test

import (
	"context"
	"fmt"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// measureAdmin runs the benchmarks of exports and of what operators look at, each in a process of its own.
func measureAdmin(ctx context.Context, b *testing.B, r *report) {
	b.Helper()
	found, err := goBench(ctx, "./modules/catalog/internal/export", "^BenchmarkSearchDuringExports$", "-benchtime", strconv.Itoa(*roundsFlag)+"x")
	require.NoError(b, err)
	figures := func(name, unit string) []float64 {
		rounds := found.rounds(name, unit, 1)
		require.NotEmpty(b, rounds, "%s gives no %s", name, unit)
		return rounds
	}
	const during = "BenchmarkSearchDuringExports"
	r.measure(keyExports, "p99 of GP search during ten exports of 10,000 rows", "times", figures(during, "x-quiet"),
		fmt.Sprintf("%s ms instead of %s ms, over HTTP; %s exports a second", figure(median(figures(during, "p99-busy-ms"))),
			figure(median(figures(during, "p99-quiet-ms"))), figure(median(figures(during, "exports/slot")))))

	found, err = goBench(ctx, "./modules/dataops", "^BenchmarkOperators$", "-benchtime", "1000x")
	require.NoError(b, err)
	const operators = "BenchmarkOperators"
	r.measure(keyDashboard, "dashboard with a year of runs, p99", "ms", figures(operators, "p99-ms"),
		fmt.Sprintf("p50 %s ms", figure(median(figures(operators, "p50-ms")))))
	r.measure("admin/measure", "daily measure of the quality", "s", figures(operators, "measure-s"), "")
}
