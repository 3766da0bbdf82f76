// Package publish announces that the catalogue has changed: a row in catalog.publications, whose number the search
// index compares with its own after a lost connection, and a notice to those that listen now.
package publish

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// Channel is the LISTEN channel of change notices; the payload is the publication's number in decimal.
const Channel = "catalog_changed"

// Arrive draws the number under which what is written from here on in the transaction of c becomes known. The caller holds
// the lock of the loads and keeps it until the transaction ends, so that numbers become visible in their order.
func Arrive(ctx context.Context, c *pgx.Conn) error {
	if _, err := c.Exec(ctx, `SELECT set_config('catalog.arrival', nextval('catalog.arrival_numbers')::text, true)`); err != nil {
		return fmt.Errorf("number the arrival: %w", err)
	}
	return nil
}

// arriveSQL dates the arrival of the transaction, later than all before it even where the server's clock was set back.
// Outside of loads there is none.
const arriveSQL = `INSERT INTO catalog.arrivals (arrival, known_at)
	SELECT catalog.current_arrival(), greatest(clock_timestamp(), (SELECT max(known_at) FROM catalog.arrivals) + interval '1 microsecond')
	WHERE catalog.current_arrival() > 0
	ON CONFLICT (arrival) DO UPDATE SET known_at = excluded.known_at`

// Announce writes a publication and sends its notice in the transaction of c: both arrive with the commit or not at
// all. runID is the ingestion run that brought the change, 0 where there was none; reason is for people to read.
func Announce(ctx context.Context, c *pgx.Conn, runID int64, reason string) (seq int64, err error) {
	if _, err := c.Exec(ctx, arriveSQL); err != nil {
		return 0, fmt.Errorf("date the arrival: %w", err)
	}
	err = c.QueryRow(ctx, `
		WITH new AS (INSERT INTO catalog.publications (run_id, reason) VALUES ($1, $2) RETURNING seq)
		SELECT seq FROM new, LATERAL pg_notify('`+Channel+`', seq::text)`, runID, reason).Scan(&seq)
	if err != nil {
		return 0, fmt.Errorf("announce the change: %w", err)
	}
	return seq, nil
}

// Latest is the number of the newest publication, 0 while there is none.
func Latest(ctx context.Context, c *pgx.Conn) (seq int64, err error) {
	if err := c.QueryRow(ctx, `SELECT coalesce(max(seq), 0) FROM catalog.publications`).Scan(&seq); err != nil {
		return 0, fmt.Errorf("read the newest publication: %w", err)
	}
	return seq, nil
}
