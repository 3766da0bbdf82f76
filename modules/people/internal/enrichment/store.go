package enrichment

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"gpatlas/modules/people/internal/enrichment/provider"
	"gpatlas/modules/people/internal/identity"
	"gpatlas/platform/database"
)

type store struct{ db *database.DB }

// profileRow is a row of people.profiles.
type profileRow struct {
	PersonUID string    `gorm:"column:person_uid;primaryKey"`
	Fields    []byte    `gorm:"column:fields;type:jsonb"`
	Asked     []byte    `gorm:"column:asked;type:jsonb"`
	UpdatedAt time.Time `gorm:"column:updated_at"`
}

// TableName is the table with its schema.
func (profileRow) TableName() string { return "people.profiles" }

// field is one stored field of a profile.
type field struct {
	Value json.RawMessage `json:"value"`
	Origin
}

// asked is a provider's last answer through one manager, or to the refresh of a profile.
type asked struct {
	At      time.Time `json:"at"`
	Outcome string    `json:"outcome"`
	Fields  []string  `json:"fields,omitempty"` // that it gave and no provider before it
}

// through is the key of a provider's answer in storedAnswers.Asked. The adviser is empty for refreshes of profiles.
func through(crd string, p provider.Provider) string { return crd + "/" + p.Name() }

// storedAnswers is what providers have stated about a person.
type storedAnswers struct {
	Fields    map[string]field `json:"fields"`
	Asked     map[string]asked `json:"asked"`      // by through
	UpdatedAt time.Time        `json:"updated_at"` // zero: never asked
}

// namedPost is a post of a person as filings state it.
type namedPost struct {
	CRD, Firm, Website string
	FullName           string
	FirstKey, LastKey  string
	Title              string
	AcquiredOn         *time.Time
	AcquiredYearOnly   bool
	NamedFrom          time.Time
	NamedUntil         time.Time
	EndedBefore        *time.Time
	WithdrawnOn        *time.Time // of the adviser
	NotListedSince     *time.Time
	Current            bool
}

// Posts of a person as filings state them, the latest first.
var personSQL = identity.PostSQL.Replace(`SELECT p.crd, coalesce(g.legal_name, '') AS firm, coalesce(g.website, '') AS website, p.full_name, p.first_key, p.last_key, coalesce(p.title, '') AS title,
	p.acquired_on, p.acquired_year_only, p.named_from, p.named_until, g.withdrawn_on, g.not_listed_since,
	{{current}} AS current, {{ended}} AS ended_before
FROM people.posts p LEFT JOIN catalog.pub_gp g USING (crd)
WHERE p.person_uid = @uid
ORDER BY current DESC, p.named_until DESC, p.crd, p.sight_uid`)

func (s *store) posts(ctx context.Context, uid string) ([]namedPost, error) {
	return database.Select[namedPost](ctx, s.db, "read the posts of a person", personSQL, database.Args{"uid": uid})
}

const enrichedSQL = `SELECT DISTINCT p.person_uid FROM people.posts p JOIN people.enriched_firms USING (crd) WHERE p.person_uid = ANY (@uids)`

func (s *store) enriched(ctx context.Context, uids []string) ([]string, error) {
	return database.Values[string](ctx, s.db, "find enriched people", enrichedSQL, database.Args{"uids": uids})
}

// Provider answers about a person, also under former uids, the current one first.
const profilesSQL = `SELECT p.* FROM people.profiles p
WHERE p.person_uid = @uid OR p.person_uid IN (SELECT a.uid FROM people.aliases a WHERE a.person_uid = @uid)
ORDER BY p.person_uid = @uid DESC, p.updated_at DESC`

// kept returns what providers have stated about a person. If it is stored under several uids, the current uid's counts.
func (s *store) kept(ctx context.Context, uid string) (storedAnswers, error) {
	k := storedAnswers{Fields: map[string]field{}, Asked: map[string]asked{}}
	rows, err := database.Select[profileRow](ctx, s.db, "read a profile", profilesSQL, database.Args{"uid": uid})
	if err != nil {
		return k, err
	}
	for i, r := range rows {
		var fields map[string]field
		var outcomes map[string]asked
		if err := json.Unmarshal(r.Fields, &fields); err != nil {
			return k, fmt.Errorf("read a profile: %w", err)
		}
		if err := json.Unmarshal(r.Asked, &outcomes); err != nil {
			return k, fmt.Errorf("read a profile: %w", err)
		}
		for name, f := range fields {
			if _, known := k.Fields[name]; !known {
				k.Fields[name] = f
			}
		}
		for name, a := range outcomes {
			if _, known := k.Asked[name]; !known {
				k.Asked[name] = a
			}
		}
		if i == 0 {
			k.UpdatedAt = r.UpdatedAt.UTC()
		}
	}
	return k, nil
}

// Stores a profile only while filings name the person. The lock on a post makes this statement and a suppression wait for each other.
const keepSQL = `WITH named AS (SELECT FROM people.posts WHERE person_uid = @uid LIMIT 1 FOR SHARE)
INSERT INTO people.profiles (person_uid, fields, asked, updated_at) SELECT @uid, @fields, @asked, @at FROM named
ON CONFLICT (person_uid) DO UPDATE SET fields = excluded.fields, asked = excluded.asked, updated_at = excluded.updated_at`

// keep stores provider answers about a person, unless filings no longer name the person, and reports whether it did.
func (s *store) keep(ctx context.Context, uid string, k storedAnswers) (bool, error) {
	fields, err := json.Marshal(k.Fields)
	if err != nil {
		return false, err
	}
	outcomes, err := json.Marshal(k.Asked)
	if err != nil {
		return false, err
	}
	n, err := database.Run(ctx, s.db, "keep a profile", keepSQL, database.Args{"uid": uid, "fields": fields, "asked": outcomes, "at": k.UpdatedAt})
	return n == 1, err
}
