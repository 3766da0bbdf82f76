package hiring

import (
	"context"
	"errors"
	"slices"
	"time"

	"gpatlas/modules/people/internal/board"
)

// Applied is what a listing changed.
type Applied struct {
	Open     int // postings of the listing
	Closed   int // open postings that the listing lacks
	Doubted  bool
	Outdated bool // a later listing was applied meanwhile, or the board was removed
}

var errDoubt = errors.New("the listing lacks most of the open postings; it counts if the next one does, too")

// apply makes a listing at an instant the board's state.
func (s *Service) apply(ctx context.Context, b board.Board, l board.Listing, at time.Time) (Applied, error) {
	var done Applied
	err := s.db.InTx(ctx, func(ctx context.Context) (err error) {
		done, err = s.applyIn(ctx, b, l, at)
		return err
	})
	return done, err
}

func (s *Service) applyIn(ctx context.Context, b board.Board, l board.Listing, at time.Time) (Applied, error) {
	row, err := s.store.lock(ctx, b)
	if err != nil {
		return Applied{}, err
	}
	if row == nil || row.CheckedAt != nil && !at.After(*row.CheckedAt) {
		return Applied{Outdated: true}, nil
	}
	known, err := s.store.open(ctx, b)
	if err != nil {
		return Applied{}, err
	}
	done := Applied{Open: len(l.Postings)}
	if l.Unchanged {
		done.Open = len(known)
		if err := s.store.touch(ctx, b, at); err != nil {
			return Applied{}, err
		}
		row.succeed(at)
		return done, s.store.update(ctx, row)
	}
	if doubtful(known, l.Postings) && (row.DoubtedAt == nil || at.Sub(*row.DoubtedAt) < doubtFor) {
		row.doubt(at)
		return Applied{Doubted: true}, s.store.update(ctx, row)
	}
	if done.Closed, err = s.store.write(ctx, b, l.Postings, at); err != nil {
		return Applied{}, err
	}
	row.succeed(at)
	row.ETag, row.LastModified = l.Version.ETag, l.Version.LastModified
	return done, s.store.update(ctx, row)
}

// doubtful reports whether a listing lacks so many of the open postings that it must be confirmed by a second one: all of them,
// or three in four of many.
func doubtful(known []string, listed []board.Posting) bool {
	if len(known) == 0 {
		return false
	}
	left := 0
	for i := range listed {
		if slices.Contains(known, listed[i].ID) {
			left++
		}
	}
	return len(listed) == 0 || len(known) >= doubtFrom && left*4 < len(known)
}

func (r *boardRow) succeed(at time.Time) {
	if r.SucceededAt == nil || at.Sub(*r.SucceededAt) > gapMax {
		r.ObservedSince = &at
	}
	r.CheckedAt, r.SucceededAt, r.DoubtedAt = &at, &at, nil
	r.Failures, r.Failure, r.RetryAt, r.LeasedUntil = 0, nil, nil, nil
}

// doubt schedules an unconditional read of the board in an hour.
func (r *boardRow) doubt(at time.Time) {
	if r.DoubtedAt == nil {
		r.DoubtedAt = &at
	}
	message, again := errDoubt.Error(), at.Add(doubtFor)
	r.CheckedAt, r.Failure, r.RetryAt, r.LeasedUntil = &at, &message, &again, nil
	r.ETag, r.LastModified = "", ""
}

const (
	retryFirst = time.Hour
	retryMax   = 24 * time.Hour
	// retryAfterMax is the longest Retry-After that is obeyed.
	retryAfterMax = 7 * 24 * time.Hour
	failureMax    = 300 // stored bytes of a message
)

// fail records that a board could not be read. Its postings stay as they are.
func (s *Service) fail(ctx context.Context, b board.Board, why error, at, notBefore time.Time) error {
	return s.db.InTx(ctx, func(ctx context.Context) error {
		row, err := s.store.lock(ctx, b)
		if err != nil || row == nil || row.CheckedAt != nil && at.Before(*row.CheckedAt) {
			return err
		}
		message := why.Error()
		if len(message) > failureMax {
			message = message[:failureMax]
		}
		row.Failures++
		again := at.Add(min(retryFirst<<min(row.Failures-1, 10), retryMax))
		if notBefore.After(again) {
			again = notBefore
		}
		row.CheckedAt, row.Failure, row.RetryAt, row.LeasedUntil = &at, &message, &again, nil
		return s.store.update(ctx, row)
	})
}
