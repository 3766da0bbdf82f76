package enrichment

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"time"

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

// TableName is where profiles are kept.
func (profileRow) TableName() string { return "people.profiles" }

// field is one field of a profile as it is kept.
type field struct {
	Value json.RawMessage `json:"value"`
	Origin
}

// asked is what a provider said last.
type asked struct {
	At      time.Time `json:"at"`
	Outcome string    `json:"outcome"`
}

// kept is what providers have said of a person.
type kept struct {
	Fields    map[string]field `json:"fields"`
	Asked     map[string]asked `json:"asked"`
	UpdatedAt time.Time        `json:"updated_at"` // zero: never asked
}

// namedPost is a post of a person as filings tell it.
type namedPost struct {
	CRD, Firm, Website string
	FullName           string
	FirstKey, LastKey  string
	Title              string
	AcquiredOn         *time.Time
	AcquiredYearOnly   bool
	NamedFrom          time.Time
	NamedUntil         time.Time
	LeftBefore         *time.Time
	Standing           string
}

// current follows a former uid to the one that is used now.
func (s *store) current(ctx context.Context, uid string) (string, error) {
	const statement = "SELECT person_uid FROM people.aliases WHERE uid = @uid"
	list, err := database.Values[string](ctx, s.db, "follow a former uid", statement, database.Args{"uid": uid})
	if err != nil || len(list) == 0 {
		return uid, err
	}
	return list[0], nil
}

//go:embed person.sql
var personSQL string

func (s *store) posts(ctx context.Context, uid string) ([]namedPost, error) {
	return database.Select[namedPost](ctx, s.db, "read the posts of a person", personSQL, database.Args{"uid": uid})
}

//go:embed enriched.sql
var enrichedSQL string

func (s *store) enriched(ctx context.Context, uids []string) ([]string, error) {
	return database.Values[string](ctx, s.db, "find enriched people", enrichedSQL, database.Args{"uids": uids})
}

//go:embed profiles.sql
var profilesSQL string

// kept gives what providers have said of a person. Of what was said under several uids, the present one's counts.
func (s *store) kept(ctx context.Context, uid string) (kept, error) {
	k := kept{Fields: map[string]field{}, Asked: map[string]asked{}}
	rows, err := database.Select[profileRow](ctx, s.db, "read a profile", profilesSQL, database.Args{"uid": uid})
	if err != nil {
		return k, err
	}
	for i, r := range rows {
		var fields map[string]field
		var said map[string]asked
		if err := json.Unmarshal(r.Fields, &fields); err != nil {
			return k, fmt.Errorf("read a profile: %w", err)
		}
		if err := json.Unmarshal(r.Asked, &said); err != nil {
			return k, fmt.Errorf("read a profile: %w", err)
		}
		for name, f := range fields {
			if _, known := k.Fields[name]; !known {
				k.Fields[name] = f
			}
		}
		for name, a := range said {
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

//go:embed keep.sql
var keepSQL string

// keep keeps what providers have said of a person, unless nobody names the person any more: it says whether it did.
func (s *store) keep(ctx context.Context, uid string, k kept) (bool, error) {
	fields, err := json.Marshal(k.Fields)
	if err != nil {
		return false, err
	}
	said, err := json.Marshal(k.Asked)
	if err != nil {
		return false, err
	}
	n, err := database.Run(ctx, s.db, "keep a profile", keepSQL, database.Args{"uid": uid, "fields": fields, "asked": said, "at": k.UpdatedAt})
	return n == 1, err
}
