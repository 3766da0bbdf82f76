package identity

import (
	"context"
	_ "embed"
	"encoding/json"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/people/internal/title"
	"gpatlas/platform/changes"
	"gpatlas/platform/database"
)

var (
	//go:embed moved.sql
	movedSQL string
	//go:embed forgotten.sql
	forgottenSQL string
)

const makeWasSQL = `CREATE TEMPORARY TABLE r_was ON COMMIT DROP AS
SELECT crd, sight_uid, person_uid, standing, title, named_until, left_before FROM people.posts WHERE crd = ANY (@crds)
UNION ALL SELECT crd, sight_uid, person_uid, 'hidden', NULL, NULL, NULL FROM people.suppressed_at
UNION ALL SELECT crd, '', '', 'read', NULL, NULL, NULL FROM people.firms WHERE crd = ANY (@crds) AND schedules > 0`

// noteBefore records the posts at some advisers, for logMoves.
func (s *store) noteBefore(ctx context.Context, crds []string) error {
	return s.steps(ctx, database.Args{"crds": crds}, []step{{"note posts before", makeWasSQL}})
}

// moved is a person whose post has changed. Without a current post there is no title.
type moved struct {
	CRD                 string
	PersonUID           string
	GPName              *string
	WasCurrent, Current bool
	WasTitle, Title     string
	Day                 *time.Time
}

// logMoves appends the events of people who came to some advisers, left them or have another role. It is the last write of a resolution.
func (s *store) logMoves(ctx context.Context, crds []string) error {
	list, err := database.Select[moved](ctx, s.db, "compare posts", movedSQL, database.Args{"crds": crds})
	if err != nil {
		return err
	}
	var events []changes.Event
	for i := range list {
		e, err := list[i].event()
		if err != nil {
			return err
		}
		if e != nil {
			events = append(events, *e)
		}
	}
	return changes.Append(ctx, s.db, events)
}

// event is the change of a person; nil if another title has the same role.
func (m *moved) event() (*changes.Event, error) {
	type field struct {
		Field  string `json:"field"`
		Before any    `json:"before"`
		After  any    `json:"after"`
	}
	before, after := values(m.WasCurrent, m.WasTitle), values(m.Current, m.Title)
	var fields []field
	for i, name := range catalogapi.ChangePersonnelFields {
		if before[i] != after[i] {
			fields = append(fields, field{name, before[i], after[i]})
		}
	}
	if fields == nil {
		return nil, nil //nolint:nilnil // there is none
	}
	said, err := json.Marshal(struct {
		GPName  *string `json:"gp_name,omitempty"`
		Reason  string  `json:"reason"`
		Changed []field `json:"changed"`
	}{m.GPName, "filing", fields})
	return &changes.Event{Kind: catalogapi.ChangePersonnel, CRD: m.CRD, Subject: m.PersonUID, Day: m.Day, Said: said}, err
}

// values are those of catalogapi.ChangePersonnelFields. Who is not current has no role.
func values(current bool, filed string) []any {
	if !current {
		return []any{false, nil, nil}
	}
	role := title.Read(filed)
	return []any{true, string(role), role.Level()}
}

// forget empties the events of people whose posts are hidden now.
func (s *store) forget(ctx context.Context, list []hold) error {
	n := len(list)
	crds, people, rules, sights := make([]string, n), make([]string, n), make([]string, n), make([]string, n)
	for i, h := range list {
		crds[i], people[i], rules[i], sights[i] = h.CRD, h.PersonUID, h.RuleUID, h.SightUID
	}
	return changes.Forget(ctx, s.db, catalogapi.ChangePersonnel, forgottenSQL, database.Args{"crds": crds, "people": people, "rules": rules, "sights": sights})
}
