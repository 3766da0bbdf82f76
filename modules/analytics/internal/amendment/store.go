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

const gpSQL = `SELECT accession, form_type, amendment_type, filing_date, status, processed_at, source, count(*) OVER () AS total
FROM catalog.pub_listed_filing WHERE crd = @key ORDER BY version_order DESC LIMIT @limit`

//go:embed fund.sql
var fundSQL string

// list reads the newest filings of an adviser (gpSQL) or of a fund (fundSQL).
func (s *store) list(ctx context.Context, statement, key string, limit int) ([]row, error) {
	return database.Select[row](ctx, s.db, "read amendments", statement, database.Args{"key": key, "limit": limit})
}
