package run

import (
	"context"
	"time"

	"gpatlas/platform/database"
)

// Total sums up the runs of one source and state.
type Total struct {
	Source, State                    string
	Runs, Rows, Quarantined, Seconds int64
	Latest                           time.Time // newest start
}

const totalsSQL = `SELECT source, state, count(*) AS runs, sum(rows_read)::bigint AS rows, sum(quarantined)::bigint AS quarantined,
	coalesce(sum(extract(epoch FROM finished_at - started_at)), 0)::bigint AS seconds, max(started_at) AS latest
FROM dataops.ingestion_runs GROUP BY source, state ORDER BY source, state`

// Totals sums up the runs, by source and state.
func (s *Store) Totals(ctx context.Context) ([]Total, error) {
	return database.Select[Total](ctx, s.db, "sum up the ingestion runs", totalsSQL, nil)
}
