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
			err = s.store.suppress(ctx, x, posts)
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

// sweep removes whom a change of decisions has made one with somebody suppressed.
func (s *Service) sweep(ctx context.Context, operations []string) error {
	uids, err := s.store.shownAgain(ctx)
	if err != nil || len(uids) == 0 {
		return err
	}
	for _, uid := range uids {
		posts, err := s.store.posts(ctx, uid)
		if err != nil {
			return err
		}
		list, err := s.store.suppressionsOf(ctx, uid)
		if err != nil {
			return err
		}
		for _, x := range list {
			if err := s.store.suppress(ctx, x, posts); err != nil {
				return err
			}
		}
	}
	return s.DropKept(ctx, operations)
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
