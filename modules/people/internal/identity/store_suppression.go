package identity

import (
	"context"
	_ "embed"
	"time"

	"gpatlas/platform/database"
)

// suppressed gives whom the hashes keep out.
func (s *store) suppressed(ctx context.Context) (map[string][]string, error) {
	var list []suppression
	if err := s.db.From(ctx).Find(&list).Error; err != nil {
		return nil, database.Failure("read suppressions", err)
	}
	of := make(map[string][]string, len(list))
	for _, x := range list {
		of[x.KeyHash] = append(of[x.KeyHash], x.PersonUID)
	}
	return of, nil
}

// hold notes who is kept out at some advisers.
func (s *store) hold(ctx context.Context, crds []string, held []hold) error {
	const statement = "DELETE FROM people.suppressed_at WHERE crd = ANY (@crds)"
	if _, err := database.Run(ctx, s.db, "note where suppressions hold", statement, database.Args{"crds": crds}); err != nil {
		return err
	}
	for i := range held {
		if err := s.db.From(ctx).Save(&held[i]).Error; err != nil {
			return database.Failure("note where suppressions hold", err)
		}
	}
	return nil
}

// release takes a suppression back, and gives the advisers at which it held.
func (s *store) release(ctx context.Context, uid string) (crds []string, err error) {
	const statement = "DELETE FROM people.suppressed_at WHERE person_uid = @uid RETURNING crd"
	if crds, err = database.Values[string](ctx, s.db, "take a suppression back", statement, database.Args{"uid": uid}); err != nil {
		return nil, err
	}
	return crds, database.Failure("take a suppression back", s.db.From(ctx).Where("person_uid = ?", uid).Delete(&suppression{}).Error)
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
		if err := s.db.From(ctx).Save(&hold{uid, p.CRD}).Error; err != nil {
			return database.Failure("keep where a suppression holds", err)
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
