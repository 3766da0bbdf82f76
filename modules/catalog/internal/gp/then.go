package gp

import (
	"context"
	"time"

	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/modules/catalog/internal/history"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/listing"
	"gpatlas/platform/clock"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/moment"
)

// ListInput is a search that may be of a past moment. Exports and saved searches are of the present, and refuse its parameters.
type ListInput struct {
	SearchInput
	moment.Input
}

var hasThen = listing.Then{
	Filters: []string{
		"aum_band", "city", "country", "crd", "exclude_city", "exclude_country", "exclude_crd", "exclude_manager_type", "exclude_state", "exclude_strategy",
		"former", "fund_size_max", "fund_size_min", "has_funds", "jurisdiction", "manager_type", "max_aum", "max_employees", "max_fund_count", "min_aum",
		"min_employees", "min_fund_count", "registration_status", "state", "strategy", "vintage_max", "vintage_min", "vintage_quality",
	},
	Orders: []string{"", "name", "aum", "fund_count", "employees", "as_sent"},
}

// FiltersThen are the filters that an index of the past answers.
func FiltersThen() []string { return hasThen.Filters }

// Query is SearchInput's. It refuses what cannot be asked of a past moment.
func (in *ListInput) Query(clk clock.Clock, filed *index.Snapshot) (*index.GPQuery, *listing.Applied, error) {
	c := listing.Check{Filed: filed}
	q, applied, _ := in.compile(clk, &c)
	c.Then(&hasThen, in.Input, clk, in.Sort, &in.FacetsInput)
	return q, applied, c.Err()
}

// searchThen is search as of a past moment; nil if the moment is the present.
func (s *Service) searchThen(ctx context.Context, in *ListInput, q *index.GPQuery, applied *listing.Applied, snapshot *index.Snapshot) (*httpapi.Reply[searchBody], error) {
	then := listing.Past[index.GPItem]{
		Search: func(then *index.Analysis) (int, []string) { return then.SearchGPs(q) },
		Read:   func(asOf history.AsOf, keys []string) ([]index.GPItem, error) { return s.rowsThen(ctx, in, asOf, keys) },
		Remarks: func(then *index.Analysis, total int) listing.Remarks {
			return s.remarksThen(&in.SearchInput, q, then, applied, total)
		},
	}
	return then.Answer(ctx, s.past, in.Input, s.clock, snapshot, &in.Counted, applied)
}

var listed = listing.NewCopier[index.GPItem, fold.Adviser]()

// rowsThen are the advisers of a page at a moment, without those that no filing names then.
func (s *Service) rowsThen(ctx context.Context, in *ListInput, asOf history.AsOf, crds []string) ([]index.GPItem, error) {
	if err := s.store.WaitForCommit(ctx, asOf.Known); err != nil {
		return nil, err
	}
	then, err := s.store.AdvisersAt(ctx, crds, asOf)
	if err != nil {
		return nil, err
	}
	rows := make([]index.GPItem, 0, len(crds))
	for _, crd := range crds {
		a := then[crd]
		if a == nil {
			continue
		}
		row := index.GPItem{LatestFilingDate: new(a.NewestFiledOn.Format(time.DateOnly)), Registration: &index.Registration{}}
		listed.Copy(&row, a)
		if !in.shows() {
			row.Registration = nil
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// remarksThen is remarks of a past moment.
func (s *Service) remarksThen(in *SearchInput, q *index.GPQuery, then *index.Analysis, applied *listing.Applied, total int) (r listing.Remarks) {
	r.Missing(q.CRDs.Any, q.Former, func(crd string) listing.Where { return listing.WhereIs(then.Has(crd)) })
	if total == 0 {
		r.Nothing = listing.Nothing(in, applied, func(in *SearchInput) (int, bool) {
			q, _, err := in.Query(s.clock, nil)
			if err != nil {
				return 0, false
			}
			q.Limit = 0
			total, _ := then.SearchGPs(q)
			return total, true
		})
	}
	return r
}
