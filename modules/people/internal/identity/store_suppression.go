package identity

import (
	"context"
	_ "embed"

	"gpatlas/platform/database"
)

// suppressions returns all suppressions in force.
func (s *store) suppressions(ctx context.Context) (list []suppression, err error) {
	err = s.db.From(ctx).Order("created_at, key_hash, person_uid").Find(&list).Error
	return list, database.Failure("read suppressions", err)
}

// holds returns the posts that suppressions hide.
func (s *store) holds(ctx context.Context) (list []hold, err error) {
	err = s.db.From(ctx).Order("crd, sight_uid, person_uid").Find(&list).Error
	return list, database.Failure("read where suppressions hold", err)
}

const hideSQL = `DELETE FROM people.posts p USING unnest(@crds::text[], @sights::text[]) AS h (crd, sight_uid)
WHERE p.crd = h.crd AND p.sight_uid = h.sight_uid`

// hide removes posts, and stores which ones are hidden now.
func (s *store) hide(ctx context.Context, list []hold) error {
	if _, err := database.Run(ctx, s.db, "note where suppressions hold", "DELETE FROM people.suppressed_at", nil); err != nil {
		return err
	}
	if len(list) == 0 {
		return nil
	}
	if err := s.db.From(ctx).CreateInBatches(list, 1_000).Error; err != nil {
		return database.Failure("note where suppressions hold", err)
	}
	crds, sights := make([]string, len(list)), make([]string, len(list))
	for i := range list {
		crds[i], sights[i] = list[i].CRD, list[i].SightUID
	}
	_, err := database.Run(ctx, s.db, "remove suppressed people", hideSQL, database.Args{"crds": crds, "sights": sights})
	return err
}

// placed is what suppressions need of a post.
type placed struct{ CRD, SightUID, RuleUID, PersonUID, Number, LastKey, FirstKey string }

//go:embed placed.sql
var placedSQL string

// at returns the posts at some places.
func (s *store) at(ctx context.Context, places []place) ([]placed, error) {
	crds, sights := make([]string, len(places)), make([]string, len(places))
	for i, x := range places {
		crds[i], sights[i] = x.crd, x.sight
	}
	args := database.Args{"people": []string{}, "numbers": []string{}, "crds": crds, "sights": sights}
	return database.Select[placed](ctx, s.db, "read posts at places", placedSQL, args)
}

// placed returns the posts of some people, or of some numbers.
func (s *store) placed(ctx context.Context, people, numbers []string) ([]placed, error) {
	args := database.Args{"people": people, "numbers": numbers, "crds": []string{}, "sights": []string{}}
	return database.Select[placed](ctx, s.db, "read posts of people", placedSQL, args)
}

// release removes the suppression of an override, if it is one.
func (s *store) release(ctx context.Context, overrideID int64) error {
	err := s.db.From(ctx).Where("override_id = ?", overrideID).Delete(&suppression{}).Error
	return database.Failure("remove a suppression", err)
}

// shown returns those of some people who have posts.
func (s *store) shown(ctx context.Context, uids []string) ([]string, error) {
	const statement = "SELECT DISTINCT person_uid FROM people.posts WHERE person_uid = ANY (@uids)"
	return database.Values[string](ctx, s.db, "look for suppressed people", statement, database.Args{"uids": uids})
}

const hashSQL = `INSERT INTO people.suppressions (key_hash, person_uid, of_uid, crd, rule_uid, override_id, created_at)
VALUES (@hash, @uid, @of, @crd, @rule, @override, @at)
ON CONFLICT DO NOTHING`

// keep stores a hash that identifies a suppressed person.
func (s *store) keep(ctx context.Context, x suppression) error {
	args := database.Args{
		"hash": x.KeyHash, "uid": x.PersonUID, "of": x.OfUID, "crd": x.CRD, "rule": x.RuleUID, "override": x.OverrideID, "at": x.CreatedAt,
	}
	_, err := database.Run(ctx, s.db, "keep a suppression", hashSQL, args)
	return err
}

const forgetProfileSQL = `DELETE FROM people.profiles
WHERE person_uid = @uid OR person_uid IN (SELECT a.uid FROM people.aliases a WHERE a.person_uid = @uid)`

// forgetProfile removes the data of providers about a person, also under former UIDs.
func (s *store) forgetProfile(ctx context.Context, uid string) error {
	_, err := database.Run(ctx, s.db, "remove a profile", forgetProfileSQL, database.Args{"uid": uid})
	return err
}

const isSuppressedSQL = `SELECT EXISTS (SELECT FROM people.suppressed_at WHERE person_uid = @uid)
	OR EXISTS (SELECT FROM people.suppressions WHERE person_uid = @uid OR of_uid = @uid)`

// isSuppressed reports whether the person of a UID was suppressed, alone or merged with another person, or is hidden as one with a suppressed
// person.
func (s *store) isSuppressed(ctx context.Context, uid string) (bool, error) {
	list, err := database.Values[bool](ctx, s.db, "look for a suppression", isSuppressedSQL, database.Args{"uid": uid})
	return err == nil && list[0], err
}
