package identity

import (
	"context"
	"slices"
	"strconv"

	"gorm.io/gorm/clause"

	"gpatlas/platform/database"
)

// decisions returns all decisions in order.
func (s *store) decisions(ctx context.Context) ([]decision, error) {
	var list []decision
	err := s.db.From(ctx).Order("id").Find(&list).Error
	return list, database.Failure("read decisions", err)
}

// Posts that decisions on some uids may move, in order of first sighting. Their persons are those before.
const decidedSQL = `SELECT p.crd, p.sight_uid, p.rule_uid, p.person_uid
FROM people.posts p
WHERE p.rule_uid = ANY (@uids) OR p.rule_uid IN (SELECT a.rule_uid FROM people.aliases a WHERE a.uid = ANY (@uids)) OR p.person_uid <> p.rule_uid
ORDER BY p.named_from, p.crd, p.sight_uid`

// rule applies decisions to the stored posts, and returns the ruling and the posts as they are. It may include posts of more
// people than those of the decisions.
func (s *store) rule(ctx context.Context, list []decision, more ...decision) (ruling, []sighted, error) {
	former, posts, err := s.decidedPosts(ctx, list, more...)
	if err != nil {
		return ruling{}, nil, err
	}
	return decide(list, former, posts), posts, nil
}

// decidedPosts returns the posts that decisions are about, and where former uids lead.
func (s *store) decidedPosts(ctx context.Context, list []decision, more ...decision) (former map[string]string, posts []sighted, err error) {
	var uids []string
	for _, of := range [][]decision{list, more} {
		for i := range of {
			uids = append(uids, of[i].UID, of[i].ToUID)
		}
	}
	args := database.Args{"uids": uids}
	if posts, err = database.Select[sighted](ctx, s.db, "read whom decisions are about", decidedSQL, args); err != nil {
		return nil, nil, err
	}
	const statement = "SELECT uid, rule_uid AS person_uid FROM people.aliases WHERE uid = ANY (@uids) AND rule_uid <> uid"
	rows, err := database.Select[alias](ctx, s.db, "read former uids", statement, args)
	if err != nil {
		return nil, nil, err
	}
	former = make(map[string]string, len(rows))
	for _, a := range rows {
		former[a.UID] = a.PersonUID
	}
	return former, posts, nil
}

const decideSQL = `UPDATE people.posts p SET person_uid = d.person_uid
FROM unnest(@crds::text[], @sights::text[], @people::text[]) AS d (crd, sight_uid, person_uid)
WHERE p.crd = d.crd AND p.sight_uid = d.sight_uid AND p.person_uid <> d.person_uid`

// A uid that the rules use and decisions do not is a former one.
const aliasDecidedSQL = `INSERT INTO people.aliases (uid, rule_uid, person_uid)
SELECT DISTINCT p.rule_uid, p.rule_uid, p.rule_uid FROM people.posts p
WHERE p.person_uid <> p.rule_uid AND NOT EXISTS (SELECT FROM people.posts o WHERE o.person_uid = p.rule_uid)
ON CONFLICT (uid) DO UPDATE SET rule_uid = excluded.rule_uid`

// Where former uids lead in the end: first by the rules, then by decisions.
const leadSQL = `UPDATE people.aliases a SET person_uid = coalesce(l.person_uid, b.rule_uid)
FROM people.aliases b LEFT JOIN unnest(@uids::text[], @people::text[]) AS l (uid, person_uid) ON l.uid = b.rule_uid
WHERE a.uid = b.uid AND b.rule_uid IS NOT NULL AND a.person_uid <> coalesce(l.person_uid, b.rule_uid)`

const leadUnitsSQL = `INSERT INTO people.aliases AS a (uid, person_uid)
SELECT u.unit, coalesce(f.person_uid, u.uid) FROM people.units u LEFT JOIN people.aliases f ON f.uid = u.uid
ON CONFLICT (uid) DO UPDATE SET person_uid = excluded.person_uid WHERE a.person_uid <> excluded.person_uid`

// decide moves the posts to the people that decisions name, after the rules.
func (s *store) decide(ctx context.Context) error {
	list, err := s.decisions(ctx)
	if err != nil {
		return err
	}
	r, posts, err := s.rule(ctx, list)
	if err != nil {
		return err
	}
	crds, sights := make([]string, len(posts)), make([]string, len(posts))
	for i := range posts {
		crds[i], sights[i] = posts[i].CRD, posts[i].SightUID
	}
	var uids, heads []string
	for uid, head := range r.heads {
		uids, heads = append(uids, uid), append(heads, head)
	}
	if _, err := database.Run(ctx, s.db, "apply decisions", decideSQL, database.Args{"crds": crds, "sights": sights, "people": r.people}); err != nil {
		return err
	}
	return s.steps(ctx, database.Args{"uids": uids, "people": heads}, []step{
		{"keep uids that decisions gave up", aliasDecidedSQL},
		{"drop former uids that are back", unaliasSQL},
		{"lead former uids to people", leadSQL},
		{"lead units to people", leadUnitsSQL},
	})
}

// add stores a decision.
func (s *store) add(ctx context.Context, d *decision) error {
	return database.Failure("keep a decision", s.db.From(ctx).Create(d).Error)
}

// drop removes the decisions of an override, and returns them.
func (s *store) drop(ctx context.Context, overrideID int64) (dropped []decision, err error) {
	err = s.db.From(ctx).Clauses(clause.Returning{}).Where("override_id = ?", overrideID).Delete(&dropped).Error
	return dropped, database.Failure("remove decisions", err)
}

// The uids under which purchases count for a person.
const unitsSQL = `SELECT u FROM unnest(people.units_of(@uid) || @uid::text) u ORDER BY 1`

// Earlier purchases under @units count for each person of @people.
const shareSQL = `INSERT INTO people.origins (uid, former_uid)
SELECT p, u FROM unnest(@people::text[]) p, unnest(@units::text[]) u WHERE u <> p
ON CONFLICT DO NOTHING`

// part separates people who were one: earlier purchases count for each of them, and later ones for one alone. Provider data may
// be about any of them, and is deleted.
func (s *store) part(ctx context.Context, uid string, people []string) error {
	units, err := database.Values[string](ctx, s.db, "read what a person's purchases are of", unitsSQL, database.Args{"uid": uid})
	if err != nil {
		return err
	}
	if _, err := database.Run(ctx, s.db, "share purchases", shareSQL, database.Args{"people": people, "units": units}); err != nil {
		return err
	}
	for _, p := range people {
		if err := s.renew(ctx, p, units); err != nil {
			return err
		}
	}
	return s.forgetProfile(ctx, uid)
}

// renew assigns a new unit to a person, unless nothing was ever bought under the uid.
func (s *store) renew(ctx context.Context, uid string, used []string) error {
	if !slices.Contains(used, uid) {
		return nil
	}
	var n int64
	if err := s.db.From(ctx).Model(&unit{}).Where("uid = ?", uid).Count(&n).Error; err != nil {
		return database.Failure("count units", err)
	}
	u := unit{UID: uid, N: int32(n) + 1, Unit: uidOf("unit|" + uid + "|" + strconv.FormatInt(n+1, 10))}
	return database.Failure("keep a unit", s.db.From(ctx).Create(&u).Error)
}
