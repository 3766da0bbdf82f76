package database_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/apperr"
	"gpatlas/platform/database"
)

type pair struct {
	ID   int
	Name *string `db:"legal_name"`
}

func TestStatements(t *testing.T) {
	t.Parallel()
	db, ctx := numbers(t), t.Context()
	affected, err := database.Run(ctx, db, "add numbers", "INSERT INTO numbers SELECT generate_series(1, @n)", database.Args{"n": 3})
	require.NoError(t, err)
	require.EqualValues(t, 3, affected)
	list, err := database.Values[int](ctx, db, "read numbers", "SELECT n FROM numbers WHERE n > @n ORDER BY n", database.Args{"n": 1})
	require.NoError(t, err)
	require.Equal(t, []int{2, 3}, list)
	pairs, err := database.Select[pair](ctx, db, "read pairs", "SELECT NULL AS legal_name, n AS id FROM numbers WHERE n = @n", database.Args{"n": 2})
	require.NoError(t, err)
	require.Equal(t, []pair{{ID: 2}}, pairs)
	_, err = database.Select[pair](ctx, db, "read pairs", "SELECT n AS id FROM numbers", nil)
	require.ErrorContains(t, err, "read pairs: cannot find field legal_name in returned row")
}

// Statements belong to the transaction of their context.
func TestStatementsInTx(t *testing.T) {
	t.Parallel()
	db := numbers(t)
	err := db.InTx(t.Context(), func(ctx context.Context) error {
		_, err := database.Run(ctx, db, "add a number", "INSERT INTO numbers VALUES (@n)", database.Args{"n": 1})
		require.NoError(t, err)
		inside, err := database.Values[int](ctx, db, "read numbers", "SELECT n FROM numbers", nil)
		require.NoError(t, err)
		require.Equal(t, []int{1}, inside)
		return errWrong
	})
	require.ErrorIs(t, err, errWrong)
	require.Empty(t, stored(t, t.Context(), db))
}

// Without the database statements fail as unavailable, and within the time limit of their context.
func TestStatementsFail(t *testing.T) {
	t.Parallel()
	db := open(t, func(c *database.Config) { c.MaxConns = 2 })
	limited := database.WithLimit(t.Context(), 50*time.Millisecond)
	_, err := database.Run(limited, db, "wait", "SELECT pg_sleep(60)", nil)
	require.Equal(t, apperr.KindUnavailable, apperr.From(err).Kind)
	_, err = database.Values[int](t.Context(), db, "read nothing", "SELECT n FROM nowhere", nil)
	require.ErrorContains(t, err, "read nothing: ")
	require.Equal(t, apperr.KindInternal, apperr.From(err).Kind)
	db.Close()
	_, err = database.Values[int](t.Context(), db, "read one", "SELECT 1", nil)
	require.Equal(t, apperr.KindUnavailable, apperr.From(err).Kind)
}
