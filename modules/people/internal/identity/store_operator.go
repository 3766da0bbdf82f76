package identity

import (
	"context"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/database"
)

// Current resolves a former uid to the current one.
func Current(ctx context.Context, db *database.DB, uid string) (string, error) {
	const statement = "SELECT person_uid FROM people.aliases WHERE uid = @uid"
	list, err := database.Values[string](ctx, db, "follow a former uid", statement, database.Args{"uid": uid})
	if err != nil || len(list) == 0 {
		return uid, err
	}
	return list[0], nil
}

func (s *store) posts(ctx context.Context, uid string) ([]post, error) {
	var list []post
	err := s.db.From(ctx).Where("person_uid = ?", uid).Order("crd, sight_uid").Find(&list).Error
	return list, database.Failure("read the posts of a person", err)
}

const findSQL = `SELECT p.person_uid, p.full_name, p.crd, coalesce(g.legal_name, '') AS firm, coalesce(p.title, '') AS title, coalesce(p.number, '') AS number,
	p.standing, p.named_from::text, p.named_until::text
FROM people.posts p LEFT JOIN catalog.pub_gp g USING (crd)
WHERE p.last_key = @last AND (@first = '' OR p.first_key = @first)
ORDER BY p.full_name, p.person_uid, p.named_from DESC LIMIT 200`

func (s *store) find(ctx context.Context, last, first string) ([]Found, error) {
	return database.Select[Found](ctx, s.db, "find a person", findSQL, database.Args{"last": last, "first": first})
}

// kept returns all columns of a person's posts.
func (s *store) kept(ctx context.Context, uid string) ([]Kept, error) {
	posts, err := s.posts(ctx, uid)
	if err != nil {
		return nil, err
	}
	list := make([]Kept, len(posts))
	for i, p := range posts {
		list[i] = Kept{
			Found: Found{
				PersonUID: p.PersonUID, FullName: p.FullName, CRD: p.CRD, Title: catalogapi.TextOf(p.Title), Number: catalogapi.TextOf(p.Number), Standing: p.Standing,
				NamedFrom: day(&p.NamedFrom), NamedUntil: day(&p.NamedUntil),
			},
			AcquiredOn: day(p.AcquiredOn), LeftBefore: day(p.LeftBefore), Source: p.Source, City: catalogapi.TextOf(p.City), State: catalogapi.TextOf(p.State), SightedIn: p.SightedIn,
		}
		const statement = "SELECT legal_name FROM catalog.pub_gp WHERE crd = @crd"
		names, err := database.Values[string](ctx, s.db, "read an adviser's name", statement, database.Args{"crd": p.CRD})
		if err != nil {
			return nil, err
		}
		if len(names) > 0 {
			list[i].Firm = names[0]
		}
	}
	return list, nil
}

// note records the people at some advisers, and their numbers, for assign.
func (s *store) note(ctx context.Context, crds []string) error {
	return s.steps(ctx, database.Args{"crds": crds}, []step{{"forget the reading", "TRUNCATE r_before, r_number"}, {"note who was there", noteBeforeSQL}, {"note numbers", noteNumbersSQL}})
}
