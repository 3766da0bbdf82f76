package person

import (
	"context"
	"time"

	"gpatlas/modules/people/internal/identity"
	"gpatlas/platform/database"
)

// Store reads people.
type Store struct{ db *database.DB }

// NewStore works on db.
func NewStore(db *database.DB) *Store { return &Store{db: db} }

// Head is a person's name and present post.
type Head struct {
	PersonUID string
	FullName  string
	Title     string // as filed; may be empty
	Current   bool   // see identity.PostSQL
	CRD       string
	Firm      string
	SoldAs    string   // the unit of a purchase made now
	Bought    []string // other units that entitle to the person
}

// The present post of some people: the newest current one, else the newest of all.
var headsSQL = identity.PostSQL.Replace(`SELECT DISTINCT ON (p.person_uid) p.person_uid, p.full_name, coalesce(p.title, '') AS title, {{current}} AS current, p.crd,
	coalesce(g.legal_name, '') AS firm, people.unit_of(p.person_uid) AS sold_as, people.units_of(p.person_uid) AS bought
FROM people.posts p LEFT JOIN catalog.pub_gp g USING (crd)
WHERE p.person_uid = ANY (@uids)
ORDER BY p.person_uid, current DESC, p.named_until DESC, p.crd, p.sight_uid`)

// Heads returns, by uid, the heads of those of the people that filings name. Uids must be current ones.
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

// known is a person who can be found.
type known struct {
	PersonUID    string
	Names, Firms []string
}

// People of advisers that were enriched since a time, by all their names and advisers.
const knownSQL = `SELECT p.person_uid, array_agg(DISTINCT p.full_name) AS names,
	array_agg(DISTINCT coalesce(g.legal_name, '') || ' ' || coalesce(g.business_name, '')) AS firms
FROM people.posts p LEFT JOIN catalog.pub_gp g USING (crd)
WHERE p.person_uid IN (SELECT e.person_uid FROM people.posts e JOIN people.enriched_firms f USING (crd) WHERE f.last_at > @since)
GROUP BY p.person_uid`

func (s *Store) known(ctx context.Context, since time.Time) ([]known, error) {
	return database.Select[known](ctx, s.db, "read who can be found", knownSQL, database.Args{"since": since})
}

// state is what an index of names depends on.
type state struct {
	Basis    string
	Enriched time.Time
	Firms    int64
}

// What an index of names depends on: what was read of the catalog, the names of its advisers, the operator's overrides, and the
// newest enrichment.
const stateSQL = `SELECT coalesce((SELECT processed_at || ' ' || arrival FROM people.progress), '') || ' ' || (SELECT count(*) FROM people.suppressions)
	|| ' ' || (SELECT coalesce(max(created_at)::text, '') FROM people.suppressions) || ' '
	|| (SELECT count(*) || ' ' || coalesce(max(id), 0) FROM people.decisions) || ' ' || (SELECT seq FROM catalog.pub_publication) AS basis,
	coalesce((SELECT max(last_at) FROM people.enriched_firms), 'epoch') AS enriched, (SELECT count(*) FROM people.enriched_firms) AS firms`

func (s *Store) state(ctx context.Context) (state, error) {
	rows, err := database.Select[state](ctx, s.db, "look whether the index of names is up to date", stateSQL, database.Args{})
	if err != nil {
		return state{}, err
	}
	return rows[0], nil
}
