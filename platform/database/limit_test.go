package database_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"gpatlas/platform/database"
	"gpatlas/platform/testkit/dbtest"
)

// ways are all ways to the database: each runs a statement that takes some seconds.
func ways(db *database.DB) map[string]func(ctx context.Context, seconds float64) error {
	const sleep = "SELECT pg_sleep($1)"
	return map[string]func(ctx context.Context, seconds float64) error{
		"GORM": func(ctx context.Context, s float64) error {
			var void string
			return db.From(ctx).Raw("SELECT pg_sleep(?)::text", s).Scan(&void).Error
		},
		"GORM rows": func(ctx context.Context, s float64) error {
			return db.From(ctx).Exec("SELECT pg_sleep(?)", s).Error
		},
		"pool": func(ctx context.Context, s float64) error {
			_, err := db.Pool().Exec(ctx, sleep, s)
			return err
		},
		"row": func(ctx context.Context, s float64) error {
			var void any
			return db.Pool().QueryRow(ctx, sleep, s).Scan(&void)
		},
		"connection": func(ctx context.Context, s float64) error {
			return db.Conn(ctx, func(c *pgx.Conn) error {
				_, err := c.Exec(ctx, sleep, s)
				return err
			})
		},
		"batch": func(ctx context.Context, s float64) error {
			batch := &pgx.Batch{}
			batch.Queue(sleep, s)
			return db.Pool().SendBatch(ctx, batch).Close()
		},
		"transaction": func(ctx context.Context, s float64) error {
			return db.InTx(ctx, func(ctx context.Context) error { return db.From(ctx).Exec("SELECT pg_sleep(?)", s).Error })
		},
		"savepoint": func(ctx context.Context, s float64) error {
			return db.InTx(ctx, func(ctx context.Context) error {
				return db.InTx(ctx, func(ctx context.Context) error { return db.From(ctx).Exec("SELECT pg_sleep(?)", s).Error })
			})
		},
	}
}

// Whichever way a statement goes, it ends with the limit of its context, as a database that is unavailable; the next one fails
// at once; and others, without the limit, find a pool that is whole.
func TestLimit(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	for name, run := range ways(db) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx := database.WithLimit(t.Context(), 300*time.Millisecond)
			began := time.Now()
			err := run(ctx, 60)
			require.ErrorIs(t, err, context.DeadlineExceeded)
			require.True(t, database.Away(err), "%v", err)
			took := time.Since(began)
			require.GreaterOrEqual(t, took, 300*time.Millisecond)
			require.Less(t, took, 20*time.Second)

			began = time.Now()
			require.ErrorIs(t, run(ctx, 0), context.DeadlineExceeded, "nothing is left")
			require.ErrorIs(t, run(context.WithoutCancel(ctx), 0), context.DeadlineExceeded, "also for what must be cleared up")
			require.Less(t, time.Since(began), 20*time.Second)
			require.NoError(t, run(t.Context(), 0))
			require.NoError(t, run(database.WithoutLimit(ctx), 0))
		})
	}
}

// What a context's statements take is added up. What others do, and what it does without the limit, does not count.
func TestLimitIsASum(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	var all errgroup.Group // subtests would wait for each other: as many run at once as there are processors
	for name, run := range ways(db) {
		all.Go(func() error {
			ctx := database.WithLimit(t.Context(), 4*time.Second)
			for i, step := range []struct {
				ctx     context.Context
				seconds float64
				want    error
			}{
				{t.Context(), 1, nil},
				{database.WithoutLimit(ctx), 1, nil},
				{ctx, 1, nil},
				{database.WithoutLimit(ctx), 1, nil},
				{ctx, 60, context.DeadlineExceeded},
			} {
				if err := run(step.ctx, step.seconds); !errors.Is(err, step.want) {
					return fmt.Errorf("%s, statement %d: %w, want %w", name, i+1, err, step.want)
				}
			}
			return nil
		})
	}
	require.NoError(t, all.Wait())
}

// Waiting for a connection counts too.
func TestLimitOfTheWaitForAConnection(t *testing.T) {
	t.Parallel()
	cfg := database.Config{URL: dbtest.URL(t, dbtest.New(t)), MaxConns: 1}
	db, err := database.Open(t.Context(), cfg)
	require.NoError(t, err)
	t.Cleanup(db.Close)
	held, err := db.Pool().Acquire(t.Context())
	require.NoError(t, err)
	for name, run := range ways(db) {
		err := run(database.WithLimit(t.Context(), 50*time.Millisecond), 0)
		require.ErrorIs(t, err, context.DeadlineExceeded, name)
		require.True(t, database.Away(err), name)
	}
	held.Release()
	for name, run := range ways(db) {
		require.NoError(t, run(database.WithLimit(t.Context(), time.Minute), 0), name)
	}
}
