package identity

import (
	"context"
	"slices"

	"gpatlas/platform/apperr"
	"gpatlas/platform/audit"
	"gpatlas/platform/idempotency"
)

// Suppress removes a person from everything that is answered: what later filings say of whoever has the person's number, or the name
// at one of the person's advisers, is not taken in. The answers that were kept for requests with an Idempotency-Key are dropped, of
// all operations that may show people. It gives the number of posts removed. Somebody whom an override suppresses is suppressed by
// command as well, so that no deletion of the override brings the person back.
func (s *Service) Suppress(ctx context.Context, uid, reason string, operations []string) (removed int64, err error) {
	if removed, err = s.suppress(ctx, suppression{PersonUID: uid, Reason: reason}, operations); err != nil {
		return 0, err
	}
	// Once more: a request may have begun and read the person before the transaction was committed.
	return removed, s.DropKept(ctx, operations)
}

// DropKept drops the answers that were kept for requests with an Idempotency-Key.
func (s *Service) DropKept(ctx context.Context, operations []string) error {
	return idempotency.Drop(ctx, s.store.db, s.clock.Now(), operations)
}

func (s *Service) suppress(ctx context.Context, x suppression, operations []string) (removed int64, err error) {
	if err := wantReason(x.Reason); err != nil {
		return 0, err
	}
	err = s.store.exclusively(ctx, func(ctx context.Context) error {
		x.CreatedAt = s.clock.Now()
		if x.PersonUID, err = s.store.current(ctx, x.PersonUID); err != nil {
			return err
		}
		posts, err := s.store.posts(ctx, x.PersonUID)
		if err != nil {
			return err
		}
		if len(posts) > 0 {
			err = s.hide(ctx, []suppression{x}, posts)
		} else {
			err = s.suppressToo(ctx, x)
		}
		if err != nil {
			return err
		}
		removed = int64(len(posts))
		if err := s.DropKept(ctx, operations); err != nil {
			return err
		}
		return s.audit.Write(ctx, audit.Change{Action: "person.suppress", Subject: x.PersonUID, After: map[string]any{"reason": x.Reason}})
	})
	return removed, err
}

// suppressToo suppresses by command whom an override suppresses already.
func (s *Service) suppressToo(ctx context.Context, x suppression) error {
	list, err := s.store.suppressionsOf(ctx, x.PersonUID)
	if err != nil {
		return err
	}
	if len(list) == 0 || x.OverrideID != nil || slices.ContainsFunc(list, func(o suppression) bool { return o.OverrideID == nil }) {
		return s.unknown(ctx, x.PersonUID)
	}
	return s.store.suppressToo(ctx, x)
}

// hide removes the posts of a person for each of some suppressions.
func (s *Service) hide(ctx context.Context, list []suppression, posts []post) error {
	decided, err := s.store.decisions(ctx)
	if err != nil {
		return err
	}
	r, _, err := s.store.rule(ctx, decided)
	if err != nil {
		return err
	}
	for _, x := range list {
		if err := s.store.suppress(ctx, x, posts, r); err != nil {
			return err
		}
	}
	return nil
}

// sweep removes whom it has made one with somebody suppressed that a decision was taken back.
func (s *Service) sweep(ctx context.Context, operations []string) error {
	if swept, err := s.hideShown(ctx); err != nil || !swept {
		return err
	}
	return s.DropKept(ctx, operations)
}

// hideShown removes the posts that suppressed people have after a reading or a decision, and says whether there were any: those of whom
// the suppressed posts would be today. Suppressions of before posts were placed are those of their ID.
func (s *Service) hideShown(ctx context.Context) (hidden bool, err error) {
	list, err := s.store.decisions(ctx)
	if err != nil {
		return false, err
	}
	out, err := s.store.absent(ctx)
	if err != nil || len(out) == 0 {
		return false, err
	}
	former, posts, err := s.store.decidedPosts(ctx, list)
	if err != nil {
		return false, err
	}
	seen := len(posts)
	for _, a := range out {
		posts = append(posts, sighted{CRD: a.CRD, RuleUID: a.RuleUID, PersonUID: a.PersonUID})
	}
	people := decide(list, former, posts).people[seen:]
	shown, err := s.store.shown(ctx, people)
	if err != nil {
		return false, err
	}
	done := map[[2]string]bool{}
	for i, a := range out {
		pair := [2]string{people[i], a.PersonUID}
		if done[pair] || !slices.Contains(shown, people[i]) {
			continue
		}
		done[pair] = true
		some, err := s.hideAs(ctx, people[i], a.PersonUID)
		if err != nil {
			return false, err
		}
		hidden = hidden || some
	}
	return hidden, nil
}

// hideAs removes the posts of a person for the suppressions of who is the same, and says whether there were any.
func (s *Service) hideAs(ctx context.Context, uid, suppressed string) (bool, error) {
	list, err := s.store.suppressionsOf(ctx, suppressed)
	list = slices.DeleteFunc(list, func(x suppression) bool { return x.PersonUID != suppressed })
	if err != nil || len(list) == 0 {
		return false, err
	}
	posts, err := s.store.posts(ctx, uid)
	if err != nil || len(posts) == 0 {
		return false, err
	}
	return true, s.hide(ctx, list, posts)
}

// suppressed is whom suppressions keep out.
type suppressed struct {
	hashes map[string][]suppression // those that have each
	apart  map[string][]string      // by adviser: the people from whom a split tells somebody there
	of     func(uid string) string  // the person whom a uid leads to
}

func (s *Service) suppressed(ctx context.Context) (by suppressed, err error) {
	if by.hashes, err = s.store.suppressed(ctx); err != nil || len(by.hashes) == 0 {
		return by, err
	}
	list, err := s.store.decisions(ctx)
	if err != nil {
		return by, err
	}
	r, _, err := s.store.rule(ctx, list)
	if err != nil {
		return by, err
	}
	by.apart, by.of = map[string][]string{}, r.of
	for i := range list {
		if d := &list[i]; d.Kind == split && r.of(d.UID) != r.of(d.ToUID) {
			by.apart[*d.CRD] = append(by.apart[*d.CRD], r.of(d.UID))
		}
	}
	return by, nil
}

// release takes the suppression of an override back: the filings of the advisers at which it held are read anew, unless a command
// suppresses the person as well.
func (s *Service) release(ctx context.Context, uid string, overrideID int64) error {
	return s.store.exclusively(ctx, func(ctx context.Context) error {
		released, err := s.store.releaseOverride(ctx, overrideID)
		if err != nil {
			return err
		}
		gone, err := s.store.isSuppressed(ctx, uid)
		switch {
		case err != nil:
			return err
		case !released && !gone:
			return apperr.NotFound("%s is not suppressed", uid)
		case gone:
			return s.audit.Write(ctx, audit.Change{Action: "person.release", Subject: uid, After: map[string]any{"suppressed": true}})
		}
		crds, err := s.store.heldAt(ctx, uid)
		if err != nil {
			return err
		}
		slices.Sort(crds) // as the filings are read
		if _, err := s.resolve(ctx, crds); err != nil {
			return err
		}
		return s.audit.Write(ctx, audit.Change{Action: "person.release", Subject: uid})
	})
}
