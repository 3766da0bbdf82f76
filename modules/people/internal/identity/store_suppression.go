package identity

import (
	"context"
	_ "embed"

	"gpatlas/platform/database"
)

// suppressions are all that are in force.
func (s *store) suppressions(ctx context.Context) (list []suppression, err error) {
	err = s.db.From(ctx).Order("created_at, key_hash, person_uid").Find(&list).Error
	return list, database.Failure("read suppressions", err)
}

// holds are the posts that suppressions keep out.
func (s *store) holds(ctx context.Context) (list []hold, err error) {
	err = s.db.From(ctx).Order("crd, sight_uid, person_uid").Find(&list).Error
	return list, database.Failure("read where suppressions hold", err)
}

//go:embed hide.sql
var hideSQL string

// hide removes posts, and notes them instead of those before.
func (s *store) hide(ctx context.Context, list []hold) error {
	if _, err := database.Run(ctx, s.db, "note where suppressions hold", "DELETE FROM people.suppressed_at", nil); err != nil {
		return err
	}
	if len(list) == 0 {
		return nil
	}
	if err := s.db.From(ctx).CreateInBatches(list, chunk).Error; err != nil {
		return database.Failure("note where suppressions hold", err)
	}
	crds, sights := make([]string, len(list)), make([]string, len(list))
	for i := range list {
		crds[i], sights[i] = list[i].CRD, list[i].SightUID
	}
	_, err := database.Run(ctx, s.db, "remove suppressed people", hideSQL, database.Args{"crds": crds, "sights": sights})
	return err
}

// placed is a post as suppressions see it.
type placed struct{ CRD, SightUID, RuleUID, PersonUID, Number, LastKey, FirstKey string }

//go:embed placed.sql
var placedSQL string

// at gives the posts at some places.
func (s *store) at(ctx context.Context, places []place) ([]placed, error) {
	crds, sights := make([]string, len(places)), make([]string, len(places))
	for i, x := range places {
		crds[i], sights[i] = x.crd, x.sight
	}
	args := database.Args{"people": []string{}, "numbers": []string{}, "crds": crds, "sights": sights}
	return database.Select[placed](ctx, s.db, "read posts at places", placedSQL, args)
}

// placed gives the posts of some people, or of some numbers.
func (s *store) placed(ctx context.Context, people, numbers []string) ([]placed, error) {
	args := database.Args{"people": people, "numbers": numbers, "crds": []string{}, "sights": []string{}}
	return database.Select[placed](ctx, s.db, "read posts of people", placedSQL, args)
}

// releaseOverride drops what an override keeps out, and says whether there was anything.
func (s *store) releaseOverride(ctx context.Context, id int64) (bool, error) {
	r := s.db.From(ctx).Where("override_id = ?", id).Delete(&suppression{})
	return r.RowsAffected > 0, database.Failure("take a suppression back", r.Error)
}

// shown gives those of some people who have posts.
func (s *store) shown(ctx context.Context, uids []string) ([]string, error) {
	const statement = "SELECT DISTINCT person_uid FROM people.posts WHERE person_uid = ANY (@uids)"
	return database.Values[string](ctx, s.db, "look for suppressed people", statement, database.Args{"uids": uids})
}

//go:embed hash.sql
var hashSQL string

// keep keeps a hash that identifies somebody who is suppressed.
func (s *store) keep(ctx context.Context, x suppression) error {
	args := database.Args{
		"hash": x.KeyHash, "uid": x.PersonUID, "of": x.OfUID, "crd": x.CRD, "rule": x.RuleUID, "reason": x.Reason, "override": x.OverrideID, "at": x.CreatedAt,
	}
	_, err := database.Run(ctx, s.db, "keep a suppression", hashSQL, args)
	return err
}

//go:embed forget_profile.sql
var forgetProfileSQL string

// forgetProfile removes what providers have said of a person, also under former uids.
func (s *store) forgetProfile(ctx context.Context, uid string) error {
	_, err := database.Run(ctx, s.db, "remove a profile", forgetProfileSQL, database.Args{"uid": uid})
	return err
}

//go:embed is_suppressed.sql
var isSuppressedSQL string

// isSuppressed says whether the person of a uid was suppressed, alone or merged with somebody else then, or is left out as one with such
// a person.
func (s *store) isSuppressed(ctx context.Context, uid string) (bool, error) {
	list, err := database.Values[bool](ctx, s.db, "look for a suppression", isSuppressedSQL, database.Args{"uid": uid})
	return err == nil && list[0], err
}
