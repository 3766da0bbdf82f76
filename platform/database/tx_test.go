package database_test

import (
	"context"
	"errors"
	"io"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"gpatlas/platform/apperr"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/dbtest"
)

var errWrong = errors.New("wrong")

// numbers is a database with a table to write numbers to.
func numbers(t *testing.T) *database.DB {
	t.Helper()
	db := open(t, func(c *database.Config) { c.MaxConns = 4 })
	require.NoError(t, db.From(t.Context()).Exec("CREATE TABLE numbers (n int PRIMARY KEY)").Error)
	return db
}

func put(ctx context.Context, db *database.DB, n int) error {
	return db.From(ctx).Exec("INSERT INTO numbers VALUES (?)", n).Error
}

func stored(t *testing.T, ctx context.Context, db *database.DB) []int {
	t.Helper()
	list := []int{}
	require.NoError(t, db.From(ctx).Raw("SELECT n FROM numbers ORDER BY n").Scan(&list).Error)
	return list
}

func TestInTx(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fn   func(ctx context.Context, db *database.DB) error
		err  error
		want []int
	}{
		"commits": {func(ctx context.Context, db *database.DB) error { return put(ctx, db, 1) }, nil, []int{1}},
		"rolls back on failure": {func(ctx context.Context, db *database.DB) error {
			return errors.Join(put(ctx, db, 1), errWrong)
		}, errWrong, []int{}},
		"a savepoint that fails undoes only itself": {func(ctx context.Context, db *database.DB) error {
			if err := put(ctx, db, 1); err != nil {
				return err
			}
			inner := db.InTx(ctx, func(ctx context.Context) error {
				return errors.Join(put(ctx, db, 2), put(ctx, db, 1)) // the second breaks a constraint
			})
			if inner == nil {
				return errors.New("the duplicate went through")
			}
			return put(ctx, db, 3)
		}, nil, []int{1, 3}},
		"a savepoint that succeeds belongs to the outer one": {func(ctx context.Context, db *database.DB) error {
			if err := db.InTx(ctx, func(ctx context.Context) error { return put(ctx, db, 2) }); err != nil {
				return err
			}
			return errWrong
		}, errWrong, []int{}},
		"three deep": {func(ctx context.Context, db *database.DB) error {
			return db.InTx(ctx, func(ctx context.Context) error {
				_ = db.InTx(ctx, func(ctx context.Context) error {
					return errors.Join(put(ctx, db, 1), errWrong)
				})
				return put(ctx, db, 2)
			})
		}, nil, []int{2}},
		"a savepoint whose panic is caught": {func(ctx context.Context, db *database.DB) error {
			func() {
				defer func() { _ = recover() }()
				_ = db.InTx(ctx, func(ctx context.Context) error {
					_ = put(ctx, db, 1)
					panic("inner")
				})
			}()
			return put(ctx, db, 2)
		}, nil, []int{2}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := numbers(t)
			err := db.InTx(t.Context(), func(ctx context.Context) error { return c.fn(ctx, db) })
			require.ErrorIs(t, err, c.err)
			require.Equal(t, c.want, stored(t, t.Context(), db))
			requireAllBack(t, db)
		})
	}
}

func TestInTxPanic(t *testing.T) {
	t.Parallel()
	db := numbers(t)
	require.PanicsWithValue(t, "boom", func() {
		_ = db.InTx(t.Context(), func(ctx context.Context) error {
			_ = put(ctx, db, 1)
			panic("boom")
		})
	})
	require.Empty(t, stored(t, t.Context(), db))
	requireAllBack(t, db)
}

// Guarantee: outside, nothing of a transaction is seen before its end; inside, GORM and the raw connection see one another.
func TestConnInTx(t *testing.T) {
	t.Parallel()
	db := numbers(t)
	err := db.InTx(t.Context(), func(ctx context.Context) error {
		require.NoError(t, put(ctx, db, 1))
		require.NoError(t, db.Conn(ctx, func(c *pgx.Conn) error {
			n, err := c.CopyFrom(ctx, pgx.Identifier{"numbers"}, []string{"n"}, pgx.CopyFromRows([][]any{{2}, {3}}))
			require.EqualValues(t, 2, n)
			return err
		}))
		require.Equal(t, []int{1, 2, 3}, stored(t, ctx, db))
		require.Empty(t, stored(t, t.Context(), db))
		return errWrong
	})
	require.ErrorIs(t, err, errWrong)
	require.Empty(t, stored(t, t.Context(), db))
}

