package overview

import (
	"context"
	"time"

	"gpatlas/platform/database"
)

type store struct{ db *database.DB }

const ingestionsSQL = `SELECT count(*) AS documents, count(*) FILTER (WHERE state = 'failed') AS failed, coalesce(sum(rows_read), 0)::bigint AS rows_read,
	coalesce(sum(quarantined), 0)::bigint AS quarantined
FROM dataops.ingestion_runs WHERE started_at > @since`

// ingestions sums up the runs that began after a time.
func (s *store) ingestions(ctx context.Context, since time.Time) (Ingestions, error) {
	list, err := database.Select[Ingestions](ctx, s.db, "sum up the ingestions", ingestionsSQL, database.Args{"since": since})
	if err != nil {
		return Ingestions{}, err
	}
	return list[0], nil
}
