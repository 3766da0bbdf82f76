package dataops_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/dataops"
)

// stopped is a resolver that is stopped the first time.
type stopped struct{ refresher }

func (c *stopped) Refresh(ctx context.Context) (int, error) {
	if c.calls++; c.calls == 1 {
		return 0, errors.New("stopped")
	}
	return 3, nil
}

// People who were not read after a load are read by the next ingestion, whether or not that brings anything.
func TestIngestContinuesWithPeople(t *testing.T) {
	t.Parallel()
	deps, people := setup(t), &stopped{}
	deps.People = people
	path := filepath.Join(t.TempDir(), "ia110126.csv")
	require.NoError(t, os.WriteFile(path, []byte(roster(5)), 0o600))
	_, err := dataops.Ingest(t.Context(), deps, []string{path}, dataops.IngestOptions{})
	require.ErrorContains(t, err, "their people are not read yet; run the command again")
	sum, err := dataops.Ingest(t.Context(), deps, []string{path}, dataops.IngestOptions{})
	require.NoError(t, err)
	require.False(t, sum.Changed)
	require.Equal(t, 2, people.calls)
}
