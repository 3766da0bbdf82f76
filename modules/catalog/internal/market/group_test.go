package market_test

import (
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/market"
	"gpatlas/modules/catalog/internal/past"
	"gpatlas/modules/catalog/internal/testkit/fixture"
	"gpatlas/platform/testkit/chargetest"
	"gpatlas/platform/testkit/httpapitest"
)

// small serves a market of six managers and four open funds.
func small(t *testing.T) (*httpapitest.Host, *chargetest.Meter) {
	t.Helper()
	gp := func(crd, strategy, state string, aum, growth int64) index.GP {
		return index.GP{
			CRD: crd, PrimaryStrategy: strategy, State: state, CountryCode: "US", TotalAUM: aum, Growth1: growth, Growth2: index.Unknown, Growth3: index.Unknown, Growth5: index.Unknown,
			Before1: 1, LatestAUM: aum, FundCount: 1, Employees: index.Unknown, RegistrationStatus: "registered",
		}
	}
	fund := func(id int64, crd, strategy string, year, gav int64) index.Fund {
		return index.Fund{ID: id, FundID: "805-" + crd, AdviserCRD: crd, Strategy: strategy, VintageYear: year, GAV: gav, Status: "active", Quality: "list"}
	}
	holder := new(index.Holder)
	holder.Swap(index.Build([]index.GP{
		gp("900001", "venture", "TX", 400, 640), gp("900002", "venture", "TX", 100, -105), gp("900003", "venture", "TX", 300, index.Unknown),
		gp("900004", "credit", "TX", 700, 50), gp("900005", "", "MA", index.Unknown, index.Unknown), gp("900006", "venture", "", 50, 1),
	}, []index.Fund{
		fund(1, "900001", "venture", 2019, 40), fund(2, "900002", "venture", 2019, index.Unknown), fund(3, "900004", "credit", 2020, 10), fund(4, "900004", "venture", 2019, 7),
	}, index.Freshness{BuiltAt: time.Date(2026, time.November, 21, 6, 0, 0, 0, time.UTC)}))
	meter := &chargetest.Meter{}
	before := past.NewBuilder(nil, noon, slog.New(slog.DiscardHandler), false)
	return httpapitest.NewMetered(t, meter, market.Routes(market.NewService(holder, before, noon))...), meter
}

