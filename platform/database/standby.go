package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"

	"gpatlas/platform/clock"
	"gpatlas/platform/startstop"
)

const (
	// watchEvery is how often the standby's lag is measured, watchPatience how long each server may take to answer.
	watchEvery, watchPatience = time.Second, 2 * time.Second
	// codeConflict is what a standby answers to a read that its replay had to cancel.
	codeConflict = "40001"

	writtenSQL  = "SELECT (pg_current_wal_lsn() - '0/0')::bigint"
	replayedSQL = "SELECT (CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END - '0/0')::bigint"
)

// standby is a server that replays the primary's log, for reads that may be a little behind.
type standby struct {
	pool *pgxpool.Pool
	sql  *sql.DB
	gorm *gorm.DB
	lag  time.Duration // the bound
	log  *slog.Logger

	usable atomic.Bool
	// written are positions of the primary's log that the standby has not replayed, with the times when they were seen.
	written []position
	stop    func() // ends the watch; nil before it began
}

type position struct {
	at  time.Time
	lsn int64
}

// Reader is the database for reads that may be DATABASE_READ_LAG behind: they go to the standby of DATABASE_READ_URL, unless it
// is further behind or unavailable. Transactions, their reads, and contexts of FromPrimary are the primary's. Without a
// standby it is the database itself.
func (db *DB) Reader() *DB {
	if db == nil || db.standby == nil { // nil: the program describes itself, without a database
		return db
	}
	reader := *db
	reader.reads = true
	return &reader
}

// OfStandby reports whether reads go to the standby now.
func (db *DB) OfStandby(ctx context.Context) bool { return db.behind(ctx) != nil }

type primaryKey struct{}

// FromPrimary makes all reads with this context the primary's, for a caller who must see what he has just written.
func FromPrimary(ctx context.Context) context.Context {
	return context.WithValue(ctx, primaryKey{}, true)
}

// behind is the standby for a read of ctx outside a transaction, or nil if the read belongs to the primary.
func (db *DB) behind(ctx context.Context) *standby {
	if !db.reads || !db.standby.usable.Load() || ctx.Value(primaryKey{}) != nil {
		return nil
	}
	return db.standby
}

// openStandby connects with the first read. A standby that is unavailable at the start is no fault.
func openStandby(ctx context.Context, cfg Config, primary *pgxpool.Pool) (*standby, error) {
	cfg.URL, cfg.DirectURL = cfg.ReadURL, ""
	pc, err := poolConfig(cfg)
	if err != nil {
		return nil, badURL(cfg.URL, nil, err)
	}
	pool, err := pgxpool.NewWithConfig(ctx, pc)
	if err != nil {
		return nil, fmt.Errorf("open the standby's pool: %w", err)
	}
	s := &standby{pool: pool, sql: stdlib.OpenDBFromPool(pool), lag: orDefault(cfg.ReadLag, DefaultReadLag), log: cfg.Logger}
	if s.gorm, err = gorm.Open(postgres.New(postgres.Config{Conn: s.sql}), gormConfig(cfg)); err != nil {
		s.close()
		return nil, fmt.Errorf("open gorm: %w", err)
	}
	watch := startstop.New("the watch over the standby", func(ctx context.Context) {
		for ctx.Err() == nil {
			s.look(ctx, primary, stopwatch.Now())
			_ = clock.Sleep(ctx, watchEvery) // the loop checks ctx
		}
	})
	s.stop = func() { _ = watch.Stop(context.WithoutCancel(ctx)) }
	watch.Start(ctx)
	return s, nil
}

// look measures the lag, and decides whether reads go to the standby. If the primary does not answer, the last decision stands.
func (s *standby) look(ctx context.Context, primary *pgxpool.Pool, now time.Time) {
	replayed, err := ask(ctx, s.pool, replayedSQL)
	if err != nil {
		s.use(ctx, false, "the standby is unavailable", err)
		return
	}
	written, err := ask(ctx, primary, writtenSQL)
	if err != nil {
		return
	}
	s.use(ctx, s.near(now, written, replayed), "the standby is behind", nil)
}

// near reports whether the standby has replayed what the primary had written the bound ago. A time that servers state would
// not do: on a primary without writes it grows.
func (s *standby) near(now time.Time, written, replayed int64) bool {
	s.written = append(s.written, position{now, written})
	for len(s.written) > 0 && s.written[0].lsn <= replayed {
		s.written = s.written[1:]
	}
	return len(s.written) == 0 || now.Sub(s.written[0].at) <= s.lag
}

func ask(ctx context.Context, pool *pgxpool.Pool, statement string) (lsn int64, err error) {
	ctx, cancel := context.WithTimeout(ctx, watchPatience)
	defer cancel()
	err = pool.QueryRow(ctx, statement).Scan(&lsn)
	return lsn, err
}

func (s *standby) use(ctx context.Context, usable bool, why string, err error) {
	if s.usable.Swap(usable) == usable || s.log == nil || ctx.Err() != nil {
		return
	}
	if usable {
		s.log.InfoContext(ctx, "reads go to the standby")
	} else {
		s.log.WarnContext(ctx, why+": reads go to the primary", slog.Any("error", err))
	}
}

// refused reports whether a read that failed is to be tried at the primary.
func (s *standby) refused(ctx context.Context, err error) bool {
	if err == nil || ctx.Err() != nil {
		return false
	}
	if e, ok := errors.AsType[*pgconn.PgError](err); ok && e.Code == codeConflict {
		return true
	}
	if !Away(err) {
		return false
	}
	s.use(ctx, false, "the standby is unavailable", err)
	return true
}

func (s *standby) close() {
	if s == nil {
		return
	}
	if s.stop != nil {
		s.stop()
	}
	_ = s.sql.Close()
	s.pool.Close()
}
