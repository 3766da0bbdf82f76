package realdata

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFind(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	inside, data := filepath.Join(home, "tree", "a", "b"), filepath.Join(home, "shared", "data", "lp")
	require.NoError(t, os.MkdirAll(inside, 0o700))
	require.NoError(t, os.MkdirAll(data, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(data, "x.csv"), nil, 0o600))

	_, err := find(inside, "lp/x.csv")
	require.ErrorIs(t, err, os.ErrNotExist)
	require.ErrorContains(t, err, "go.mod")
	require.NoError(t, os.WriteFile(filepath.Join(home, "tree", "go.mod"), nil, 0o600))
	path, err := find(inside, "lp/x.csv")
	require.NoError(t, err)
	require.Equal(t, filepath.Join(data, "x.csv"), path)
	_, err = find(inside, "lp/y.csv")
	require.ErrorIs(t, err, os.ErrNotExist)
}
