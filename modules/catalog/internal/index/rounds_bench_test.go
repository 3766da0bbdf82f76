package index_test

import (
	"flag"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	scaleFlag  = flag.String("scale", "sec", "size of the catalog that is measured: small, sec or 10x")
	roundsFlag = flag.Int("rounds", 0, "how often BenchmarkRounds goes through all operations; 0 = not at all")
)

// scale is the size of a catalog of the performance targets.
type scale struct {
	advisers, funds int
	words           int // that names are made of; a vocabulary grows far slower than what is written with it
}

// scales are those of the performance targets, and a small one for a quick look.
func scales() map[string]scale {
	return map[string]scale{"small": {300, 2_000, 400}, "sec": {40_000, 250_000, 6_000}, "10x": {400_000, 2_500_000, 20_000}}
}

// BenchmarkRounds measures every operation in turn, -rounds times over, so that a busy moment of the machine does not
// fall on one of them alone. bench, which may not import this package, runs it for the table of `make bench`.
func BenchmarkRounds(b *testing.B) {
	if *roundsFlag == 0 {
		b.Skip("only with -rounds: the other benchmarks measure the same once")
	}
	require.Contains(b, scales(), *scaleFlag, "-scale")
	for range *roundsFlag {
		b.Run("gps", BenchmarkSearchGPs)
		b.Run("funds", BenchmarkSearchFunds)
		b.Run("autocomplete", BenchmarkAutocomplete)
		b.Run("unified", BenchmarkUnified)
		b.Run("aggregate", BenchmarkAggregate)
		b.Run("groups", BenchmarkGroups)
		b.Run("related", BenchmarkRelated)
		b.Run("build", BenchmarkBuild)
	}
}
