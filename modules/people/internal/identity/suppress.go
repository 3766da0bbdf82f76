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
func (s *Service) sweep(ctx context.Context, gone decision, operations []string) error {
	uids, err := s.store.shownAgain(ctx)
	if err != nil {
		return err
	}
	pairs := make([][2]string, 0, len(uids)+1) // who is shown, and who is suppressed
	for _, uid := range uids {
		pairs = append(pairs, [2]string{uid, uid})
	}
	if gone.Kind == split {
		st, err := s.standing(ctx, gone)
		if err != nil {
			return err
		}
		if !st.still(gone) {
			pairs = append(pairs, [2]string{st.now.of(gone.UID), gone.ToUID})
		}
	}
	swept := false
	for _, pair := range pairs {
		list, err := s.store.suppressionsOf(ctx, pair[1])
		if err != nil {
			return err
		}
		posts, err := s.store.posts(ctx, pair[0])
		if err != nil {
			return err
		}
		if len(list) == 0 || len(posts) == 0 {
			continue
		}
		if err := s.hide(ctx, list, posts); err != nil {
			return err
		}
		swept = true
	}
	if !swept {
		return nil
	}
	return s.DropKept(ctx, operations)
}

// suppressed is whom suppressions keep out.
type suppressed struct {
	hashes map[string][]string // the people of whom each is
	apart  map[string][]string // by adviser: the people from whom a split tells somebody there
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
	by.apart = map[string][]string{}
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
