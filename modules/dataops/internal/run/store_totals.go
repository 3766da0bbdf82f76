package run

import (
	"context"
	_ "embed"
	"time"

	"gpatlas/platform/database"
)

// Total is what the account says of one source and state.
type Total struct {
	Source, State                    string
	Runs, Rows, Quarantined, Seconds int64
	Latest                           time.Time // newest start
}

//go:embed totals.sql
var totalsSQL string

// Totals sums the account up, by source and state.
func (s *Store) Totals(ctx context.Context) ([]Total, error) {
	return database.Select[Total](ctx, s.db, "sum up the ingestion runs", totalsSQL, nil)
}
