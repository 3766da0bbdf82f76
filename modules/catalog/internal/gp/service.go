package gp

import (
	"context"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/modules/catalog/internal/history"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/listing"
	"gpatlas/modules/catalog/internal/past"
	"gpatlas/platform/apperr"
	"gpatlas/platform/clock"
)

// Service answers what is asked of advisers.
type Service struct {
	index *index.Holder
	store *history.Store
	past  *past.Builder
	clock clock.Clock
}

// NewService makes the service: lists from the index, those of a past day from an index of before, details from the store.
func NewService(holder *index.Holder, store *history.Store, before *past.Builder, clk clock.Clock) *Service {
	return &Service{index: holder, store: store, past: before, clock: clk}
}

// Get reads one adviser: the current state, or that of the filings that count at a moment. If the caller asks for it, the filing
// of each value is included. It fails with NotFound when there is no such adviser or when no filing counts, and with
// Unavailable when the database is unavailable.
func (s *Service) Get(ctx context.Context, in *DetailInput) (*fold.Adviser, fold.Provenance, error) {
	trace, err := in.Provenance()
	if err != nil {
		return nil, nil, err
	}
	at := catalogapi.Moment{}
	if at.Day, at.Known, err = in.Resolve(s.clock); err != nil {
		return nil, nil, err
	}
	if err := s.store.WaitForCommit(ctx, at.Known); err != nil {
		return nil, nil, err
	}
	var current *fold.Adviser
	var sources fold.Provenance
	kept := false
	if at.Now() && trace {
		current, sources, kept, err = s.store.AdviserWithSources(ctx, in.CRD)
	} else {
		current, err = s.store.FindAdviser(ctx, in.CRD)
	}
	if err != nil {
		return nil, nil, err
	}
	if current == nil {
		return nil, nil, apperr.NotFound(catalogapi.NoGP, in.CRD)
	}
	if kept || at.Now() && !trace {
		return current, sources, nil
	}
	then, err := s.store.AdviserAt(ctx, current, history.AsOf{Point: catalogapi.Point{Moment: at}, Today: s.clock.Now()})
	if err != nil {
		return nil, nil, err
	}
	if then == nil {
		return nil, nil, listing.NotYet("GP with CRD "+in.CRD, at)
	}
	if !trace {
		then.Provenance = nil
	}
	return &then.Adviser, then.Provenance, nil
}

// find finds an adviser in the newest snapshot, or in that of the former ones.
func (s *Service) find(crd string) (*index.Snapshot, uint32, error) {
	snapshot, err := s.index.Snapshot()
	if err != nil {
		return nil, 0, err
	}
	in, id, ok := snapshot.Find(crd)
	if !ok {
		return nil, 0, apperr.NotFound(catalogapi.NoGP, crd)
	}
	return in, id, nil
}
