package nearest_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/nearest"
)

func TestOf(t *testing.T) {
	t.Parallel()
	flags := []string{"addr", "data-dir", "add", "source"}
	require.Equal(t, "source", nearest.Of("sources", flags, 2))
	require.Equal(t, "data-dir", nearest.Of("datadir", flags, 2))
	require.Equal(t, "addr", nearest.Of("adr", flags, 2), "the first of the nearest")
	require.Equal(t, "add", nearest.Of("add", flags, 2))
	require.Empty(t, nearest.Of("port", flags, 2))
	require.Equal(t, "data-dir", nearest.Of("dataxyzir", flags, 9))
}
