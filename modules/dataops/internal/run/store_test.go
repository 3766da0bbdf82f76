package run_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/run"
	"gpatlas/platform/testkit/dbtest"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func start(name string) run.Start { return run.Start{Document: name, Location: "/d/" + name, At: noon} }

// A run is there while it runs, and has its outcome at its end.
func TestDo(t *testing.T) {
	t.Parallel()
	store := run.NewStore(dbtest.New(t))
	id, end, err := do(t.Context(), store, start("a.zip"), func(ctx context.Context, id int64) run.End {
		list, err := store.List(ctx, 10)
		require.NoError(t, err)
		require.Len(t, list, 1)
		require.Equal(t, id, list[0].ID)
		require.Equal(t, run.Running, list[0].State)
		require.NoError(t, store.Quarantine(ctx, id, []catalogapi.Rejected{{File: "x.csv", Line: 3, Reason: "bad \x00", Raw: "\xff\x00"}}))
		return run.End{Source: "roster", SHA256: "ab", Bytes: 9, Result: catalogapi.LoadResult{RowsRead: 7}, Quarantined: 1, At: noon.Add(time.Second)}
	})
	require.NoError(t, err)
	require.NoError(t, end.Err)
	list, err := store.List(t.Context(), 10)
	require.NoError(t, err)
	require.Equal(t, id, list[0].ID)
	require.Equal(t, run.Completed, list[0].State)
	require.Equal(t, "roster", list[0].Source)
	require.Equal(t, int64(7), list[0].RowsRead)
	require.Equal(t, int64(1), list[0].Quarantined)
	require.Equal(t, noon, list[0].StartedAt.UTC())
	require.Equal(t, noon.Add(time.Second), list[0].FinishedAt.UTC())
}

// A run that fails has the reason, also when its context is over by then.
func TestDoFailsWithItsContext(t *testing.T) {
	t.Parallel()
	store := run.NewStore(dbtest.New(t))
	ctx, cancel := context.WithCancel(t.Context())
	_, _, err := do(ctx, store, start("a.zip"), func(context.Context, int64) run.End {
		cancel()
		return run.End{Err: errors.New("it rained"), At: noon}
	})
	require.NoError(t, err)
	list, err := store.List(t.Context(), 10)
	require.NoError(t, err)
	require.Equal(t, run.Failed, list[0].State)
	require.Equal(t, run.UnknownSource, list[0].Source)
	require.Equal(t, "it rained", *list[0].Error)
}

// Runs of dead processes are marked as failed; those at work are left alone.
func TestRecoverStale(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	store := run.NewStore(db)
	dead := db.From(t.Context()).Exec(`INSERT INTO dataops.ingestion_runs (source, document, location, state, started_at)
		VALUES ('unknown', 'dead.zip', '/d/dead.zip', 'running', '2026-11-21T13:00:00Z')`)
	require.NoError(t, dead.Error)
	_, _, err := do(t.Context(), store, start("alive.zip"), func(ctx context.Context, _ int64) run.End {
		n, err := store.RecoverStale(ctx, noon)
		require.NoError(t, err)
		require.Equal(t, int64(1), n)
		return run.End{At: noon}
	})
	require.NoError(t, err)
	list, err := store.List(t.Context(), 10)
	require.NoError(t, err)
	require.Equal(t, "dead.zip", list[0].Document)
	require.Equal(t, run.Failed, list[0].State)
	require.Contains(t, *list[0].Error, "ended before it was done")
	require.Equal(t, run.Completed, list[1].State)
	n, err := store.RecoverStale(t.Context(), noon)
	require.NoError(t, err)
	require.Zero(t, n)
}
