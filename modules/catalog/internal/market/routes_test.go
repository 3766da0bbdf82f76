package market_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/market"
	"gpatlas/modules/catalog/internal/past"
	"gpatlas/platform/apperr"
	"gpatlas/platform/clock"
	"gpatlas/platform/testkit/chargetest"
	"gpatlas/platform/testkit/httpapitest"
)

var noon = clock.Fixed(time.Date(2026, time.November, 21, 12, 0, 0, 0, time.UTC))

// serve serves from an index with managers in two countries that have no code; what a fake of the past answers stands in for its counts.
func serve(before market.Past) *market.Service {
	holder := new(index.Holder)
	holder.Swap(index.Build([]index.GP{{CRD: "900001", Country: "Ruritania"}, {CRD: "900002", Country: "Ruritania & Kravonia"}}, nil, index.Freshness{}))
	return market.NewService(holder, before, noon)
}

// fake is the index of every moment. It counts what its function says.
type fake struct {
	past.Index

	count func(q *index.AggregateQuery) []index.AggregateRow
	err   error
	asked index.AggregateQuery
	at    catalogapi.Moment
}

func (f *fake) At(_ context.Context, at catalogapi.Moment, _ *index.Snapshot) (past.Index, error) {
	f.at = at
	return f, f.err
}

func (f *fake) Freshness() index.Freshness {
	return index.Freshness{BuiltAt: time.Date(2026, time.November, 21, 6, 0, 0, 0, time.UTC)}
}

func (f *fake) Aggregate(q *index.AggregateQuery) []index.AggregateRow {
	f.asked = *q
	return f.count(q)
}

func some() *fake {
	return &fake{count: func(q *index.AggregateQuery) []index.AggregateRow { return rows[q.GroupBy] }}
}

// rows are a few of each grouping, with what is not known.
var rows = map[index.Grouping][]index.AggregateRow{
	index.GroupStrategy: {
		{Strategy: "venture", GPCount: 3, KnownAUM: 2, TotalAUM: 301, FundCount: 7, KnownFunds: 1},
		{GPCount: 1},
	},
	index.GroupVintage: {
		{VintageYear: 2019, FundCount: 3, KnownGAV: 3, TotalGAV: 100, FormDFunds: 2, FirstFilingFunds: 1},
		{VintageYear: 2020, FundCount: 1, ListFunds: 1},
	},
	index.GroupGeography: {
		{Country: "United States", CountryCode: "US", State: "MA", GPCount: 2, KnownAUM: 2, TotalAUM: 500},
		{Country: "Singapore", CountryCode: "SG", GPCount: 1},
		{GPCount: 1, KnownAUM: 1, TotalAUM: 7},
	},
	index.GroupState:   {{Country: "United States", CountryCode: "US", State: "MA", GPCount: 2, KnownAUM: 2, TotalAUM: 500}},
	index.GroupAUMBand: {{Band: "<100M", GPCount: 2, KnownAUM: 2, TotalAUM: 90}, {Band: "100M-500M"}, {Band: "500M-1B"}, {Band: "1B-10B"}, {Band: ">10B"}},
}

const basis = `"calculated_at": "2026-11-21T06:00:00.000000Z", "pricing": {"cost": 0.15, "description": "$0.15 per request"}`

