// Package publish announces that the catalog has changed: a row in catalog.publications, whose number the search
// index compares with its own after a lost connection, and a notice to those that listen now.
package publish

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"gpatlas/platform/database"
)

// Channel is the LISTEN channel of change notices; the payload is the publication's number in decimal.
const Channel = "catalog_changed"

// ending is the advisory lock of a load that has dated its arrival, until it has committed; an arbitrary number of ours.
const ending = 0x6770_656e_6469_6e67

// Begins a load: draws the number of its arrival and the instant that its rows are dated with, later than those of all before it
// even where the server's clock was set back. No row where a load goes on in the transaction.
const arriveSQL = `SELECT set_config('catalog.arrival', nextval('catalog.arrival_numbers')::text, true),
	set_config('catalog.processed_at', greatest(clock_timestamp(),
		(SELECT max(known_at) FROM catalog.arrivals) + interval '1 microsecond')::text, true)
WHERE catalog.current_arrival() = 0`

// Arrive begins a load in the transaction of c: it draws the number of its arrival and the instant that its rows are dated
// with, processed_at, later than those of all before it even where the server's clock was set back. The caller holds the
// lock of the loads and keeps it until the transaction ends, so that both become visible in their order. began is false
// where a load goes on in the transaction: what follows is part of it.
func Arrive(ctx context.Context, c *pgx.Conn) (began bool, err error) {
	tag, err := c.Exec(ctx, arriveSQL)
	if err != nil {
		return false, fmt.Errorf("number the arrival: %w", err)
	}
	return tag.RowsAffected() > 0, nil
}

const dateSQL = `INSERT INTO catalog.arrivals (arrival, processed_at, known_at)
SELECT catalog.current_arrival(), catalog.current_processing(),
	greatest(clock_timestamp(), catalog.current_processing() + interval '1 microsecond')`

// Date ends a load that Arrive began: its rows are known from now on, an instant later than its processed_at and all earlier
// arrivals. It is the last statement before the commit, and readers of an instant wait for that commit: see WaitForCommit.
func Date(ctx context.Context, c *pgx.Conn) error {
	_, err := c.Exec(ctx, "SELECT pg_advisory_xact_lock(@lock)", database.Args{"lock": int64(ending)})
	if err == nil {
		_, err = c.Exec(ctx, dateSQL)
	}
	if err != nil {
		return fmt.Errorf("date the arrival: %w", err)
	}
	return nil
}

// rowQuerier is what a connection, a transaction and the pool have in common.
type rowQuerier interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// WaitForCommit waits while a load that has dated its arrival commits, and returns an instant before the wait: all that will
// ever have been known at that instant is visible afterwards. c is a connection in no transaction, or the pool.
func WaitForCommit(ctx context.Context, c rowQuerier) (at time.Time, err error) {
	const statement = "SELECT clock_timestamp(), pg_advisory_xact_lock_shared(@lock)::text"
	if err := c.QueryRow(ctx, statement, database.Args{"lock": int64(ending)}).Scan(&at, nil); err != nil {
		return at, fmt.Errorf("wait for a load to end: %w", err)
	}
	return at, nil
}

// Arrivals are numbered in the order of both of their instants.
const processedSQL = `SELECT (SELECT processed_at FROM catalog.arrivals WHERE known_at <= @known ORDER BY arrival DESC LIMIT 1),
	(SELECT processed_at FROM catalog.arrivals ORDER BY arrival DESC LIMIT 1)`

// ProcessedBy returns the newest processed_at that was known at an instant; the rows up to it were known. It returns the zero time
// if all rows of the catalog were known, and false if none was.
func ProcessedBy(ctx context.Context, c *pgx.Conn, known time.Time) (processed time.Time, ok bool, err error) {
	var then, newest *time.Time
	if err := c.QueryRow(ctx, processedSQL, database.Args{"known": known}).Scan(&then, &newest); err != nil {
		return time.Time{}, false, fmt.Errorf("read what was known: %w", err)
	}
	switch {
	case then == nil:
		return time.Time{}, false, nil
	case then.Equal(*newest):
		return time.Time{}, true, nil
	}
	return *then, true, nil
}

// Latest is the number of the newest publication, 0 while there is none.
func Latest(ctx context.Context, c rowQuerier) (seq int64, err error) {
	if err := c.QueryRow(ctx, "SELECT coalesce(max(seq), 0) FROM catalog.publications").Scan(&seq); err != nil {
		return 0, fmt.Errorf("read the newest publication: %w", err)
	}
	return seq, nil
}
