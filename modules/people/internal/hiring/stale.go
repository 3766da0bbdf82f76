package hiring

import (
	"context"
	_ "embed"
	"time"

	"gpatlas/modules/people/peopleapi"
	"gpatlas/platform/database"
)

//go:embed stale.sql
var staleSQL string

// Stale gives up to limit boards that were not read after a time, the oldest first, and says how many there are in all.
func (s *Store) Stale(ctx context.Context, until time.Time, limit int) (list []peopleapi.StaleBoard, total int64, err error) {
	type row struct {
		peopleapi.StaleBoard

		Total int64
	}
	rows, err := database.Select[row](ctx, s.db, "list stale job boards", staleSQL, database.Args{"until": until, "limit": limit})
	for _, r := range rows {
		list, total = append(list, r.StaleBoard), r.Total
	}
	return list, total, err
}