func TestRowsOfEachGrouping(t *testing.T) {
	t.Parallel()
	f := some()
	host := httpapitest.New(t, market.Routes(serve(f))...)
	for by, data := range map[string]string{
		"strategy": `[{"strategy": "venture", "gp_count": 3, "total_aum": 301, "avg_aum": 150, "fund_count": 7},
			{"strategy": null, "gp_count": 1, "total_aum": null, "avg_aum": null, "fund_count": null}]`,
		"vintage": `[{"vintage_year": 2019, "fund_count": 3, "total_gav": 100, "avg_fund_size": 33, "vintage_quality": {"form_d": 2, "first_filing": 1, "list": 0}},
			{"vintage_year": 2020, "fund_count": 1, "total_gav": null, "avg_fund_size": null, "vintage_quality": {"form_d": 0, "first_filing": 0, "list": 1}}]`,
		"geography": `[{"country": "United States", "state": "MA", "location": "MA, United States", "gp_count": 2, "total_aum": 500, "avg_aum": 250},
			{"country": "Singapore", "state": null, "location": "Singapore", "gp_count": 1, "total_aum": null, "avg_aum": null},
			{"country": null, "state": null, "location": null, "gp_count": 1, "total_aum": 7, "avg_aum": 7}]`,
		"state": `[{"country": "United States", "state": "MA", "location": "MA, United States", "gp_count": 2, "total_aum": 500, "avg_aum": 250}]`,
		"aum_band": `[{"aum_band": "<100M", "gp_count": 2, "total_aum": 90}, {"aum_band": "100M-500M", "gp_count": 0, "total_aum": 0},
			{"aum_band": "500M-1B", "gp_count": 0, "total_aum": 0}, {"aum_band": "1B-10B", "gp_count": 0, "total_aum": 0},
			{"aum_band": ">10B", "gp_count": 0, "total_aum": 0}]`,
	} {
		host.Do(t, httpapitest.Scenario{
			Path: "/v1/search/aggregate?group_by=" + by, WantJSON: `{"aggregation_type": "` + by + `", "data": ` + data + `, "meta": {"filters": {}, ` + basis + `}}`,
		})
		require.Equal(t, index.AggregateQuery{GroupBy: index.Grouping(by)}, f.asked)
		require.True(t, f.at.Now())
	}
}

func TestFilters(t *testing.T) {
	t.Parallel()
	f := some()
	host := httpapitest.New(t, market.Routes(serve(f))...)
	host.Do(t, httpapitest.Scenario{
		Path: "/v1/search/aggregate?group_by=state&country=uk&strategy=PE,+Venture,buyout&min_aum=0&min_vintage=1900&max_vintage=2200&as_of=2025-06-30&known_at=2025-07-02",
		Contains: []string{
			`"meta":{"filters":{"country":"GB","max_vintage":2200,"min_aum":0,"min_vintage":1900,"strategy":"buyout,growth,secondaries,venture"},"calculated_at"`,
			`,"as_of":"2025-06-30","known_at":"2025-07-02T23:59:59.999999Z"}`,
		},
	})
	require.Equal(t, index.AggregateQuery{
		GroupBy: index.GroupState, Country: "GB", Strategies: []string{"buyout", "growth", "secondaries", "venture"}, MinAUM: new(int64(0)),
		MinVintage: new(int64(1900)), MaxVintage: new(int64(2200)),
	}, f.asked)
	require.Equal(t, time.Date(2025, time.June, 30, 0, 0, 0, 0, time.UTC), f.at.Day)

	for given, want := range map[string]string{
		"United+States": "US", "korea,+south": "KR", "+Ruritania+": "Ruritania", "us": "US",
	} {
		host.Do(t, httpapitest.Scenario{Path: "/v1/search/aggregate?group_by=vintage&country=" + given, Contains: []string{`"filters":{"country":"` + want + `"}`}})
		require.Equal(t, want, f.asked.Country)
	}
	for given, former := range map[string]bool{"&former=true": true, "&former=false": false, "": false} {
		host.Do(t, httpapitest.Scenario{
			Path:     "/v1/search/aggregate?group_by=state&min_aum=5" + given,
			Contains: []string{map[bool]string{true: `"filters":{"former":true,"min_aum":5}`, false: `"filters":{"min_aum":5}`}[former]},
		})
		require.Equal(t, former, f.asked.Former, given)
	}
	// What filters shows can be sent back.
	host.Do(t, httpapitest.Scenario{
		Path:     "/v1/search/aggregate?group_by=vintage&strategy=buyout,growth,secondaries",
		Contains: []string{`"strategy":"buyout,growth,secondaries"`},
	})
}

