package gp

import (
	"context"

	"gpatlas/modules/catalog/internal/history"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/listing"
	"gpatlas/platform/clock"
)

// Service answers what is asked of advisers.
type Service struct {
	index *index.Holder
	store *history.Store
	clock clock.Clock
}

// NewService makes the service: lists from the index, details from the store.
func NewService(holder *index.Holder, store *history.Store, clk clock.Clock) *Service {
	return &Service{index: holder, store: store, clock: clk}
}

// Get reads one adviser: as it stands, or as the filings up to a day said. It fails with NotFound when there is no
// such adviser or when it had filed nothing by then, and with Unavailable when the database is away.
func (s *Service) Get(ctx context.Context, in *DetailInput) (*history.Adviser, error) {
	day, err := in.Day(s.clock)
	if err != nil {
		return nil, err
	}
	current, err := s.store.FindAdviser(ctx, in.CRD)
	if err != nil {
		return nil, err
	}
	if current == nil {
		return nil, listing.NoGP(in.CRD)
	}
	if day.IsZero() {
		return current, nil
	}
	then, err := s.store.AdviserAsOf(ctx, current, day)
	if err != nil {
		return nil, err
	}
	if then == nil {
		return nil, listing.NotYet("GP with CRD "+in.CRD, day, current.FirstFiledOn)
	}
	return then, nil
}

// find finds an adviser in the newest snapshot.
func (s *Service) find(crd string) (*index.Snapshot, uint32, error) {
	snapshot, err := s.index.Snapshot()
	if err != nil {
		return nil, 0, err
	}
	id, ok := snapshot.FindGP(crd)
	if !ok {
		return nil, 0, listing.NoGP(crd)
	}
	return snapshot, id, nil
}
