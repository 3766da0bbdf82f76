package hiring

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"gpatlas/modules/people/internal/board"
	"gpatlas/platform/apperr"
	"gpatlas/platform/httpclient"
)

const (
	vendorFailures = 3 // consecutive failures after which a vendor is paused
	vendorRest     = time.Hour
)

var errNotStored = errors.New("the listing could not be stored")

// Fetched counts the boards that were read, and those that could not be.
type Fetched struct{ Read, Failed int }

// FetchDue reads every due board, one after the other. A board that cannot be read does not stop the others.
func (s *Service) FetchDue(ctx context.Context) (Fetched, error) {
	var sum Fetched
	if err := s.addSet(ctx); err != nil {
		return sum, err
	}
	for {
		now := s.clock.Now()
		row, err := s.store.claim(ctx, now, now.Add(leaseFor))
		if err != nil {
			return sum, err
		}
		if row == nil {
			return sum, s.store.sweep(ctx, now.Add(-keptFor))
		}
		_, fault, err := s.fetch(ctx, row)
		switch {
		case err != nil:
			return sum, err
		case fault != nil:
			sum.Failed++
		default:
			sum.Read++
		}
	}
}

// FetchNow reads a board whether it is due or not. The error explains to the operator why it could not be read.
func (s *Service) FetchNow(ctx context.Context, b board.Board) (Applied, error) {
	now := s.clock.Now()
	row, err := s.store.claimOne(ctx, b, now, now.Add(leaseFor))
	if err != nil {
		return Applied{}, err
	}
	if row == nil {
		return Applied{}, s.whyNot(ctx, b, now)
	}
	done, fault, err := s.fetch(ctx, row)
	return done, errors.Join(err, fault)
}

// whyNot explains why a board could not be claimed.
func (s *Service) whyNot(ctx context.Context, b board.Board, now time.Time) error {
	v, err := s.store.vendor(ctx, string(b.Vendor))
	if err != nil {
		return err
	}
	if v.RestUntil != nil && v.RestUntil.After(now) {
		return apperr.Unavailable("%s failed or asked to wait: its boards are not fetched before %s", b.Vendor, v.RestUntil.UTC().Format(time.RFC3339))
	}
	return apperr.Unavailable("Another process is fetching the board; try again")
}

// fetch reads a claimed board. fault is why the board could not be read, err why that could not be stored.
func (s *Service) fetch(ctx context.Context, row *boardRow) (done Applied, fault, err error) {
	b, at := row.board(), s.clock.Now()
	listing, fault := s.client.Fetch(ctx, b, httpclient.Version{ETag: row.ETag, LastModified: row.LastModified})
	if ctx.Err() != nil {
		return Applied{}, nil, context.Cause(ctx) // the lease expires by itself
	}
	if fault == nil {
		if err := s.store.vendorSucceeded(ctx, row.Vendor); err != nil {
			return Applied{}, nil, err
		}
		switch done, err = s.apply(ctx, b, listing, at); {
		case err != nil: // a listing that cannot be stored must not keep the other boards from being read
			s.log.ErrorContext(ctx, "the listing of a job board could not be stored", slog.String("crd", row.CRD), slog.String("vendor", row.Vendor),
				slog.String("board", row.Token), slog.Any("error", err))
			return Applied{}, errNotStored, s.fail(ctx, b, errNotStored, at, time.Time{})
		case done.Doubted:
			fault = errDoubt
		}
		return done, fault, nil
	}
	s.log.WarnContext(ctx, "a job board could not be read", slog.String("vendor", row.Vendor), slog.String("board", row.Token),
		slog.String("crd", row.CRD), slog.Any("error", fault))
	notBefore, err := s.blame(ctx, row.Vendor, fault)
	if err != nil {
		return Applied{}, fault, err
	}
	return Applied{}, fault, s.fail(ctx, b, fault, at, notBefore)
}

// blame counts failures that may be the vendor's rather than the board's. A vendor that sends Retry-After is paused for that
// long.
func (s *Service) blame(ctx context.Context, vendor string, fault error) (notBefore time.Time, err error) {
	status, _ := errors.AsType[*httpclient.StatusError](fault)
	if !httpclient.Passing(fault) {
		if status != nil && status.Status == http.StatusNotFound {
			notBefore = s.clock.Now().Add(freshFor)
		}
		return notBefore, nil
	}
	limit, rest := vendorFailures, vendorRest
	if transient, ok := errors.AsType[*httpclient.TransientError](fault); ok && transient.After > 0 {
		limit, rest = 1, min(transient.After, retryAfterMax)
		notBefore = s.clock.Now().Add(rest)
	} else if status != nil && status.Status == http.StatusTooManyRequests {
		limit = 1
	}
	return notBefore, s.store.vendorFailed(ctx, vendor, limit, s.clock.Now().Add(rest))
}
