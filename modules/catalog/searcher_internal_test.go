package catalog

import (
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/internal/gp"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/platform/clock"
)

// The face searches the index that is held, also one that is exchanged later.
func TestSearcherSeesTheNewestIndex(t *testing.T) {
	t.Parallel()
	holder := newHolder()
	searcher := gp.NewSearcher(holder, clock.System{})
	_, err := searcher.SearchGPs(t.Context(), nil, 10, 0)
	require.Error(t, err, "nothing is loaded yet")
	for want, names := range [][]string{{}, {"Larkspur Hollow"}, {"Larkspur Hollow", "Mossgate"}} {
		var gps []index.GP
		for i, name := range names {
			gps = append(gps, index.GP{CRD: []string{"900001", "900002"}[i], LegalName: name, TotalAUM: index.Unknown})
		}
		holder.Swap(index.Build(gps, nil, index.Freshness{}))
		found, err := searcher.SearchGPs(t.Context(), nil, 10, 0)
		require.NoError(t, err)
		require.Equal(t, want, found.Total)
		require.Len(t, found.Rows, want)
	}
}
