package history

import (
	"context"
	"sync"

	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/platform/database"
)

// Store reads advisers and funds, current or as of a moment. Its errors are apperr's: Unavailable when the database is
// unavailable, and NotFound only where a method documents it.
type Store struct {
	db *database.DB
}

// NewStore reads from db, or from its standby what need not be of this second.
func NewStore(db *database.DB) *Store { return &Store{db: db.Reader()} }

// FindAdviser reads a current adviser; nil if there is none.
func (s *Store) FindAdviser(ctx context.Context, crd string) (*fold.Adviser, error) {
	rows, err := database.Select[fold.Adviser](ctx, s.db, "read an adviser", currentAdviser(), database.Args{"crd": crd})
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	return &rows[0], nil
}

var currentAdviser = sync.OnceValue(func() string {
	return withColumns[fold.Adviser]("SELECT {{columns}} FROM catalog.advisers WHERE crd = @crd", "")
})

var currentFund = sync.OnceValue(func() string { return withColumns[fold.Fund]("SELECT {{columns}} FROM catalog.funds WHERE ", "") })

// FindFund reads a current fund, by its filed ID or, if that is empty, by its internal one; nil if there is none.
func (s *Store) FindFund(ctx context.Context, fundID string, id int64) (*fold.Fund, error) {
	key, args := "fund_id = @fund", database.Args{"fund": fundID}
	if fundID == "" {
		key, args["fund"] = "id = @fund", id
	}
	rows, err := database.Select[fold.Fund](ctx, s.db, "read a fund", currentFund()+key, args)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	return &rows[0], nil
}
