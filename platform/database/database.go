// Package database is the access to PostgreSQL: one pool shared by GORM and by raw pgx, transactions in the context, and the
// embedded migrations. Stores take a *DB and get their handle from the context.
package database

import (
	"context"
	"database/sql"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"

	"gpatlas/platform/clock"
)

// slowStatement is the duration from which on a statement is logged.
const slowStatement = time.Second

// resetSession restores the session state of a connection that was used raw before it returns to the pool: no subscriptions,
// changed settings, temporary tables or session locks.
const resetSession = "UNLISTEN *; RESET ALL; DISCARD TEMP; SELECT pg_advisory_unlock_all()"

// DB is one PostgreSQL database. It is safe for concurrent use.
type DB struct {
	pool   *pgxpool.Pool
	direct *pgxpool.Pool // for Listen; pool itself, unless that leads to a pooler
	sql    *sql.DB
	gorm   *gorm.DB

	standby *standby // nil: there is none
	reads   bool     // of Reader
}

// Open checks the settings and connects once, so that a wrong URL is found at the start and not with the first request. The
// error contains no password.
func Open(ctx context.Context, cfg Config) (*DB, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	pc, err := poolConfig(cfg)
	if err != nil {
		return nil, badURL(cfg.URL, nil, err)
	}
	db, err := open(ctx, cfg, pc)
	if err != nil {
		return nil, err
	}
	if cfg.DirectURL != "" {
		err = db.openDirect(ctx, cfg.Direct())
	}
	if err == nil {
		err = checkTimeout(ctx, db.pool, cfg)
	}
	if err != nil {
		db.Close()
		return nil, err
	}
	return db, nil
}

func open(ctx context.Context, cfg Config, pc *pgxpool.Config) (*DB, error) {
	pool, err := connect(ctx, pc)
	if err != nil {
		return nil, err
	}
	sqlDB := stdlib.OpenDBFromPool(pool)
	g, err := gorm.Open(postgres.New(postgres.Config{Conn: sqlDB}), gormConfig(cfg))
	if err != nil {
		_ = sqlDB.Close()
		pool.Close()
		return nil, fmt.Errorf("open gorm: %w", err)
	}
	db := &DB{pool: pool, direct: pool, sql: sqlDB, gorm: g}
	if cfg.ReadURL != "" {
		if db.standby, err = openStandby(ctx, cfg, pool); err != nil {
			db.Close()
			return nil, err
		}
	}
	return db, nil
}

// connect opens a pool and one connection of it.
func connect(ctx context.Context, pc *pgxpool.Config) (*pgxpool.Pool, error) {
	var opened atomic.Pointer[pgxpool.Pool]
	keep := pc.ConnConfig.OnPgError
	pc.ConnConfig.OnPgError = func(c *pgconn.PgConn, e *pgconn.PgError) bool {
		if e.Code != codeReadOnly {
			return keep(c, e)
		}
		if pool := opened.Load(); pool != nil { // the others lead to the same server
			pool.Reset()
		}
		return false // closes the connection
	}
	pool, err := pgxpool.NewWithConfig(ctx, pc)
	if err != nil {
		return nil, fmt.Errorf("open database pool: %w", err)
	}
	opened.Store(pool)
	if err := pool.Ping(ctx); err != nil {
		pool.Close()
		return nil, unreachable(err, pc.ConnConfig)
	}
	return pool, nil
}

// gormConfig: no transaction around every single write (services open one if needed), driver errors translated to
// gorm.ErrDuplicatedKey and similar ones, and no statement cache besides pgx's.
func gormConfig(cfg Config) *gorm.Config {
	var clk clock.Clock = clock.System{}
	if cfg.Clock != nil {
		clk = cfg.Clock
	}
	log := logger.Discard
	if cfg.Logger != nil {
		log = newStatementLog(cfg.Logger)
	}
	return &gorm.Config{
		SkipDefaultTransaction: true,
		TranslateError:         true,
		DisableAutomaticPing:   true,
		Logger:                 log,
		NowFunc:                clk.Now,
	}
}

// Pool is the underlying pool, for metrics and long-lived listeners, which neither GORM nor Conn offers.
func (db *DB) Pool() *pgxpool.Pool { return db.pool }

// From is the GORM handle for ctx: the transaction of InTx, or the plain handle.
func (db *DB) From(ctx context.Context) *gorm.DB {
	if tx := db.current(ctx); tx != nil {
		return tx.gorm.WithContext(ctx)
	}
	if s := db.behind(ctx); s != nil {
		return s.gorm.WithContext(ctx)
	}
	return db.gorm.WithContext(ctx)
}

// Conn lends a raw pgx connection to fn, for COPY, LISTEN and long reads: the connection of ctx's transaction, so that a COPY
// is part of the transaction, else one of the pool, whose session state (LISTEN, SET, temporary tables, session locks) is reset
// afterwards. fn must not keep it, and must not use From while it reads rows from it.
func (db *DB) Conn(ctx context.Context, fn func(c *pgx.Conn) error) error {
	if tx := db.current(ctx); tx != nil {
		return fn(tx.conn)
	}
	pc, err := db.acquire(ctx, "")
	if err != nil {
		return fmt.Errorf("take a connection: %w", err)
	}
	return lend(ctx, pc, fn)
}

// lend resets the connection's session after fn, and returns it to its pool.
func lend(ctx context.Context, pc *pgxpool.Conn, fn func(c *pgx.Conn) error) error {
	c := pc.Conn()
	defer func() {
		// The caller's context may have ended; the connection must be reset all the same.
		rctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), DefaultConnectTimeout)
		defer cancel()
		if _, err := c.PgConn().Exec(rctx, resetSession).ReadAll(); err != nil {
			_ = c.Close(rctx) // the pool drops a closed connection
		}
		pc.Release()
	}()
	return fn(c)
}

// Ping reports whether the database answers.
func (db *DB) Ping(ctx context.Context) error { return db.pool.Ping(ctx) }

// Close ends every connection and waits for those in use. It may be called twice.
func (db *DB) Close() {
	db.standby.close()
	_ = db.sql.Close()
	db.pool.Close()
	db.direct.Close()
}
