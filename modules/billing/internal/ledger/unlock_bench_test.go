package ledger_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/charge"
)

// BenchmarkUnlock sells 100 persons at once, to a thousand accounts in turn.
func BenchmarkUnlock(b *testing.B) {
	kit := setup(b)
	for n := 0; b.Loop(); n++ {
		persons := make([]string, 100)
		for i := range persons {
			persons[i] = fmt.Sprintf("p%d-%d", n, i)
		}
		receipt, err := kit.Charge(as(b.Context(), int64(1+n%1000), ""), team(persons...))
		require.NoError(b, err)
		require.Equal(b, charge.Receipt{Micros: 100 * half, NewUnits: 100}, receipt)
	}
}

// BenchmarkAllow asks for an account whose state is remembered.
func BenchmarkAllow(b *testing.B) {
	kit := setup(b)
	ctx := as(b.Context(), 1, "")
	b.ReportAllocs()
	for b.Loop() {
		require.NoError(b, kit.Allow(ctx, fee()))
	}
}