func TestTwoGroupings(t *testing.T) {
	t.Parallel()
	host, meter := small(t)
	for query, want := range map[string]string{
		"group_by=state,strategy&measures=aum_growth_1y.avg,total_aum.median,total_aum.known,aum_growth_1y.min": `{"aggregation_type": "state,strategy", "data": [
			{"strategy": "venture", "state": "TX", "gp_count": 3, "total_aum": 800, "measures": {"total_aum": {"known": 3, "median": 300}, "aum_growth_1y": {"known": 2, "avg": 2.68, "min": -1.05}}},
			{"strategy": null, "state": "MA", "gp_count": 1, "total_aum": null, "measures": {"total_aum": {"known": 0, "median": null}, "aum_growth_1y": {"known": 0, "avg": null, "min": null}}},
			{"strategy": "credit", "state": "TX", "gp_count": 1, "total_aum": 700, "measures": {"total_aum": {"known": 1, "median": 700}, "aum_growth_1y": {"known": 1, "avg": 0.5, "min": 0.5}}}
		], "meta": {"filters": {}, "total": 3, ` + basis + `}}`,
		"group_by=strategy,state&limit=1&state=TX,MA": `{"aggregation_type": "strategy,state", "data": [{"strategy": "venture", "state": "TX", "gp_count": 3, "total_aum": 800}],
			"meta": {"filters": {"state": "TX,MA"}, "total": 3, ` + basis + `}}`,
		"group_by=strategy&min_count=2": `{"aggregation_type": "strategy", "data": [{"strategy": "venture", "gp_count": 4, "total_aum": 850, "avg_aum": 212, "fund_count": 4}],
			"meta": {"filters": {}, "total": 1, ` + basis + `}}`,
		"group_by=manager_type,aum_band&strategy=credit": `{"aggregation_type": "manager_type,aum_band", "data": [{"manager_type": null, "aum_band": "<100M", "gp_count": 1, "total_aum": 700}],
			"meta": {"filters": {"strategy": "credit"}, "total": 1, ` + basis + `}}`,
		"group_by=registration_status&exclude_strategy=venture": `{"aggregation_type": "registration_status", "data": [{"registration_status": "registered", "gp_count": 2, "total_aum": 700, "avg_aum": 700}],
			"meta": {"filters": {"exclude_strategy": "venture"}, ` + basis + `}}`,
		// The strategy is that of the funds; the manager of one of them is of another.
		"group_by=vintage,strategy&strategy=venture&measures=fund_gav.p75,fund_gav.sum": `{"aggregation_type": "vintage,strategy", "data": [
			{"strategy": "venture", "vintage_year": 2019, "fund_count": 3, "total_gav": 47, "measures": {"fund_gav": {"known": 2, "sum": 47, "p75": 40}}}
		], "meta": {"filters": {"strategy": "venture"}, "total": 1, ` + basis + `}}`,
		// Filters of funds apply to the funds of a manager too.
		"group_by=strategy&fund_size_min=8&measures=fund_gav.max,fund_count.sum": `{"aggregation_type": "strategy", "data": [
			{"strategy": "credit", "gp_count": 1, "total_aum": 700, "avg_aum": 700, "fund_count": 1, "measures": {"fund_gav": {"known": 1, "max": 10}, "fund_count": {"known": 1, "sum": 1}}},
			{"strategy": "venture", "gp_count": 1, "total_aum": 400, "avg_aum": 400, "fund_count": 1, "measures": {"fund_gav": {"known": 1, "max": 40}, "fund_count": {"known": 1, "sum": 1}}}
		], "meta": {"filters": {"fund_size_min": 8}, ` + basis + `}}`,
	} {
		host.Do(t, httpapitest.Scenario{Path: "/v1/search/aggregate?" + query, WantJSON: want, WantHeader: map[string]string{"X-Charge": "0.15"}})
	}
	charged := len(meter.Charged())
	for _, query := range []string{"group_by=strategy,state&min_count=4", "group_by=aum_band&min_count=6", "group_by=vintage,state&vintage_min=2021"} {
		host.Do(t, httpapitest.Scenario{Path: "/v1/search/aggregate?" + query, Contains: []string{`"data":[]`}})
	}
	require.Len(t, meter.Charged(), charged, "what counts nothing is free")
}

// The fixture's first filing of Harbor Ridge is of 2019: it was in another state then.
func TestAMomentInThePast(t *testing.T) {
	t.Parallel()
	c := fixture.New(t)
	before := past.NewBuilder(c.DB, c.Clock, slog.New(slog.DiscardHandler), false)
	host := httpapitest.New(t, market.Routes(market.NewService(c.Index, before, c.Clock))...)
	host.Do(t, httpapitest.Scenario{Path: "/v1/search/aggregate?group_by=state&as_of=2019-03-28", Contains: []string{
		`"data":[{"country":"United States","state":"RI","location":"RI, United States","gp_count":1,"total_aum":1000000000,"avg_aum":1000000000}]`,
	}})
	host.Do(t, httpapitest.Scenario{Path: "/v1/search/aggregate?group_by=state&as_of=2010-01-01", Contains: []string{`"data":[]`}})
	host.Do(t, httpapitest.Scenario{
		Path: "/v1/search/aggregate?group_by=registration_status,state&city=Providence&measures=total_aum.median,employees.known,fund_gav.known&as_of=2019-03-28",
		Contains: []string{
			`"data":[{"state":"RI","registration_status":"registered","gp_count":1,"total_aum":1000000000,"measures":{"total_aum":{"known":1,"median":1000000000},"fund_gav":{"known":`,
			`"meta":{"filters":{"city":"Providence"},"total":1,`, `"as_of":"2019-03-28"`,
		},
	})
	host.Do(t, httpapitest.Scenario{Path: "/v1/search/aggregate?group_by=registration_status,state&city=Boston&as_of=2019-03-28", Contains: []string{`"data":[]`}})
	host.Do(t, httpapitest.Scenario{Path: "/v1/search/aggregate?group_by=state", Contains: []string{`},{"country"`}})
}
