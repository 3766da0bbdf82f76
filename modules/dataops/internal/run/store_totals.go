package run

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// Total is what the account says of one source and state.
type Total struct {
	Source, State                    string
	Runs, Rows, Quarantined, Seconds int64
	Latest                           time.Time // newest start
}

// Totals sums the account up, by source and state.
func (s *Store) Totals(ctx context.Context) (totals []Total, err error) {
	err = s.db.Conn(ctx, func(c *pgx.Conn) error {
		rows, err := c.Query(ctx, `SELECT source, state, count(*), sum(rows_read)::bigint, sum(quarantined)::bigint,
				coalesce(sum(extract(epoch FROM finished_at - started_at)), 0)::bigint, max(started_at)
			FROM dataops.ingestion_runs GROUP BY source, state ORDER BY source, state`)
		if err != nil {
			return err
		}
		totals, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Total])
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("sum up the ingestion runs: %w", err)
	}
	return totals, nil
}
