package index

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The larger the index, the smaller a share of it may gather as garbage; a small one leaves the collector as it is.
func TestGarbagePercent(t *testing.T) {
	t.Parallel()
	require.Equal(t, 100, garbagePercent(0))
	require.Equal(t, 100, garbagePercent(10<<20))
	require.Equal(t, 32, garbagePercent(200<<20))
	require.Equal(t, leastPercent, garbagePercent(2<<30))
}
