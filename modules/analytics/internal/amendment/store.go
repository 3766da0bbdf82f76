package amendment

import (
	"context"
	_ "embed"

	"gpatlas/platform/database"
)

// store reads the catalog's published views.
type store struct {
	db *database.DB
}

// knows reports whether there is an adviser.
func (s *store) knows(ctx context.Context, crd string) (bool, error) {
	const statement = "SELECT crd FROM catalog.pub_gp WHERE crd = @crd"
	found, err := database.Values[string](ctx, s.db, "look for an adviser", statement, database.Args{"crd": crd})
	return len(found) > 0, err
}

var (
	//go:embed gp.sql
	gpSQL string
	//go:embed fund.sql
	fundSQL string
)

// list reads the newest filings of an adviser (gpSQL) or of a fund (fundSQL).
func (s *store) list(ctx context.Context, statement, key string, limit int) ([]row, error) {
	return database.Select[row](ctx, s.db, "read amendments", statement, database.Args{"key": key, "limit": limit})
}
