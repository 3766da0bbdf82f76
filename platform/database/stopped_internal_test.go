package database

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"gpatlas/platform/apperr"
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

// A listener notices a stopped server by its own questions, replaces the pool's idle connections, and listens at another one.
func TestFollowLeavesAStoppedServer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		one, two := &server{}, &server{}
		db := openServers(t, Config{ConnectTimeout: time.Second}, one, two)
		defer func() { one.close(); two.close() }()
		defer db.Close()
		ctx, stop := context.WithCancel(t.Context())
		var heard, lost []time.Duration
		began := time.Now()
		done := make(chan struct{})
		go func() {
			defer close(done)
			db.Follow(ctx, Follower{
				Listening: func() { heard = append(heard, time.Since(began)) },
				Lost:      func(error) { lost = append(lost, time.Since(began)) },
			}, "news")
		}()
		synctest.Wait() // until it listens, so that the ping has a connection of its own
		require.NoError(t, db.Ping(t.Context()))
		synctest.Wait()
		require.Positive(t, db.Pool().Stat().IdleConns())
		one.set(func() { one.frozen = true })
		time.Sleep(10 * time.Second) // of the test's own clock
		synctest.Wait()
		require.Equal(t, []time.Duration{AliveEvery + listenPatience}, lost)
		require.Equal(t, []time.Duration{0, AliveEvery + listenPatience + relistenMin + time.Second}, heard)
		require.Zero(t, db.Pool().Stat().IdleConns(), "those to the stopped server")
		stop()
		<-done
	})
}

// A primary that has become a standby refuses writes. That is no fault of the statement, and the next one finds the new primary.
func TestPrimaryBecomesAStandby(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		one, two := &server{}, &server{}
		db := openServers(t, Config{}, one, two)
		defer func() { one.close(); two.close() }()
		defer db.Close()
		var held sync.WaitGroup
		for range 3 { // as many connections
			held.Go(func() { _, _ = Run(t.Context(), db, "write", "INSERT 1", nil) })
		}
		held.Wait()
		one.set(func() { one.refuse, one.down = codeReadOnly, true })
		_, err := Run(t.Context(), db, "write", "INSERT 1", nil)
		require.Equal(t, apperr.KindUnavailable, apperr.From(err).Kind, "%v", err)
		require.True(t, Away(err))
		for range 4 {
			_, err = Run(t.Context(), db, "write", "INSERT 1", nil)
			require.NoError(t, err)
		}
		one.set(func() { one.refuse = "42P01" })
		two.set(func() { two.refuse = "42P01" })
		_, err = Run(t.Context(), db, "write", "INSERT 1", nil)
		require.False(t, Away(err))
		require.Positive(t, db.Pool().Stat().IdleConns(), "other errors leave the connection")
	})
}

// One connection waits for the stopped host, not each. Where the primary goes, its host comes first.
func TestStoppedHostCostsOneConnection(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		one, two := &server{}, &server{}
		db := openServers(t, Config{}, one, two)
		defer func() { one.close(); two.close() }()
		defer db.Close()
		request := func() time.Duration {
			began := time.Now()
			_, err := Run(WithLimit(t.Context(), 5*time.Second), db, "read", "SELECT 1", nil)
			require.NoError(t, err)
			return time.Since(began)
		}
		for _, stopped := range []*server{one, two} {
			stopped.set(func() { stopped.frozen = true })
			db.Pool().Reset()
			require.Equal(t, DefaultHostTimeout, request())
			for range 3 {
				db.Pool().Reset() // each has a connection of its own
				require.Zero(t, request())
			}
			stopped.set(func() { stopped.frozen = false })
		}
	})
}
