package identity

import (
	"context"
	"slices"

	"gpatlas/modules/people/internal/name"
	"gpatlas/platform/idempotency"
)

// DropKept drops the responses that were kept for requests with an Idempotency-Key, of some operations.
func (s *Service) DropKept(ctx context.Context, operations []string) error {
	return idempotency.Drop(ctx, s.store.db, operations)
}

// object stores hashes of what identifies a person in each post, in all spellings. A number identifies the person at any adviser if all who
// have it by the rules are the person, and otherwise at this adviser only.
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
	if len(posts) == 0 {
		return s.unknown(ctx, x.PersonUID)
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

// hit finds the posts that suppressions are about, including suppressions that have just been stored.
func (s *Service) hit(ctx context.Context, u *revealed) error {
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
