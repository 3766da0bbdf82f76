package index_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/internal/index"
)

// A snapshot that has answered and is given up is gone with the next collection: its pools, which the runtime knows for
// longer, must not keep it, or two of them would lie in memory beside a new one.
func TestAGivenUpSnapshotIsCollected(t *testing.T) {
	t.Parallel()
	g := newGenerator(5, 50, false)
	gps := g.gps(50)
	s := index.Build(gps, g.funds(300, gps), index.Freshness{})
	s.SearchGPs(&index.GPQuery{Text: "capital", Order: index.ByRelevance, Limit: 5})
	s.SearchFunds(&index.FundQuery{Text: "fund", Order: index.ByRelevance, Limit: 5})
	s.Autocomplete("cap", index.KindAll, 5)
	gone := make(chan struct{})
	runtime.AddCleanup(s, func(done chan struct{}) { close(done) }, gone)
	s = nil
	runtime.GC()
	select {
	case <-gone:
	case <-time.After(10 * time.Second):
		require.Fail(t, "one collection does not free it")
	}
	_ = s
}
