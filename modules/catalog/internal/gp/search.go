package gp

import (
	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/listing"
	"gpatlas/platform/clock"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/page"
)

// SearchInput is the parameters of the search of advisers.
type SearchInput struct {
	page.Counted
	listing.FacetsInput
	Filters
	Include httpapi.Opt[string] `query:"include" enum:"registration" example:"registration" doc:"Adds registered_on, founded_year and sec_number to each row (registration). Filtering or sorting by one of them adds them too."`
	Sort    httpapi.Opt[string] `query:"sort" enum:"name,aum,fund_count,employees,registered_on,founded_year,latest_filing_date,total_gav,investors,aum_growth_1y,aum_growth_2y,aum_growth_3y,aum_growth_5y,as_sent" example:"aum" doc:"Sort key (default name; with q and without sort: relevance). Unknown values come last. as_sent is the order of the list in crd, which order does not change."`
	Order   httpapi.Opt[string] `query:"order" enum:"asc,desc" example:"desc" doc:"Sort direction (default asc). Has no effect on relevance."`
}

// Absent explains why searches that are stored, exported or of growth take no past moment.
//
// Spec: not shown; what is stored or sent is searched in what is known today.
func (*Filters) Absent() map[string]string {
	why := func(name string) string {
		return "is not a filter; the search is of today. Lists of a past day are GET /v1/gps with " + name
	}
	return map[string]string{"as_of": why("as_of"), "known_at": why("known_at")}
}

// Query checks the parameters against one another, the vocabularies and what is filed, and turns them into a query of the index.
func (in *SearchInput) Query(clk clock.Clock, filed *index.Snapshot) (*index.GPQuery, *listing.Applied, error) {
	return in.compile(clk, &listing.Check{Filed: filed})
}

func (in *SearchInput) compile(clk clock.Clock, c *listing.Check) (*index.GPQuery, *listing.Applied, error) {
	q := in.query(c, clk)
	q.Order, q.Desc = c.Order(in.Sort, in.Order, q.Text, "crd", q.CRDs.Any)
	in.before(c, q, horizons(q)...)
	q.Limit, q.Offset, _ = in.Window()
	q.Facets, q.FacetLimit = c.Facets(&in.FacetsInput, &in.Counted, index.GPFacets())
	return q, &c.Applied, c.Err()
}

// GrowthQuery is the query for the growth of assets over the horizon at a place in catalogapi.GrowthYears.
func (in *Filters) GrowthQuery(clk clock.Clock, filed *index.Snapshot, horizon int) (*index.GPQuery, *listing.Applied, error) {
	c := listing.Check{Filed: filed}
	q := in.query(&c, clk)
	in.before(&c, q, horizon)
	q.CountGrowth, q.Horizon = true, horizon
	return q, &c.Applied, c.Err()
}

// AggregateQuery is the query for an aggregate, which has other names for the bounds of a vintage besides.
func (in *Criteria) AggregateQuery(clk clock.Clock, filed *index.Snapshot, from, to httpapi.Opt[int64]) (*index.GPQuery, *listing.Applied, error) {
	c := listing.Check{Filed: filed}
	q := in.query(&c, clk)
	vintage := &q.Fund.Numbers[index.MatchVintage]
	*vintage = vintage.And(c.Range("min_vintage", from, "max_vintage", to))
	in.before(&c, q, horizons(q)...)
	return q, &c.Applied, c.Err()
}

// horizons are those whose growth q filters or sorts by.
func horizons(q *index.GPQuery) (list []int) {
	for i := range catalogapi.GrowthYears {
		if !q.Numbers[index.GPGrowth1+i].Open() || q.Order == index.ByGrowth1+index.Order(i) {
			list = append(list, i)
		}
	}
	return list
}

// before adds the least assets that a growth begins with, of the one horizon that is asked for.
func (in *Criteria) before(c *listing.Check, q *index.GPQuery, horizons ...int) {
	switch {
	case !in.MinAUMBefore.Set:
	case len(horizons) == 1:
		q.Numbers[index.GPBefore1+horizons[0]] = c.Range("min_aum_before", in.MinAUMBefore, "", httpapi.Opt[int64]{})
	default:
		c.Fault("min_aum_before", "needs a filter or a sort by growth over one horizon, such as min_aum_growth_1y")
	}
}

// shows reports whether rows have their registration: where it is asked for, filtered by or sorted by.
func (in *SearchInput) shows() bool {
	return in.Include.Set || in.RegisteredAfter.Set || in.RegisteredBefore.Set || in.YearFoundedMin.Set || in.YearFoundedMax.Set ||
		in.Sort.Value == "registered_on" || in.Sort.Value == "founded_year"
}
