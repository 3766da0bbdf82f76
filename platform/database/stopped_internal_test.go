package database

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// A server that is stopped answers nothing and closes nothing. Each statement ends all the same, by the client's limit.
func TestStoppedServer(t *testing.T) {
	t.Parallel()
	statement := func(ctx context.Context, db *DB) error {
		_, err := Run(ctx, db, "wait", "SELECT 1", nil)
		return err
	}
	const standard = DefaultStatementTimeout + statementSlack
	for name, c := range map[string]struct {
		ctx  func(ctx context.Context) context.Context
		run  func(ctx context.Context, db *DB) error
		want time.Duration
	}{
		"statement": {run: statement, want: standard},
		"transaction": {run: func(ctx context.Context, db *DB) error {
			return db.InTx(ctx, func(context.Context) error { return nil })
		}, want: standard},
		"connection": {run: func(ctx context.Context, db *DB) error {
			return db.Conn(ctx, func(c *pgx.Conn) error {
				_, err := c.Exec(ctx, "SELECT 1")
				return err
			})
		}, want: standard},
		"deadline of a job": {run: statement, want: standard, ctx: func(ctx context.Context) context.Context {
			ctx, cancel := context.WithTimeout(ctx, 10*time.Minute)
			context.AfterFunc(ctx, cancel)
			return ctx
		}},
		"load":               {run: statement, want: time.Hour, ctx: func(ctx context.Context) context.Context { return WithStatementLimit(ctx, time.Hour) }},
		"limit of a request": {run: statement, want: time.Second, ctx: func(ctx context.Context) context.Context { return WithLimit(ctx, time.Second) }},
		"longer than a request": {run: statement, want: standard, ctx: func(ctx context.Context) context.Context {
			return WithoutLimit(WithLimit(ctx, time.Second))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := &server{}
				db := openServers(t, Config{}, s)
				defer s.close()
				defer db.Close()
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				if c.ctx != nil {
					ctx = c.ctx(ctx)
				}
				require.NoError(t, c.run(ctx, db))
				s.set(func() { s.frozen = true })
				began := time.Now()
				err := c.run(ctx, db)
				require.ErrorIs(t, err, context.DeadlineExceeded)
				require.True(t, Away(err), "%v", err)
				require.Equal(t, c.want, time.Since(began))
			})
		})
	}
}
