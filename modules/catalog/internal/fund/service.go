package fund

import (
	"context"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/modules/catalog/internal/history"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/listing"
	"gpatlas/modules/catalog/internal/past"
	"gpatlas/platform/clock"
)

// Service answers what is asked of funds.
type Service struct {
	index *index.Holder
	store *history.Store
	past  *past.Builder
	clock clock.Clock
}

// NewService makes the service: searches from the index, those of a past day from an index of before, details from the store.
func NewService(holder *index.Holder, store *history.Store, before *past.Builder, clk clock.Clock) *Service {
	return &Service{index: holder, store: store, past: before, clock: clk}
}

// Get reads one fund with its adviser's name: the current state, or that of the filings that count at a moment. If the caller asks
// for it, the filing of each value is included. It fails with NotFound when there is no such fund or no filing that counts names it, and with Unavailable when the database is unavailable.
func (s *Service) Get(ctx context.Context, in *DetailInput) (*fold.FundState, error) {
	key, err := listing.KeyOf(in.FundID)
	if err != nil {
		return nil, err
	}
	trace, err := in.Provenance()
	if err != nil {
		return nil, err
	}
	at := catalogapi.Moment{}
	if at.Day, at.Known, err = in.Resolve(s.clock); err != nil {
		return nil, err
	}
	if err := s.store.WaitForCommit(ctx, at.Known); err != nil {
		return nil, err
	}
	var current *fold.Fund
	if at.Now() {
		standing, kept, err := s.store.FundWithSources(ctx, key.FundID, key.ID)
		if err != nil {
			return nil, err
		}
		if standing != nil {
			if !trace {
				standing.Provenance = nil
			}
			if kept || !trace {
				return standing, nil
			}
			current = &standing.Fund
		}
	} else if current, err = s.store.FindFund(ctx, key.FundID, key.ID); err != nil {
		return nil, err
	}
	if current == nil {
		return nil, listing.NoFund(in.FundID)
	}
	then, err := s.store.FundAt(ctx, current, history.AsOf{Point: catalogapi.Point{Moment: at}, Today: s.clock.Now()})
	if err != nil {
		return nil, err
	}
	if then == nil {
		return nil, listing.NotYet("Fund "+in.FundID, at)
	}
	if !trace {
		then.Provenance = nil
	}
	return then, nil
}
