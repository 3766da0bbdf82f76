package identity

import (
	"context"

	"gpatlas/platform/database"
)

const careerSQL = `SELECT p.person_uid, p.crd, p.sight_uid, coalesce(g.legal_name, '') AS firm, coalesce(p.title, '') AS title, p.standing, p.source,
	p.acquired_on, p.acquired_year_only, p.left_before, p.named_from, p.named_until
FROM people.posts p LEFT JOIN catalog.pub_gp g USING (crd)
WHERE p.person_uid = ANY (@uids)
ORDER BY p.crd, p.sight_uid`

func (s *store) careerPosts(ctx context.Context, uids []string) ([]careerPost, error) {
	return database.Select[careerPost](ctx, s.db, "read the posts of people", careerSQL, database.Args{"uids": uids})
}

// currents resolves former uids to the current ones. Other uids resolve to themselves.
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
