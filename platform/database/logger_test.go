package database_test

import (
	"bytes"
	"context"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"
	"gorm.io/gorm"

	"gpatlas/platform/database"
	"gpatlas/platform/testkit/dbtest"
)

// What stores expect, a row that is there already or one that refers to none, is an error to them and nothing to the log;
// other failures are logged, without their values.
func TestExpectedConflictsAreNotLogged(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	db, err := database.Open(t.Context(), database.Config{URL: dbtest.URL(t, dbtest.New(t)), MaxConns: 1, Logger: slog.New(slog.NewTextHandler(&out, nil))})
	require.NoError(t, err)
	t.Cleanup(db.Close)
	run := func(ctx context.Context, sql string, args ...any) error { return db.From(ctx).Exec(sql, args...).Error }
	require.NoError(t, run(t.Context(), "CREATE TEMP TABLE lists (id int PRIMARY KEY, name text UNIQUE, parent int REFERENCES lists (id))"))
	require.NoError(t, run(t.Context(), "INSERT INTO lists VALUES (1, 'Larkspur')"))
	require.ErrorIs(t, run(t.Context(), "INSERT INTO lists VALUES (?, ?)", 2, "Larkspur"), gorm.ErrDuplicatedKey)
	require.ErrorIs(t, run(t.Context(), "INSERT INTO lists VALUES (?, ?, ?)", 2, "Mossgate", 9), gorm.ErrForeignKeyViolated)
	require.ErrorIs(t, db.InTx(t.Context(), func(ctx context.Context) error {
		return run(ctx, "UPDATE lists SET id = 1 FROM (VALUES (1)) x WHERE id = 1; INSERT INTO lists VALUES (1)")
	}), gorm.ErrDuplicatedKey)
	require.Empty(t, out.String())

	require.Error(t, run(t.Context(), "INSERT INTO nowhere VALUES (?)", "a secret value"))
	require.Contains(t, out.String(), "level=ERROR")
	require.Contains(t, out.String(), "nowhere")
	require.NotContains(t, out.String(), "a secret value")
	require.Error(t, db.From(t.Context()).Debug().Exec("INSERT INTO nowhere VALUES (?)", "a secret value").Error)
	require.NotContains(t, out.String(), "a secret value")
}
