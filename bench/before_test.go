package bench_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

// measureBefore runs Go benchmarks of this tree and of the commits before some features in turn: what these cost whoever does not use them.
func measureBefore(ctx context.Context, b *testing.B, r *report) {
	b.Helper()
	for _, f := range []struct{ key, what, file, pkg, benchmark, unit, times string }{
		{
			keyUnfaceted, "V57: a search without facets, against the commit before facets", "modules/catalog/internal/index/facet.go",
			"./modules/catalog/internal/index", "BenchmarkSearchGPs", "ns/op", "20000x",
		},
		{
			keyServices, "V20: loading a month, against the commit before service providers", "modules/catalog/internal/load/derive_services.go",
			"./modules/catalog/internal/load", "BenchmarkLoad", "x-copy-2%-changed", "1x",
		},
	} {
		commit, tree, err := treeBefore(ctx, b, f.file)
		if err != nil {
			require.NoError(b, ctx.Err())
			r.miss(f.key, f.what, "no tree without it: "+lastLine(err.Error()))
			continue
		}
		var ratios []float64
		for range *roundsFlag {
			var took [2]float64
			for i, dir := range []string{tree, ".."} {
				found, err := goBenchIn(ctx, dir, f.pkg, "^"+f.benchmark+"$", "-benchtime", f.times)
				require.NoError(b, err)
				rounds := found.rounds(f.benchmark, f.unit, 1)
				require.Len(b, rounds, 1, f.unit)
				took[i] = rounds[0]
			}
			ratios = append(ratios, took[1]/took[0])
		}
		r.measure(f.key, f.what, "times", ratios, "commit "+commit+"; all that came since is included")
	}
}
