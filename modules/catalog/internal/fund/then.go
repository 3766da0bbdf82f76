package fund

import (
	"context"

	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/modules/catalog/internal/history"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/listing"
	"gpatlas/platform/clock"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/moment"
)

// ListInput is a search that may be of a past moment. Exports are of the present, and refuse its parameters.
type ListInput struct {
	SearchInput
	moment.Input
}

// An index of the past has no names, and whether a fund was being wound down depends on the day: it has open funds and knows which were closed.
var hasThen = listing.Then{
	Filters: []string{
		"exclude_strategy", "former", "fund_id", "gp_crd", "jurisdiction", "max_gav", "max_vintage", "min_gav", "min_vintage", "strategy",
		"vintage_quality", "vintage_year",
	},
	Orders: []string{"", "gav", "vintage_year", "as_sent"},
}

// Query is SearchInput's. It refuses what cannot be asked of a past moment. Without a sort key, the largest funds of such a moment come first.
func (in *ListInput) Query(clk clock.Clock, filed *index.Snapshot) (*index.FundQuery, *listing.Applied, error) {
	c := listing.Check{Filed: filed}
	q, applied, _ := in.compile(clk, &c)
	c.Then(&hasThen, in.Input, clk, in.Sort, &in.FacetsInput)
	return q, applied, c.Err()
}

// searchThen is search as of a past moment; nil if the moment is the present.
func (s *Service) searchThen(ctx context.Context, in *ListInput, q *index.FundQuery, applied *listing.Applied, snapshot *index.Snapshot) (*httpapi.Reply[searchBody], error) {
	asked := *q
	if asked.Order == index.ByName {
		asked.Order, asked.Desc = index.ByGAV, true
	}
	then := listing.Past[index.FundItem]{
		Search: func(then *index.Analysis) (int, []string) { return then.SearchFunds(&asked) },
		Read:   func(asOf history.AsOf, keys []string) ([]index.FundItem, error) { return s.rowsThen(ctx, asOf, keys) },
		Remarks: func(then *index.Analysis, total int) listing.Remarks {
			return s.remarksThen(&in.SearchInput, q, then, applied, total)
		},
	}
	return then.Answer(ctx, s.past, in.Input, s.clock, snapshot, &in.Counted, applied)
}

// rowsThen are the funds of a page at a moment, without those that no filing names then.
func (s *Service) rowsThen(ctx context.Context, asOf history.AsOf, fundIDs []string) ([]index.FundItem, error) {
	if err := s.store.WaitForCommit(ctx, asOf.Known); err != nil {
		return nil, err
	}
	states, err := s.store.FundsAt(ctx, fundIDs, asOf)
	if err != nil {
		return nil, err
	}
	rows := make([]index.FundItem, 0, len(fundIDs))
	for _, id := range fundIDs {
		if f := states[id]; f != nil {
			rows = append(rows, rowThen(f))
		}
	}
	return rows, nil
}

// rowThen is the row of an open fund.
func rowThen(f *fold.FundState) index.FundItem {
	return index.FundItem{
		ID: f.ID, FundID: f.FundID, Name: f.Name, AdviserCRD: f.AdviserCRD, AdviserName: &f.AdviserName, VintageYear: &f.VintageYear,
		GrossAssetValue: f.GrossAssetValue, Strategy: &f.Strategy, Is3C1: f.Is3C1, Is3C7: f.Is3C7, IsMaster: f.IsMaster, IsFeeder: f.IsFeeder,
		Jurisdiction: f.Jurisdiction, Status: f.Status, HasAuditor: f.HasAuditor(), VintageQuality: string(f.VintageQuality),
	}
}

// remarksThen is remarks of a past moment.
func (s *Service) remarksThen(in *SearchInput, q *index.FundQuery, then *index.Analysis, applied *listing.Applied, total int) (r listing.Remarks) {
	r.Missing(q.FundIDs, q.Former, func(id string) listing.Where {
		known, former, _ := then.HasFund(id)
		return listing.WhereIs(known, former)
	})
	for _, id := range q.FundIDs {
		if _, former, closed := then.HasFund(id); closed && former == q.Former {
			r.Closed = append(r.Closed, id)
		}
	}
	if total == 0 {
		r.Nothing = listing.Nothing(in, applied, func(in *SearchInput) (int, bool) {
			q, _, err := in.Query(s.clock, nil)
			if err != nil {
				return 0, false
			}
			q.Limit = 0
			total, _ := then.SearchFunds(q)
			return total, true
		})
	}
	return r
}
