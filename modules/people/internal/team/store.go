package team

import (
	"context"
	_ "embed"
	"strings"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/people/internal/identity"
	"gpatlas/modules/people/internal/unread"
	"gpatlas/platform/apperr"
	"gpatlas/platform/database"
)

// Store reads the people of advisers.
type Store struct{ db *database.DB }

// NewStore works on db.
func NewStore(db *database.DB) *Store { return &Store{db: db} }

// gp is the adviser, and which of its filings name people.
type gp struct {
	CRD                           string
	City, State, Country          string
	Schedules, Notices            int32
	SchedulesFrom, SchedulesUntil *time.Time
	NoticesUntil                  *time.Time
	Lapsed                        int64

	Unfiled bool // no document could have named people
}

var gpsSQL = strings.Replace(`SELECT g.crd, coalesce(g.city, '') AS city, coalesce(g.state, '') AS state, coalesce(g.country, '') AS country,
	coalesce(f.schedules, 0) AS schedules, coalesce(f.notices, 0) AS notices, f.schedules_from, f.schedules_until, f.notices_until,
	(SELECT count(DISTINCT p.person_uid) FROM people.posts p WHERE p.crd = g.crd AND p.standing = 'lapsed') AS lapsed,
	{{unfiled}} AS unfiled
FROM catalog.pub_gp g LEFT JOIN people.firms f USING (crd) WHERE g.crd = ANY (@crds)`, "{{unfiled}}", unread.UnfiledSQL, 1)

// gps returns some advisers by CRD. One that is not in the catalog is an error.
func (s *Store) gps(ctx context.Context, crds []string) (map[string]*gp, error) {
	rows, err := database.Select[gp](ctx, s.db, "read advisers", gpsSQL, database.Args{"crds": crds})
	if err != nil {
		return nil, err
	}
	all := make(map[string]*gp, len(rows))
	for i := range rows {
		all[rows[i].CRD] = &rows[i]
	}
	for _, crd := range crds {
		if all[crd] == nil {
			return nil, apperr.NotFound(catalogapi.NoGP, crd)
		}
	}
	return all, nil
}

// row is one person at the adviser.
type row struct {
	CRD                 string
	PersonUID           string
	FullName            string
	LastKey, FirstKey   string
	Title               *string
	AcquiredOn          *time.Time
	AcquiredYearOnly    bool
	JoinedAfter         *time.Time
	JoinedBefore        time.Time
	JoinedMonthly       bool
	NamedUntil          time.Time
	LeftBefore          *time.Time
	Source, City, State string
	SoldAs              string   // the unit of a purchase made now
	Bought              []string // other units that entitle to the person
}

//go:embed people.sql
var peopleSQL string

// people returns the people of a standing, team or alumni, each once at each adviser.
func (s *Store) people(ctx context.Context, crds []string, standing string) ([]row, error) {
	return database.Select[row](ctx, s.db, "read the people of advisers", peopleSQL, database.Args{"crds": crds, "standing": standing})
}

// position is a person's present post.
type position struct {
	PersonUID, CRD, Firm string
	Title                *string
}

var elsewhereSQL = identity.PostSQL.Replace(`SELECT DISTINCT ON (p.person_uid) p.person_uid, p.crd, coalesce(g.legal_name, '') AS firm, p.title
FROM people.posts p JOIN catalog.pub_gp g USING (crd)
WHERE p.person_uid = ANY (@uids) AND p.crd <> @crd AND {{current}}
ORDER BY p.person_uid, p.named_until DESC, p.crd`)

// elsewhere returns the newest post that each of some people holds at another adviser.
func (s *Store) elsewhere(ctx context.Context, crd string, uids []string) ([]position, error) {
	return database.Select[position](ctx, s.db, "read where people are now", elsewhereSQL, database.Args{"crd": crd, "uids": uids})
}

// sighted is whose post a sighting is.
type sighted struct {
	SightUID, PersonUID string
	Listed              bool // the person is on the team or an alumnus
}

const sightedSQL = `SELECT sight_uid, person_uid, bool_or(standing <> 'lapsed') OVER (PARTITION BY person_uid) AS listed FROM people.posts WHERE crd = @crd`

// sighted returns the posts at an adviser by sighting. Those of suppressed people are not among them.
func (s *Store) sighted(ctx context.Context, crd string) (map[string]sighted, error) {
	rows, err := database.Select[sighted](ctx, s.db, "read posts of an adviser", sightedSQL, database.Args{"crd": crd})
	posts := make(map[string]sighted, len(rows))
	for _, r := range rows {
		posts[r.SightUID] = r
	}
	return posts, err
}
