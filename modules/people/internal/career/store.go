package career

import (
	"context"
	_ "embed"

	"gpatlas/platform/apperr"
	"gpatlas/platform/database"
)

// Store reads whose careers an adviser's people are.
type Store struct{ db *database.DB }

// NewStore works on db.
func NewStore(db *database.DB) *Store { return &Store{db: db} }

//go:embed roster.sql
var rosterSQL string

// roster gives the uids of an adviser's team and alumni.
func (s *Store) roster(ctx context.Context, crd string) ([]string, error) {
	const known = "SELECT crd FROM catalog.pub_gp WHERE crd = @crd"
	found, err := database.Values[string](ctx, s.db, "read an adviser", known, database.Args{"crd": crd})
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, apperr.NotFound("GP with CRD %s not found", crd)
	}
	return database.Values[string](ctx, s.db, "read the roster of an adviser", rosterSQL, database.Args{"crd": crd})
}
