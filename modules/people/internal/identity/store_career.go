package identity

import (
	"context"
	"strings"

	"gpatlas/platform/database"
)

// PostSQL puts what a statement asks of the post p, at the adviser g, in place of {{current}} and {{ended}}.
//
// A post is current if the newest filings of the adviser name the person, and it is no former adviser. It ended before the first
// later filing without the person, else before the day on which the adviser withdrew or the lists dropped it; null: there is
// none. Both are decided when a post is read, so an adviser that withdraws or comes back changes them at once.
var PostSQL = strings.NewReplacer("{{current}}", `(p.standing = 'team' AND g.former IS NOT TRUE)`, "{{ended}}",
	`coalesce(p.left_before, CASE WHEN coalesce(g.withdrawn_on, g.not_listed_since) > p.named_until THEN coalesce(g.withdrawn_on, g.not_listed_since) END)`)

var careerSQL = PostSQL.Replace(`SELECT p.person_uid, p.crd, p.sight_uid, coalesce(g.legal_name, '') AS firm, coalesce(p.title, '') AS title, p.source,
	p.acquired_on, p.acquired_year_only, p.named_from, p.named_until, g.withdrawn_on, g.not_listed_since,
	{{current}} AS current, {{ended}} AS ended_before
FROM people.posts p LEFT JOIN catalog.pub_gp g USING (crd)
WHERE p.person_uid = ANY (@uids)
ORDER BY p.crd, p.sight_uid`)

func (s *store) careerPosts(ctx context.Context, uids []string) ([]careerPost, error) {
	return database.Select[careerPost](ctx, s.db, "read the posts of people", careerSQL, database.Args{"uids": uids})
}

// Currents resolves former uids to the current ones. Other uids resolve to themselves.
func (s *Service) Currents(ctx context.Context, uids []string) (map[string]string, error) {
	const statement = "SELECT uid, person_uid FROM people.aliases WHERE uid = ANY (@uids)"
	rows, err := database.Select[alias](ctx, s.store.db, "follow former uids", statement, database.Args{"uids": uids})
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
