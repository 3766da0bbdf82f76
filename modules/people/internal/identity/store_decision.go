package identity

import (
	"context"
	_ "embed"
	"slices"
	"strconv"

	"gpatlas/platform/database"
)

// decisions are all there are, in their order.
func (s *store) decisions(ctx context.Context) ([]decision, error) {
	var list []decision
	err := s.db.From(ctx).Order("id").Find(&list).Error
	return list, database.Failure("read decisions", err)
}

//go:embed decided.sql
var decidedSQL string

// rule applies decisions to what is stored, and gives what comes of it and the posts as they are. Posts of more people than those of
// the decisions can be among them.
func (s *store) rule(ctx context.Context, list []decision, more ...decision) (ruling, []sighted, error) {
	former, posts, err := s.decidedPosts(ctx, list, more...)
	if err != nil {
		return ruling{}, nil, err
	}
	return decide(list, former, posts), posts, nil
}

// decidedPosts gives the posts that decisions are about, and whom former uids lead to.
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

var (
	//go:embed decide.sql
	decideSQL string
	//go:embed alias_decided.sql
	aliasDecidedSQL string
	//go:embed lead.sql
	leadSQL string
	//go:embed lead_units.sql
	leadUnitsSQL string
)

// decide gives the posts to whom the decisions say, after the rules.
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

// add keeps a decision.
func (s *store) add(ctx context.Context, d *decision) error {
	return database.Failure("keep a decision", s.db.From(ctx).Create(d).Error)
}

// ofOverride gives the decision that an override made.
func (s *store) ofOverride(ctx context.Context, id int64) ([]decision, error) {
	var list []decision
	err := s.db.From(ctx).Where("override_id = ?", id).Find(&list).Error
	return list, database.Failure("read a decision", err)
}

func (s *store) drop(ctx context.Context, d *decision) error {
	return database.Failure("remove a decision", s.db.From(ctx).Where("id = ?", d.ID).Delete(&decision{}).Error)
}

var (
	//go:embed units.sql
	unitsSQL string
	//go:embed share.sql
	shareSQL string
)

// part tells people apart who were one: what was bought until now counts for each of them, and what is bought from now on for one
// alone. What providers have said may be of any of them, and goes.
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

// renew gives a person a new unit, unless nothing was ever bought under the uid.
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
