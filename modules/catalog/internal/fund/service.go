package fund

import (
	"context"

	"gpatlas/modules/catalog/internal/history"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/listing"
	"gpatlas/platform/clock"
)

// Service answers what is asked of funds.
type Service struct {
	index *index.Holder
	store *history.Store
	clock clock.Clock
}

// NewService makes the service: searches from the index, details from the store.
func NewService(holder *index.Holder, store *history.Store, clk clock.Clock) *Service {
	return &Service{index: holder, store: store, clock: clk}
}

// Get reads one fund with its adviser's name: as it stands, or as the filings up to a day said. It fails with NotFound
// when there is no such fund or when no filing had named it by then, and with Unavailable when the database is away.
func (s *Service) Get(ctx context.Context, in *DetailInput) (f *history.Fund, adviserName string, err error) {
	key, err := in.Key()
	if err != nil {
		return nil, "", err
	}
	day, err := in.Day(s.clock)
	if err != nil {
		return nil, "", err
	}
	current, err := s.store.FindFund(ctx, key.FundID, key.ID)
	if err != nil {
		return nil, "", err
	}
	if current == nil {
		return nil, "", listing.NoFund(in.FundID)
	}
	f = current
	if !day.IsZero() {
		if f, err = s.store.FundAsOf(ctx, current, day); err != nil {
			return nil, "", err
		}
		if f == nil {
			return nil, "", listing.NotYet("Fund "+in.FundID, day, current.FirstFiledOn)
		}
	}
	adviserName, err = s.store.AdviserName(ctx, f.AdviserCRD)
	return f, adviserName, err
}
