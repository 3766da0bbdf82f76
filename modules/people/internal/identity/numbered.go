package identity

import (
	"context"

	"gpatlas/modules/people/internal/name"
	"gpatlas/platform/database"
)

// numberedPost is a post with a number, as the rule of numbers sees it.
type numberedPost struct{ CRD, SightUID, RuleUID, Number, LastKey, FirstKey, FullName string }

// The posts of some numbers. The first of a number is the first sighting of its person.
const numberedSQL = `SELECT p.crd, p.sight_uid, p.rule_uid, p.number, p.last_key, p.first_key, p.full_name
FROM people.posts p WHERE p.number IN (SELECT number FROM r_number)
ORDER BY p.number, p.named_from, length(p.sighted_in), p.sighted_in, p.sight_uid`

const assignSQL = `UPDATE people.posts p SET rule_uid = a.uid, person_uid = a.uid
FROM unnest(@crds::text[], @sights::text[], @uids::text[]) AS a (crd, sight_uid, uid)
WHERE p.crd = a.crd AND p.sight_uid = a.sight_uid`

// assignNumbered joins the posts of each number: who has one number is one person, known by the first sighting, unless the name shows another
// person. The rule for the names is that within one adviser: see numbered.
func (s *store) assignNumbered(ctx context.Context) error {
	posts, err := database.Select[numberedPost](ctx, s.db, "read posts with a number", numberedSQL, database.Args{})
	if err != nil {
		return err
	}
	var crds, sights, uids []string
	var first *numberedPost
	for i := range posts {
		p := &posts[i]
		if first == nil || first.Number != p.Number {
			first = p
		}
		uid := p.SightUID
		if p != first && samePerson(first.mention(), p.mention()) {
			uid = first.SightUID
		}
		if uid != p.RuleUID {
			crds, sights, uids = append(crds, p.CRD), append(sights, p.SightUID), append(uids, uid)
		}
	}
	_, err = database.Run(ctx, s.db, "assign uids by number", assignSQL, database.Args{"crds": crds, "sights": sights, "uids": uids})
	return err
}

// mention is the post's name as a mention of it.
func (p *numberedPost) mention() *mention {
	filed := name.Parse(p.FullName)
	key := filed.Key()
	key.Last, key.First = p.LastKey, p.FirstKey
	return &mention{key: key, words: []name.Words{filed.Words()}}
}
