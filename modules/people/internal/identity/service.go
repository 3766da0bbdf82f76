// Package identity finds out who is who in the filings: it derives people from the names in Schedules A and B of Form ADV and
// in Form D notices, and assigns a stable uid to each.
//
// Within one adviser a person is identified by name; across advisers only by the IAPD number, never by a name. The uid is
// derived from the first sighting by day of filing, so it does not depend on the order in which filings are loaded. When
// records merge, the uid of the later sighting becomes an alias of the earlier.
package identity

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/stage"
)

// chunk is how many advisers are read at once: this reads a whole market in a few passes over its tables, each with some
// 300,000 rows in memory.
const chunk = 10_000

// Result counts what a resolution did.
type Result struct {
	Advisers int   // advisers that were read
	Rows     int64 // rows of schedules and notices read
	Posts    int64 // posts of those advisers now
	Took     time.Duration
}

// Service resolves.
type Service struct {
	store *store
	clock clock.Clock
	log   *slog.Logger
}

// NewService works on db.
func NewService(db *database.DB, clk clock.Clock, log *slog.Logger) *Service {
	return &Service{store: &store{db}, clock: clk, log: log}
}

// Resolve updates the people from the catalog: those of all advisers with documents loaded since the last resolution. It may be
// called any number of times, also concurrently, and determines itself what there is to do.
func (s *Service) Resolve(ctx context.Context) (Result, error) {
	ctx = database.WithStatementLimit(database.WithoutLimit(ctx), database.LongStatement)
	var r Result
	begun := s.clock.Now()
	err := s.store.exclusively(ctx, func(ctx context.Context) error {
		r = Result{}
		done, err := s.store.progress(ctx)
		if err != nil {
			return err
		}
		now, crds, err := s.store.touched(ctx, done)
		if err != nil {
			return err
		}
		first := done == mark{}
		if !first && len(crds) > 0 {
			if err := s.store.noteBefore(ctx, crds); err != nil {
				return err
			}
		}
		if r, err = s.resolve(ctx, crds); err != nil {
			return err
		}
		if err := s.store.advance(ctx, done, now); err != nil || first || len(crds) == 0 {
			return err // the first resolution is of people who were there already
		}
		return s.store.logMoves(ctx, crds)
	})
	r.Took = s.clock.Now().Sub(begun)
	if err != nil {
		return Result{}, err
	}
	if r.Advisers > 0 {
		s.log.InfoContext(ctx, "people resolved", slog.Int("advisers", r.Advisers), slog.Int64("rows", r.Rows), slog.Int64("posts", r.Posts))
	}
	return r, nil
}

// resolve reads the changed advisers.
func (s *Service) resolve(ctx context.Context, crds []string) (Result, error) {
	if len(crds) == 0 {
		return Result{}, nil
	}
	defer stage.Begin(ctx, "reading people of "+stage.Count(len(crds), "adviser"))()
	u, r, err := s.reveal(ctx, crds)
	if err != nil {
		return r, err
	}
	_, err = s.hide(ctx, u)
	return r, err
}

// read derives the posts of some advisers, writes the differences, and returns the posts that match suppressions.
func (s *Service) read(ctx context.Context, crds []string, o *objections) (rows, posts int64, hits []hit, err error) {
	var list []post
	var firms []firm
	err = s.each(ctx, crds, func(crd string, owners []ownerRow, notices []noticeRow) error {
		rows += int64(len(owners) + len(notices))
		found, some, f := readFirm(crd, owners, notices, o)
		list, hits, firms = append(list, found...), append(hits, some...), append(firms, f)
		return nil
	})
	if err != nil {
		return 0, 0, nil, err
	}
	return rows, int64(len(list)), hits, s.store.write(ctx, crds, list, firms)
}

// each reads the filings of some advisers, which are sorted, and calls fn for each adviser that has any.
func (s *Service) each(ctx context.Context, crds []string, fn func(crd string, owners []ownerRow, notices []noticeRow) error) error {
	for some := range slices.Chunk(crds, chunk) {
		owners, err := s.store.owners(ctx, some)
		if err != nil {
			return err
		}
		notices, err := s.store.notices(ctx, some)
		if err != nil {
			return err
		}
		for _, crd := range some {
			var own []ownerRow
			var named []noticeRow
			own, owners = of(crd, owners, func(o *ownerRow) string { return o.CRD })
			own = withScheduleA(own)
			named, notices = of(crd, notices, func(n *noticeRow) string { return n.CRD })
			if len(own) == 0 && len(named) == 0 {
				continue
			}
			if err := fn(crd, own, named); err != nil {
				return err
			}
		}
	}
	return nil
}

// Knows reports whether filings name a person of this uid, or of the one that it leads to.
func (s *Service) Knows(ctx context.Context, uid string) (bool, error) {
	uid, err := Current(ctx, s.store.db, uid)
	if err != nil {
		return false, err
	}
	posts, err := s.store.posts(ctx, uid)
	return len(posts) > 0, err
}

// of takes the rows of the next adviser off a list that is sorted by adviser.
func of[T any](crd string, all []T, crdOf func(*T) string) (own, rest []T) {
	n := 0
	for n < len(all) && crdOf(&all[n]) == crd {
		n++
	}
	return all[:n], all[n:]
}

// withScheduleA removes the filings without a Schedule A, which comes before Schedule B in each.
func withScheduleA(rows []ownerRow) []ownerRow {
	accession, carries := "", false
	return slices.DeleteFunc(rows, func(o ownerRow) bool {
		if o.Accession != accession {
			accession, carries = o.Accession, o.Schedule == "A"
		}
		return !carries
	})
}