func TestBadInput(t *testing.T) {
	t.Parallel()
	f := some()
	host := httpapitest.New(t, market.Routes(serve(f))...)
	for query, want := range map[string]string{
		"":                                              "Invalid group_by: is required",
		"group_by=":                                     "must not be empty",
		"group_by=size":                                 "Invalid group_by: must be one or two of strategy, vintage, geography, state, aum_band, registration_status, manager_type, separated by a comma",
		"group_by=STATE":                                `must be one or two of strategy, vintage, geography`,
		"group_by=stratgy":                              `did you mean \"strategy\"?`,
		"group_by=strategy,vintage,state":               "Invalid group_by: must be one or two of",
		"group_by=geography,state":                      "Invalid group_by: must not group twice by the same: geography,state",
		"group_by=strategy,strategy":                    "Invalid group_by: must not group twice by the same",
		"group_by=strategy,":                            "Invalid group_by: must be one or two of",
		"group_by=state&measures=total_aum.p50":         `Invalid measures: \"p50\" is not a statistic; the statistics are known, sum, avg, median, p25, p75, min, max`,
		"group_by=state&measures=total_aum":             `Invalid measures: \"total_aum\" is not a measure; send a quantity (total_aum, fund_gav, fund_count, employees, aum_growth_1y, aum_growth_3y), a dot`,
		"group_by=state&measures=aum.median":            `Invalid measures: \"aum.median\" is not a measure`,
		"group_by=state&measures=total_aum.avg,":        `Invalid measures: \"\" is not a measure`,
		"group_by=vintage,state&measures=employees.avg": "Invalid measures: employees is of managers, and vintage groups funds; send measures of fund_gav",
		"group_by=state&min_count=0":                    "Invalid min_count: must be a whole number, at least 1",
		"group_by=state&min_count=few":                  "Invalid min_count: must be a whole number, at least 1",
		"group_by=state&limit=0":                        "Invalid limit: must be a whole number from 1 to 5000",
		"group_by=state&limit=5001":                     "Invalid limit: must be a whole number from 1 to 5000",
		"group_by=state&q=aldrin":                       "unknown parameter",
		"group_by=state&state=TX&exclude_state=TX":      "Invalid state: asks for what exclude_state excludes: TX",
		"group_by=state&min_aum_before=5":               "Invalid min_aum_before: needs a filter or a sort by growth over one horizon",
		"group_by=state&measures=aum_growth_3y.avg&known_at=2025-06-30": "Invalid measures: aum_growth_3y cannot be combined with as_of or known_at; the description of the operation lists what can",
		"group_by=state&year_founded_min=2010&as_of=2025-06-30":         "Invalid year_founded_min: cannot be combined with as_of or known_at; the description of the operation lists what can",
		"group_by=state,strategy&min_aum_growth_1y=5&as_of=2025-06-30":  "Invalid min_aum_growth_1y: cannot be combined with as_of or known_at; the description of the operation lists what can",
		"group_by=state&country=ZZ":                                     `Invalid country: \"ZZ\" is not a country; send its ISO 3166 alpha-2 code, such as US, or its name`,
		"group_by=state&country=Narnia":                                 `Invalid country: \"Narnia\" is not a country; send its ISO 3166 alpha-2 code`,
		"group_by=state&country=Untied+States":                          `did you mean \"United States\"?`,
		"group_by=state&country=%25%25%25":                              `Invalid country: \"%%%\" is not a country`,
		"group_by=state&country=" + strings.Repeat("x", 101):            `Invalid country: \"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…\" is not a country`,
		"group_by=state&strategy=quant":                                 `Invalid strategy: \"quant\" is not a strategy; the strategies are buyout, growth, venture, real-estate, infrastructure, credit, hedge, secondaries, fund-of-funds, liquidity, securitized, other, and the aliases PE, VC, Hedge, RealEstate, Credit`,
		"group_by=state&strategy=pe,":                                   `Invalid strategy: \"\" is not a strategy`,
		"group_by=state&min_aum=-1":                                     "Invalid min_aum: must be a whole number, at least 0",
		"group_by=state&min_aum=1e9":                                    "Invalid min_aum: must be a whole number, at least 0",
		"group_by=state&min_vintage=1899":                               "Invalid min_vintage: must be a whole number from 1900 to 2200",
		"group_by=state&max_vintage=2201":                               "Invalid max_vintage: must be a whole number from 1900 to 2200",
		"group_by=state&min_vintage=2020&max_vintage=2019":              "Invalid min_vintage: must not be greater than max_vintage (2020 > 2019)",
		"group_by=state&as_of=2026-11-22":                               "Invalid as_of: must not be in the future",
		"group_by=state&known_at=soon":                                  "Invalid known_at: must be a timestamp",
		"groupby=state":                                                 `did you mean \"group_by\"?`,
		"group_by=state&strategy=x&country=ZZ&as_of=2099-01-01":         `{"field":"as_of","message":"must not be in the future`,
		"group_by=x&min_vintage=2020&max_vintage=2019":                  "must not be greater than max_vintage",
	} {
		t.Run(query[:min(60, len(query))], func(t *testing.T) {
			t.Parallel()
			host.Do(t, httpapitest.Scenario{Path: "/v1/search/aggregate?" + query, Status: http.StatusBadRequest, Contains: []string{want}})
		})
	}
}

