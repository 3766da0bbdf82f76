package overview

import (
	"context"
	_ "embed"
	"time"

	"gpatlas/platform/database"
)

type store struct{ db *database.DB }

//go:embed ingestions.sql
var ingestionsSQL string

// ingestions sums up the runs that began after a time.
func (s *store) ingestions(ctx context.Context, since time.Time) (Ingestions, error) {
	list, err := database.Select[Ingestions](ctx, s.db, "sum up the ingestions", ingestionsSQL, database.Args{"since": since})
	if err != nil {
		return Ingestions{}, err
	}
	return list[0], nil
}
