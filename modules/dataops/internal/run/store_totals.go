package run

import (
	"context"
	_ "embed"
	"time"

	"gpatlas/platform/database"
)

// Total sums up the runs of one source and state.
type Total struct {
	Source, State                    string
	Runs, Rows, Quarantined, Seconds int64
	Latest                           time.Time // newest start
}

//go:embed totals.sql
var totalsSQL string

// Totals sums up the runs, by source and state.
func (s *Store) Totals(ctx context.Context) ([]Total, error) {
	return database.Select[Total](ctx, s.db, "sum up the ingestion runs", totalsSQL, nil)
}