// What counts nothing is not charged, although all bands are listed.
func TestCharges(t *testing.T) {
	t.Parallel()
	before := &fake{count: func(q *index.AggregateQuery) []index.AggregateRow {
		all := rows[q.GroupBy]
		if q.Country == "SG" {
			all = all[1:]
			if q.GroupBy == index.GroupStrategy {
				all = nil
			}
		}
		return all
	}}
	meter := &chargetest.Meter{}
	host := httpapitest.NewMetered(t, meter, market.Routes(serve(before))...)
	host.Do(t, httpapitest.Scenario{Path: "/v1/search/aggregate?group_by=aum_band", WantHeader: map[string]string{"X-Charge": "0.15"}})
	require.Len(t, meter.Charged(), 1)
	host.Do(t, httpapitest.Scenario{Path: "/v1/search/aggregate?group_by=aum_band&country=SG", Contains: []string{`"aum_band":"100M-500M","gp_count":0`}})
	host.Do(t, httpapitest.Scenario{Path: "/v1/search/aggregate?group_by=strategy&country=SG", Contains: []string{`"data":[]`}})
	require.Len(t, meter.Charged(), 1)
	host.Do(t, httpapitest.Scenario{Path: "/v1/search/aggregate?group_by=vintage&country=SG", Contains: []string{`"vintage_year":2020`}})
	require.Len(t, meter.Charged(), 2)
}

func TestUnavailable(t *testing.T) {
	t.Parallel()
	host := httpapitest.New(t, market.Routes(serve(&fake{err: apperr.Unavailable("The service is stopping")}))...)
	host.Do(t, httpapitest.Scenario{
		Path: "/v1/search/aggregate?group_by=state&as_of=2020-01-01", Status: http.StatusServiceUnavailable, Contains: []string{"The service is stopping"},
	})
	host = httpapitest.New(t, market.Routes(market.NewService(new(index.Holder), some(), noon))...)
	for _, query := range []string{"state", "state,strategy", "state&country=Narnia"} { // any name may be a country that is filed
		host.Do(t, httpapitest.Scenario{
			Path: "/v1/search/aggregate?group_by=" + query, Status: http.StatusServiceUnavailable, Contains: []string{"The catalog is being loaded"},
		})
	}
}
