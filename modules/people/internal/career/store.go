package career

import (
	"context"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/apperr"
	"gpatlas/platform/database"
)

// Store reads an adviser's people.
type Store struct{ db *database.DB }

// NewStore works on db.
func NewStore(db *database.DB) *Store { return &Store{db: db} }

const rosterSQL = `SELECT person_uid, standing FROM people.roster WHERE crd = @crd ORDER BY person_uid`

// placed is a person on the team or among the alumni of an adviser.
type placed struct{ PersonUID, Standing string }

// roster returns an adviser's team and alumni.
func (s *Store) roster(ctx context.Context, crd string) ([]placed, error) {
	const known = "SELECT crd FROM catalog.pub_gp WHERE crd = @crd"
	found, err := database.Values[string](ctx, s.db, "read an adviser", known, database.Args{"crd": crd})
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, apperr.NotFound(catalogapi.NoGP, crd)
	}
	return database.Select[placed](ctx, s.db, "read the roster of an adviser", rosterSQL, database.Args{"crd": crd})
}
