package marketintel

import (
	"context"
	_ "embed"
	"time"

	"gpatlas/platform/database"
)

type store struct{ db *database.DB }

// bounds are the arrivals of a week.
type bounds struct{ Low, High int64 }

//go:embed bounds.sql
var boundsSQL string

func (s *store) bounds(ctx context.Context, w week) (bounds, error) {
	rows, err := database.Select[bounds](ctx, s.db, "find the week's loads", boundsSQL, database.Args{"from": w.from, "until": w.until})
	if err != nil {
		return bounds{}, err
	}
	return rows[0], nil
}

//go:embed registrations.sql
var registrationsSQL string

//go:embed changes.sql
var changesSQL string

//go:embed launches.sql
var launchesSQL string

//go:embed closings.sql
var closingsSQL string

// read reads one table.
func (s *store) read(ctx context.Context, what, statement string, b bounds, recent time.Time) (list, error) {
	args := database.Args{"low": b.Low, "high": b.High, "recent": recent.Format(time.DateOnly), "most": most}
	rows, err := database.Select[row](ctx, s.db, "read "+what+" of a week", statement, args)
	if err != nil || len(rows) == 0 {
		return list{}, err
	}
	return list{rows, int(rows[0].Total)}, nil
}

//go:embed readers.sql
var readersSQL string

func (s *store) readers(ctx context.Context, week string, after int64) ([]int64, error) {
	return database.Values[int64](ctx, s.db, "read who gets market intel", readersSQL, database.Args{"week": week, "after": after, "limit": batch})
}
