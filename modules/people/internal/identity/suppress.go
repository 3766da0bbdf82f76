package identity

import (
	"context"
	"slices"

	"gpatlas/modules/people/internal/name"
	"gpatlas/platform/apperr"
	"gpatlas/platform/audit"
	"gpatlas/platform/idempotency"
)

// Suppress removes a person from everything that is answered: what later filings say of whoever has the person's number, or the name
// at one of the person's advisers, is not shown. The answers that were kept for requests with an Idempotency-Key are dropped, of
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
		if len(posts) == 0 {
			if err := s.mayObject(ctx, x); err != nil {
				return err
			}
		}
		removed = int64(len(posts))
		crds := make([]string, len(posts))
		for i := range posts {
			crds[i] = posts[i].CRD
		}
		u, _, err := s.uncover(ctx, crds)
		if err != nil {
			return err
		}
		if x.PersonUID, err = s.store.current(ctx, x.PersonUID); err != nil { // what was read now may have given it up
			return err
		}
		if err := s.object(ctx, x); err != nil {
			return err
		}
		if err := s.hit(ctx, u); err != nil {
			return err
		}
		if _, err := s.cover(ctx, u); err != nil {
			return err
		}
		if err := s.DropKept(ctx, operations); err != nil {
			return err
		}
		return s.audit.Write(ctx, audit.Change{Action: "person.suppress", Subject: x.PersonUID, After: map[string]any{"reason": x.Reason}})
	})
	return removed, err
}

// mayObject refuses the suppression of somebody who is not shown, but for one by command where none is of all posts of the person.
func (s *Service) mayObject(ctx context.Context, x suppression) error {
	held, err := s.store.holds(ctx)
	if err != nil {
		return err
	}
	of := func(h hold) bool { return h.PersonUID == x.PersonUID }
	if x.OverrideID != nil || !slices.ContainsFunc(held, func(h hold) bool { return of(h) && !h.Objected }) {
		return s.unknown(ctx, x.PersonUID)
	}
	return nil
}

// object keeps hashes of what identifies a person in each post, in all spellings. A number does so at any adviser where all who have it by
// the rules are the person; else it does at the adviser alone.
func (s *Service) object(ctx context.Context, x suppression) error {
	decisions, err := s.store.decisions(ctx)
	if err != nil {
		return err
	}
	r, _, err := s.store.rule(ctx, decisions)
	if err != nil {
		return err
	}
	posts, err := s.store.posts(ctx, x.PersonUID)
	if err != nil {
		return err
	}
	own, crds := map[place]*post{}, make([]string, len(posts))
	for i := range posts {
		own[place{posts[i].CRD, posts[i].SightUID}], crds[i] = &posts[i], posts[i].CRD
	}
	return s.each(ctx, slices.Compact(crds), func(crd string, owners []ownerRow, notices []noticeRow) error {
		reading := newReading(crd, owners, notices)
		people, rows := reading.grouped()
		for _, c := range people {
			p := own[place{crd, reading.post(c, rows[c]).SightUID}]
			if p == nil {
				continue
			}
			x.CRD, x.RuleUID, x.OfUID = &p.CRD, &p.RuleUID, p.PersonUID
			var hashes []string
			for _, m := range c.mentions {
				hashes = append(hashes, nameHash(crd, m.key.Last, name.Formal(m.key.First)))
			}
			if c.number != "" {
				hashes = append(hashes, firmNumberHash(crd, c.number))
			}
			if r.of(p.RuleUID) == p.PersonUID {
				x.OfUID = p.RuleUID
				if c.number != "" {
					hashes = append(hashes, numberHash(c.number))
				}
			}
			for _, x.KeyHash = range hashes {
				if err := s.store.keep(ctx, x); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// hit finds anew what suppressions are about, those that have just been made among them.
func (s *Service) hit(ctx context.Context, u *uncovered) error {
	list, err := s.store.suppressions(ctx)
	if err != nil {
		return err
	}
	u.objections, u.hits = newObjections(list), nil
	for crd := range u.objections.at {
		if crd != "" {
			u.crds = append(u.crds, crd)
		}
	}
	slices.Sort(u.crds)
	return s.each(ctx, slices.Compact(u.crds), func(crd string, owners []ownerRow, notices []noticeRow) error {
		_, hits, _ := readFirm(crd, owners, notices, u.objections)
		u.hits = append(u.hits, hits...)
		return nil
	})
}

// release takes the suppression of an override back. Whoever is left out by another one still is.
func (s *Service) release(ctx context.Context, uid string, overrideID int64) error {
	return s.store.exclusively(ctx, func(ctx context.Context) error {
		released, err := s.store.releaseOverride(ctx, overrideID)
		if err != nil {
			return err
		}
		if !released {
			if gone, err := s.store.isSuppressed(ctx, uid); err != nil {
				return err
			} else if !gone {
				return apperr.NotFound("%s is not suppressed", uid)
			}
		}
		u, _, err := s.uncover(ctx, nil)
		if err != nil {
			return err
		}
		if _, err := s.cover(ctx, u); err != nil {
			return err
		}
		change := audit.Change{Action: "person.release", Subject: uid}
		if gone, err := s.store.isSuppressed(ctx, uid); err != nil {
			return err
		} else if gone {
			change.After = map[string]any{"suppressed": true}
		}
		return s.audit.Write(ctx, change)
	})
}
