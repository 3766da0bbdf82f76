package identity

import (
	"context"
	_ "embed"

	"gpatlas/platform/database"
)

// suppressed gives whom the hashes keep out.
func (s *store) suppressed(ctx context.Context) (map[string][]suppression, error) {
	var list []suppression
	if err := s.db.From(ctx).Distinct("key_hash", "person_uid", "of_uid").Find(&list).Error; err != nil {
		return nil, database.Failure("read suppressions", err)
	}
	by := make(map[string][]suppression, len(list))
	for _, x := range list {
		by[x.KeyHash] = append(by[x.KeyHash], x)
	}
	return by, nil
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

// releaseOverride drops what an override keeps out, and says whether there was anything.
func (s *store) releaseOverride(ctx context.Context, id int64) (bool, error) {
	r := s.db.From(ctx).Where("override_id = ?", id).Delete(&suppression{})
	return r.RowsAffected > 0, database.Failure("take a suppression back", r.Error)
}

// heldAt gives the advisers at which the suppression of a person held, and forgets them.
func (s *store) heldAt(ctx context.Context, uid string) (crds []string, err error) {
	const statement = "DELETE FROM people.suppressed_at WHERE person_uid = @uid RETURNING crd"
	return database.Values[string](ctx, s.db, "take a suppression back", statement, database.Args{"uid": uid})
}

// suppressionsOf gives the words by which a person is suppressed: of a command, of an override or of both.
func (s *store) suppressionsOf(ctx context.Context, uid string) (list []suppression, err error) {
	err = s.db.From(ctx).Distinct("person_uid", "reason", "override_id", "created_at").Where("person_uid = ? OR of_uid = ?", uid, uid).Find(&list).Error
	return list, database.Failure("read the suppressions of a person", err)
}

// absent is a post that a suppression keeps out.
type absent struct{ CRD, RuleUID, PersonUID string }

// absent gives the posts that suppressions keep out; of old suppressions one at no adviser.
func (s *store) absent(ctx context.Context) ([]absent, error) {
	const statement = "SELECT DISTINCT coalesce(crd, '') AS crd, coalesce(rule_uid, person_uid) AS rule_uid, person_uid FROM people.suppressions ORDER BY 1, 2, 3"
	return database.Select[absent](ctx, s.db, "read which posts are suppressed", statement, nil)
}

// shown gives those of some people who have posts.
func (s *store) shown(ctx context.Context, uids []string) ([]string, error) {
	const statement = "SELECT DISTINCT person_uid FROM people.posts WHERE person_uid = ANY (@uids)"
	return database.Values[string](ctx, s.db, "look for suppressed people", statement, database.Args{"uids": uids})
}

//go:embed suppress_too.sql
var suppressTooSQL string

// suppressToo suppresses by command whom an override suppresses.
func (s *store) suppressToo(ctx context.Context, x suppression) error {
	_, err := database.Run(ctx, s.db, "keep a suppression", suppressTooSQL, database.Args{"uid": x.PersonUID, "reason": x.Reason, "at": x.CreatedAt})
	return err
}

//go:embed hash.sql
var hashSQL string

// suppress removes the posts, which are of one person, and keeps hashes of what identifies the person. A number does so where all who
// have it by the rules are the person; else it does at the adviser alone.
func (s *store) suppress(ctx context.Context, x suppression, posts []post, r ruling) error {
	for i := range posts {
		p := &posts[i]
		of, hashes := p.PersonUID, suppressionHashes(p.CRD, text(p.Number), p.LastKey, p.FirstKey)
		if r.of(p.RuleUID) == p.PersonUID {
			of = p.RuleUID
			if p.Number != nil {
				hashes = append(hashes, numberHash(*p.Number))
			}
		}
		for _, h := range hashes {
			args := database.Args{"hash": h, "uid": x.PersonUID, "of": of, "crd": p.CRD, "rule": p.RuleUID, "reason": x.Reason, "override": x.OverrideID, "at": x.CreatedAt}
			if _, err := database.Run(ctx, s.db, "keep a suppression", hashSQL, args); err != nil {
				return err
			}
		}
		if err := s.db.From(ctx).Save(&hold{x.PersonUID, p.CRD}).Error; err != nil {
			return database.Failure("keep where a suppression holds", err)
		}
	}
	if err := s.db.From(ctx).Where("person_uid = ?", posts[0].PersonUID).Delete(&post{}).Error; err != nil {
		return database.Failure("remove a suppressed person", err)
	}
	return s.forgetProfile(ctx, posts[0].PersonUID) // after the posts: an enrichment that is under way keeps nothing of whom nobody names
}

//go:embed forget_profile.sql
var forgetProfileSQL string

// forgetProfile removes what providers have said of a person, also under former uids.
func (s *store) forgetProfile(ctx context.Context, uid string) error {
	_, err := database.Run(ctx, s.db, "remove a profile", forgetProfileSQL, database.Args{"uid": uid})
	return err
}

// isSuppressed says whether the person of a uid was suppressed, alone or merged with somebody else then.
func (s *store) isSuppressed(ctx context.Context, uid string) (bool, error) {
	var n int64
	err := s.db.From(ctx).Model(&suppression{}).Where("person_uid = ? OR of_uid = ?", uid, uid).Count(&n).Error
	return n > 0, database.Failure("look for a suppression", err)
}
