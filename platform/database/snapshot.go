package database

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// beginSnapshot plans each statement once per connection, not for each of its arguments.
const beginSnapshot = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL plan_cache_mode = force_generic_plan"

// Snapshot lends a raw pgx connection to fn, on which every statement sees the database as of the first one. It is for look-ups
// by keys, for which planning would take longer than reading: their plans do not depend on their arguments. It ends with a
// rollback, which undoes fn's settings, so it costs less than Conn. fn must not keep the connection, and must not take session
// locks. In the transaction of ctx it is Conn.
func (db *DB) Snapshot(ctx context.Context, fn func(c *pgx.Conn) error) error {
	if tx := db.current(ctx); tx != nil {
		return fn(tx.conn)
	}
	pc, err := db.acquire(ctx, beginSnapshot)
	if err != nil {
		return fmt.Errorf("begin a snapshot: %w", err)
	}
	defer pc.Release() // the pool drops a connection that is still in a transaction
	c := pc.Conn()
	defer func() {
		// The caller's context may have ended; the connection must not be lost.
		rctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), DefaultConnectTimeout)
		defer cancel()
		_, _ = c.Exec(rctx, "ROLLBACK")
	}()
	return fn(c)
}

// acquire takes a connection for reads, and runs a statement on it unless that is empty: the standby's if that answers, else the primary's.
func (db *DB) acquire(ctx context.Context, first string) (*pgxpool.Conn, error) {
	take := func(pool *pgxpool.Pool) (*pgxpool.Conn, error) {
		pc, err := pool.Acquire(ctx)
		if err != nil {
			return nil, err
		}
		if first == "" {
			return pc, nil
		}
		if _, err := pc.Exec(ctx, first); err != nil {
			pc.Release()
			return nil, err
		}
		return pc, nil
	}
	if s := db.behind(ctx); s != nil {
		pc, err := take(s.pool)
		if !s.refused(ctx, err) {
			return pc, err
		}
	}
	return take(db.pool)
}

// InTransaction reports whether ctx carries a transaction: see InTx.
func (db *DB) InTransaction(ctx context.Context) bool { return db.current(ctx) != nil }
