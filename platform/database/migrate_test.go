package database_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"gpatlas/platform/database"
	"gpatlas/platform/testkit/dbtest"
)

// Guarantee: several processes that migrate one empty database at once all succeed, and each file is applied once.
func TestMigrateUpAtOnce(t *testing.T) {
	t.Parallel()
	url := dbtest.NewEmptyURL(t)
	var g errgroup.Group
	for range 3 {
		g.Go(func() error { return database.MigrateUp(t.Context(), url) })
	}
	require.NoError(t, g.Wait())
	list, err := database.MigrateStatus(t.Context(), url)
	require.NoError(t, err)
	require.NotEmpty(t, list)
	for _, m := range list {
		require.True(t, m.Applied, m.File)
		require.False(t, m.AppliedAt.IsZero(), m.File)
	}
	db, err := database.Open(t.Context(), database.Config{URL: url})
	require.NoError(t, err)
	t.Cleanup(db.Close)
	var rows int
	require.NoError(t, db.From(t.Context()).Raw("SELECT count(*) FROM goose_db_version WHERE version_id > 0").Scan(&rows).Error)
	require.Len(t, list, rows)
}

func TestMigrateDown(t *testing.T) {
	t.Parallel()
	url := dbtest.NewEmptyURL(t)
	require.NoError(t, database.MigrateUp(t.Context(), url))
	list, err := database.MigrateStatus(t.Context(), url)
	require.NoError(t, err)
	require.NoError(t, database.MigrateDown(t.Context(), url, list[0].Version))
	after, err := database.MigrateStatus(t.Context(), url)
	require.NoError(t, err)
	for i, m := range after {
		require.Equal(t, i == 0, m.Applied, m.File)
	}
	require.NoError(t, database.MigrateUp(t.Context(), url), "up again after down")
}

func TestMigrateBadAddress(t *testing.T) {
	t.Parallel()
	require.ErrorContains(t, database.MigrateUp(t.Context(), "postgres://u:secret@h:port/x"), "DATABASE_URL")
	_, err := database.MigrateStatus(t.Context(), "postgres://u:secret@127.0.0.1:1/x")
	require.Error(t, err)
	require.NotContains(t, err.Error(), "secret")
}
