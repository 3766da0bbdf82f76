package change_test

import (
	"strconv"
	"testing"

	"gpatlas/modules/analytics/internal/change"
	"gpatlas/modules/catalog/catalogapi"
)

// BenchmarkChanges is an adviser of 25 years that amends its form four times a year.
func BenchmarkChanges(b *testing.B) {
	states := make([]catalogapi.AdviserState, 100)
	for i := range states {
		states[i] = state("ADV-900001-"+strconv.Itoa(i), day("2001-03-28").AddDate(0, 3*i, 0).Format("2006-01-02"), aum(int64(1_000_000*(i+1))))
	}
	for b.Loop() {
		if len(change.Changes(states)) != len(states)-1 {
			b.Fatal("each filing but the first changes the assets")
		}
	}
}
