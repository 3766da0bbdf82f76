package identity

import (
	"context"
	_ "embed"
	"time"

	"gpatlas/platform/database"
)

// current follows a former uid to the one that is used now.
func (s *store) current(ctx context.Context, uid string) (string, error) {
	const statement = "SELECT person_uid FROM people.aliases WHERE uid = @uid"
	list, err := database.Values[string](ctx, s.db, "follow a former uid", statement, database.Args{"uid": uid})
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

//go:embed find.sql
var findSQL string

func (s *store) find(ctx context.Context, last, first string) ([]Found, error) {
	return database.Select[Found](ctx, s.db, "find a person", findSQL, database.Args{"last": last, "first": first})
}

// kept gives all columns of a person's posts.
func (s *store) kept(ctx context.Context, uid string) ([]Kept, error) {
	posts, err := s.posts(ctx, uid)
	if err != nil {
		return nil, err
	}
	list := make([]Kept, len(posts))
	for i, p := range posts {
		list[i] = Kept{
			Found: Found{
				PersonUID: p.PersonUID, FullName: p.FullName, CRD: p.CRD, Title: text(p.Title), Number: text(p.Number), Standing: p.Standing,
				NamedFrom: day(&p.NamedFrom), NamedUntil: day(&p.NamedUntil),
			},
			AcquiredOn: day(p.AcquiredOn), LeftBefore: day(p.LeftBefore), Source: p.Source, City: text(p.City), State: text(p.State), SightedIn: p.SightedIn,
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

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

//go:embed hash.sql
var hashSQL string

// suppress removes the posts of a person and keeps hashes of what identifies the person.
func (s *store) suppress(ctx context.Context, uid, reason string, at time.Time, posts []post) error {
	for i := range posts {
		p := &posts[i]
		for _, h := range suppressionHashes(p.CRD, text(p.Number), p.LastKey, p.FirstKey) {
			_, err := database.Run(ctx, s.db, "keep a suppression", hashSQL, database.Args{"hash": h, "uid": uid, "reason": reason, "at": at})
			if err != nil {
				return err
			}
		}
	}
	if err := s.db.From(ctx).Where("person_uid = ?", uid).Delete(&post{}).Error; err != nil {
		return database.Failure("remove a suppressed person", err)
	}
	return s.forgetProfile(ctx, uid) // after the posts: an enrichment that is under way keeps nothing of whom nobody names
}

//go:embed forget_profile.sql
var forgetProfileSQL string

// forgetProfile removes what providers have said of a person, also under former uids.
func (s *store) forgetProfile(ctx context.Context, uid string) error {
	_, err := database.Run(ctx, s.db, "remove a profile", forgetProfileSQL, database.Args{"uid": uid})
	return err
}

// isSuppressed says whether the person of a uid was suppressed.
func (s *store) isSuppressed(ctx context.Context, uid string) (bool, error) {
	var n int64
	err := s.db.From(ctx).Model(&suppression{}).Where("person_uid = ?", uid).Count(&n).Error
	return n > 0, database.Failure("look for a suppression", err)
}

func (s *store) merge(ctx context.Context, m merge) error {
	return database.Failure("keep a merge", s.db.From(ctx).Save(&m).Error)
}

//go:embed split_origins.sql
var splitOriginsSQL string

//go:embed split_alias.sql
var splitAliasSQL string

// split keeps a split, and whose purchases count for both. It is no news if it was kept before.
func (s *store) split(ctx context.Context, x split) error {
	args := database.Args{"uid": x.UID, "new": x.NewUID, "kept": x.KeptUID}
	// The origins come first: what is bought from now on counts for one of the two alone.
	if err := s.steps(ctx, args, []step{{"keep what both were", splitOriginsSQL}, {"lead to who keeps the uid", splitAliasSQL}}); err != nil {
		return err
	}
	if err := s.db.From(ctx).Save(&x).Error; err != nil {
		return database.Failure("keep a split", err)
	}
	return s.forgetProfile(ctx, x.UID) // it may be of either person
}

// note notes who is at some advisers, and their numbers, for assign.
func (s *store) note(ctx context.Context, crds []string) error {
	return s.steps(ctx, database.Args{"crds": crds}, []step{{"note who was there", noteBeforeSQL}, {"note numbers", noteNumbersSQL}})
}
