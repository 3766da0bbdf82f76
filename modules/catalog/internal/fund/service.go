package fund

import (
	"context"

	"gpatlas/modules/catalog/catalogapi"
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

// Get reads one fund with its adviser's name of today: as it stands, or as the filings that count at a moment said, with
// where each value comes from when that is asked for. It fails with NotFound when there is no such fund or when no filing
// that counts names it, and with Unavailable when the database is away.
func (s *Service) Get(ctx context.Context, in *DetailInput) (f *history.Fund, adviserName string, said history.Provenance, err error) {
	key, err := in.Key()
	if err != nil {
		return nil, "", nil, err
	}
	trace, err := in.Provenance()
	if err != nil {
		return nil, "", nil, err
	}
	at := catalogapi.Moment{}
	if at.Day, at.Known, err = in.Resolve(s.clock); err != nil {
		return nil, "", nil, err
	}
	current, err := s.store.FindFund(ctx, key.FundID, key.ID)
	if err != nil {
		return nil, "", nil, err
	}
	if current == nil {
		return nil, "", nil, listing.NoFund(in.FundID)
	}
	if at.Now() && !trace {
		adviserName, err = s.store.AdviserName(ctx, current.AdviserCRD)
		return current, adviserName, nil, err
	}
	f, said, err = s.store.FundAt(ctx, current, history.Cut{Point: catalogapi.Point{Moment: at}, Today: s.clock.Now()})
	if err != nil {
		return nil, "", nil, err
	}
	if f == nil {
		return nil, "", nil, listing.NotYet("Fund "+in.FundID, at, current.FirstFiledOn)
	}
	adviserName, err = s.nameAdviser(ctx, f.AdviserCRD, said)
	if !trace {
		said = nil
	}
	return f, adviserName, said, err
}

// nameAdviser reads the name of a fund's adviser as it stands, and notes the filing that gives it: the newest one.
func (s *Service) nameAdviser(ctx context.Context, crd string, said history.Provenance) (string, error) {
	adviser, err := s.store.FindAdviser(ctx, crd)
	if err != nil || adviser == nil {
		return "", err
	}
	said["adviser_name"] = adviser.Latest()
	return adviser.LegalName, nil
}
