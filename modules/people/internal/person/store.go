package person

import (
	"context"
	_ "embed"
	"time"

	"gpatlas/platform/database"
)

// Store reads who people are.
type Store struct{ db *database.DB }

// NewStore works on db.
func NewStore(db *database.DB) *Store { return &Store{db: db} }

// Head is who somebody is.
type Head struct {
	PersonUID string
	FullName  string
	Title     string // as filed; may be empty
	Current   bool   // whether the newest filings of the adviser still name the person
	CRD       string
	Firm      string
	SoldAs    string   // the unit of a purchase made now
	Bought    []string // other units that entitle to the person
}

//go:embed heads.sql
var headsSQL string

// Heads gives those of some people whom filings name, by uid. Uids are those that are used now.
func (s *Store) Heads(ctx context.Context, uids []string) (map[string]Head, error) {
	rows, err := database.Select[Head](ctx, s.db, "read who people are", headsSQL, database.Args{"uids": uids})
	if err != nil {
		return nil, err
	}
	heads := make(map[string]Head, len(rows))
	for _, h := range rows {
		heads[h.PersonUID] = h
	}
	return heads, nil
}

// known is somebody who can be found.
type known struct {
	PersonUID    string
	Names, Firms []string
}

//go:embed known.sql
var knownSQL string

func (s *Store) known(ctx context.Context, since time.Time) ([]known, error) {
	return database.Select[known](ctx, s.db, "read who can be found", knownSQL, database.Args{"since": since})
}

// state is what an index of names depends on.
type state struct {
	Basis    string
	Enriched time.Time
	Firms    int64
}

//go:embed state.sql
var stateSQL string

func (s *Store) state(ctx context.Context) (state, error) {
	rows, err := database.Select[state](ctx, s.db, "look whether the index of names is up to date", stateSQL, database.Args{})
	if err != nil {
		return state{}, err
	}
	return rows[0], nil
}
