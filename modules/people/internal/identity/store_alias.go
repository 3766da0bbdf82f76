package identity

import (
	"context"

	"gpatlas/platform/database"
)

// alias is a row of people.aliases.
type alias struct {
	UID       string  `gorm:"column:uid;primaryKey"`
	RuleUID   *string `gorm:"column:rule_uid" db:"-"` // the uid it leads to by the rules; nil: it is a unit
	PersonUID string  `gorm:"column:person_uid"`
}

// TableName is the table with its schema.
func (alias) TableName() string { return "people.aliases" }

func (s *store) aliases(ctx context.Context, uids []string) (map[string][]string, error) {
	const statement = "SELECT uid, person_uid FROM people.aliases WHERE person_uid = ANY (@uids) ORDER BY uid"
	rows, err := database.Select[alias](ctx, s.db, "read former uids", statement, database.Args{"uids": uids})
	if err != nil {
		return nil, err
	}
	m := map[string][]string{}
	for _, a := range rows {
		m[a.PersonUID] = append(m[a.PersonUID], a.UID)
	}
	return m, nil
}
