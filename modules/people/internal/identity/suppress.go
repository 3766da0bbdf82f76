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
// all operations that may show people. It gives the number of posts removed.
func (s *Service) Suppress(ctx context.Context, uid, reason string, operations []string) (removed int64, err error) {
	if removed, err = s.suppress(ctx, uid, reason, operations); err != nil {
		return 0, err
	}
	// Once more: a request may have begun and read the person before the transaction was committed.
	return removed, s.DropKept(ctx, operations)
}

// DropKept drops the answers that were kept for requests with an Idempotency-Key.
func (s *Service) DropKept(ctx context.Context, operations []string) error {
	return idempotency.Drop(ctx, s.store.db, s.clock.Now(), operations)
}

func (s *Service) suppress(ctx context.Context, uid, reason string, operations []string) (removed int64, err error) {
	if err := wantReason(reason); err != nil {
		return 0, err
	}
	err = s.store.exclusively(ctx, func(ctx context.Context) error {
		if uid, err = s.store.current(ctx, uid); err != nil {
			return err
		}
		posts, err := s.posts(ctx, uid)
		if err != nil {
			return err
		}
		if err := s.store.suppress(ctx, uid, reason, s.clock.Now(), posts); err != nil {
			return err
		}
		removed = int64(len(posts))
		if err := s.DropKept(ctx, operations); err != nil {
			return err
		}
		return s.audit.Write(ctx, audit.Change{Action: "person.suppress", Subject: uid, After: map[string]any{"reason": reason}})
	})
	return removed, err
}

// release takes the suppression of a person back: the filings of the advisers at which it held are read anew.
func (s *Service) release(ctx context.Context, uid string) error {
	return s.store.exclusively(ctx, func(ctx context.Context) error {
		if gone, err := s.store.isSuppressed(ctx, uid); err != nil {
			return err
		} else if !gone {
			return apperr.NotFound("%s is not suppressed", uid)
		}
		crds, err := s.store.release(ctx, uid)
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
