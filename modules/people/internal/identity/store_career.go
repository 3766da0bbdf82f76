package identity

import (
	"context"
	_ "embed"

	"gpatlas/platform/database"
)

//go:embed career.sql
var careerSQL string

func (s *store) careerPosts(ctx context.Context, uids []string) ([]careerPost, error) {
	return database.Select[careerPost](ctx, s.db, "read the posts of people", careerSQL, database.Args{"uids": uids})
}

// currents follows former uids to those that are used now. Uids that are no former ones lead to themselves.
func (s *store) currents(ctx context.Context, uids []string) (map[string]string, error) {
	const statement = "SELECT uid, person_uid FROM people.aliases WHERE uid = ANY (@uids)"
	rows, err := database.Select[alias](ctx, s.db, "follow former uids", statement, database.Args{"uids": uids})
	if err != nil {
		return nil, err
	}
	now := make(map[string]string, len(uids))
	for _, uid := range uids {
		now[uid] = uid
	}
	for _, a := range rows {
		now[a.UID] = a.PersonUID
	}
	return now, nil
}
