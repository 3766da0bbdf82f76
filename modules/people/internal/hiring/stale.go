package hiring

import (
	"context"
	"time"

	"gpatlas/modules/people/peopleapi"
	"gpatlas/platform/database"
)

// Boards that were not read after a time. For a board that was never read, the time it was added counts.
const staleSQL = `SELECT b.crd, coalesce(g.legal_name, '') AS firm, b.vendor, b.token, b.added_at, b.succeeded_at, b.failure, count(*) OVER () AS total
FROM people.boards b LEFT JOIN catalog.pub_gp g USING (crd)
WHERE coalesce(b.succeeded_at, b.added_at) <= @until
ORDER BY coalesce(b.succeeded_at, b.added_at), b.crd, b.vendor, b.token LIMIT @limit`

// Stale returns up to limit boards that were not read after a time, the oldest first, and how many there are in all.
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