// Guarantee: a transaction whose context ends is not committed, even when fn does not notice.
func TestInTxCancelled(t *testing.T) {
	t.Parallel()
	db := numbers(t)
	ctx, cancel := context.WithCancel(t.Context())
	err := db.InTx(ctx, func(ctx context.Context) error {
		require.NoError(t, put(ctx, db, 1))
		cancel()
		return nil
	})
	require.ErrorIs(t, err, context.Canceled)
	require.Empty(t, stored(t, t.Context(), db))
	require.ErrorIs(t, db.InTx(ctx, func(context.Context) error { return nil }), context.Canceled)
	requireAllBack(t, db)
}

// Guarantee: cancelling in the middle of a COPY ends it, and the pool is sound afterwards.
func TestInTxCancelledInCopy(t *testing.T) {
	t.Parallel()
	db := numbers(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	next := 0
	err := db.InTx(ctx, func(ctx context.Context) error {
		return db.Conn(ctx, func(c *pgx.Conn) error {
			_, err := c.CopyFrom(ctx, pgx.Identifier{"numbers"}, []string{"n"}, pgx.CopyFromFunc(func() ([]any, error) {
				next++
				if next == 100_000 {
					cancel()
				}
				return []any{next}, nil
			}))
			return err
		})
	})
	require.Error(t, err)
	require.Empty(t, stored(t, t.Context(), db))
	requireAllBack(t, db)
}

// Guarantee: a context kept beyond its transaction falls back to the plain handle, never to a finished transaction.
func TestContextOutlivesTransaction(t *testing.T) {
	t.Parallel()
	db := numbers(t)
	var kept context.Context
	require.NoError(t, db.InTx(t.Context(), func(ctx context.Context) error { kept = ctx; return nil }))
	require.NoError(t, put(kept, db, 1))
	require.Equal(t, []int{1}, stored(t, t.Context(), db))
}

// Guarantee: two databases in one context keep their transactions apart.
func TestInTxOfTwoDatabases(t *testing.T) {
	t.Parallel()
	a, b := numbers(t), numbers(t)
	err := a.InTx(t.Context(), func(ctx context.Context) error {
		require.NoError(t, put(ctx, a, 1))
		require.NoError(t, put(ctx, b, 2))
		return errWrong
	})
	require.ErrorIs(t, err, errWrong)
	require.Empty(t, stored(t, t.Context(), a))
	require.Equal(t, []int{2}, stored(t, t.Context(), b))
}

// Whoever runs a transaction need not classify its errors: those of the database that is unavailable are Unavailable, and all
// others are as the function gave them.
func TestInTxClassifies(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	kind := func(fn func(ctx context.Context) error) apperr.Kind {
		return apperr.From(db.InTx(t.Context(), fn)).Kind
	}
	end := func(ctx context.Context) error {
		return db.From(ctx).Exec("SELECT pg_terminate_backend(pg_backend_pid())").Error
	}
	require.Equal(t, apperr.KindUnavailable, kind(end), "in the middle")
	require.Equal(t, apperr.KindUnavailable, kind(func(ctx context.Context) error {
		_ = end(ctx)
		return nil
	}), "at the commit")
	require.Equal(t, apperr.KindUnavailable, kind(func(ctx context.Context) error { return db.InTx(ctx, end) }), "in a savepoint")
	require.Equal(t, apperr.KindInternal, kind(func(ctx context.Context) error { return db.From(ctx).Exec("SELECT nothing").Error }))
	require.Equal(t, apperr.KindInternal, kind(func(context.Context) error { return io.ErrUnexpectedEOF }), "of a file")
	conflict := apperr.New(apperr.KindConflict, "It is there already")
	require.Same(t, conflict, db.InTx(t.Context(), func(context.Context) error { return conflict }))
	db.Close()
	err := db.InTx(t.Context(), func(context.Context) error { return nil })
	require.Equal(t, apperr.KindUnavailable, apperr.From(err).Kind, "before the beginning")
	require.True(t, database.Away(err), "%v", err)
	require.Equal(t, err, database.Failure("said already", err))
}

// requireAllBack takes every connection of the pool at once. One that is destroyed is given back by a goroutine, so a count may come too early.
func requireAllBack(t *testing.T, db *database.DB) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	for n := range db.Pool().Config().MaxConns {
		conn, err := db.Pool().Acquire(ctx)
		require.NoError(t, err, "connection %d is not given back", n)
		defer conn.Release()
	}
}
