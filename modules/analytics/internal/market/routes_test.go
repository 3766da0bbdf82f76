package market_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/analytics/internal/market"
	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/catalogtest"
	"gpatlas/platform/apperr"
	"gpatlas/platform/clock"
	"gpatlas/platform/testkit/chargetest"
	"gpatlas/platform/testkit/httpapitest"
)

var noon = clock.Fixed(time.Date(2026, time.November, 21, 12, 0, 0, 0, time.UTC))

func serve(analysis catalogapi.Analysis) *market.Service {
	return market.NewService(analysis, catalogtest.Vocabulary("Ruritania", "Ruritania & Kravonia"), noon)
}

// rows are a few of each grouping, with what is not known.
var rows = map[catalogapi.Grouping][]catalogapi.AggregateRow{
	catalogapi.ByStrategy: {
		{Strategy: "venture", GPCount: 3, KnownAUM: 2, TotalAUM: 301, FundCount: 7, KnownFunds: 1},
		{GPCount: 1},
	},
	catalogapi.ByVintage: {
		{VintageYear: 2019, FundCount: 3, KnownGAV: 3, TotalGAV: 100, FormDFunds: 2, FirstFilingFunds: 1},
		{VintageYear: 2020, FundCount: 1, ListFunds: 1},
	},
	catalogapi.ByGeography: {
		{Country: "United States", CountryCode: "US", State: "MA", GPCount: 2, KnownAUM: 2, TotalAUM: 500},
		{Country: "Singapore", CountryCode: "SG", GPCount: 1},
		{GPCount: 1, KnownAUM: 1, TotalAUM: 7},
	},
	catalogapi.ByState:   {{Country: "United States", CountryCode: "US", State: "MA", GPCount: 2, KnownAUM: 2, TotalAUM: 500}},
	catalogapi.ByAUMBand: {{Band: "<100M", GPCount: 2, KnownAUM: 2, TotalAUM: 90}, {Band: "100M-500M"}, {Band: "500M-1B"}, {Band: "1B-10B"}, {Band: ">10B"}},
}

// fake answers with rows, and remembers what it was asked.
func fake(asked *catalogapi.AggregateQuery, at *catalogapi.Moment) catalogapi.Analysis {
	return catalogtest.Analysis{AggregateFunc: func(q catalogapi.AggregateQuery, m catalogapi.Moment) (catalogapi.Aggregation, error) {
		*asked, *at = q, m
		return catalogapi.Aggregation{Rows: rows[q.GroupBy], BuiltAt: time.Date(2026, time.November, 21, 6, 0, 0, 0, time.UTC)}, nil
	}}
}

const basis = `"calculated_at": "2026-11-21T06:00:00.000000Z", "pricing": {"cost": 0.15, "description": "$0.15 per request"}`

func TestRowsOfEachGrouping(t *testing.T) {
	t.Parallel()
	var asked catalogapi.AggregateQuery
	var at catalogapi.Moment
	host := httpapitest.New(t, market.Routes(serve(fake(&asked, &at)))...)
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
		require.Equal(t, catalogapi.AggregateQuery{GroupBy: catalogapi.Grouping(by)}, asked)
		require.True(t, at.Now())
	}
}

func TestFilters(t *testing.T) {
	t.Parallel()
	var asked catalogapi.AggregateQuery
	var at catalogapi.Moment
	host := httpapitest.New(t, market.Routes(serve(fake(&asked, &at)))...)
	host.Do(t, httpapitest.Scenario{
		Path: "/v1/search/aggregate?group_by=state&country=uk&strategy=PE,+Venture,buyout&min_aum=0&min_vintage=1900&max_vintage=2200&as_of=2025-06-30&known_at=2025-07-02",
		Contains: []string{
			`"meta":{"filters":{"country":"GB","max_vintage":2200,"min_aum":0,"min_vintage":1900,"strategy":"buyout,growth,secondaries,venture"},"calculated_at"`,
			`,"as_of":"2025-06-30","known_at":"2025-07-02T23:59:59.999999Z"}`,
		},
	})
	require.Equal(t, catalogapi.AggregateQuery{
		GroupBy: catalogapi.ByState, Country: "GB", Strategies: []string{"buyout", "growth", "secondaries", "venture"}, MinAUM: new(int64(0)),
		MinVintage: new(int64(1900)), MaxVintage: new(int64(2200)),
	}, asked)
	require.Equal(t, time.Date(2025, time.June, 30, 0, 0, 0, 0, time.UTC), at.Day)

	for given, want := range map[string]string{
		"United+States": "US", "korea,+south": "KR", "+Ruritania+": "Ruritania", "us": "US",
	} {
		host.Do(t, httpapitest.Scenario{Path: "/v1/search/aggregate?group_by=vintage&country=" + given, Contains: []string{`"filters":{"country":"` + want + `"}`}})
		require.Equal(t, want, asked.Country)
	}
	for given, former := range map[string]bool{"&former=true": true, "&former=false": false, "": false} {
		host.Do(t, httpapitest.Scenario{
			Path:     "/v1/search/aggregate?group_by=state&min_aum=5" + given,
			Contains: []string{map[bool]string{true: `"filters":{"former":true,"min_aum":5}`, false: `"filters":{"min_aum":5}`}[former]},
		})
		require.Equal(t, former, asked.Former, given)
	}
	// What filters shows can be sent back.
	host.Do(t, httpapitest.Scenario{
		Path:     "/v1/search/aggregate?group_by=vintage&strategy=buyout,growth,secondaries",
		Contains: []string{`"strategy":"buyout,growth,secondaries"`},
	})
}

func TestBadInput(t *testing.T) {
	t.Parallel()
	var asked catalogapi.AggregateQuery
	var at catalogapi.Moment
	host := httpapitest.New(t, market.Routes(serve(fake(&asked, &at)))...)
	for query, want := range map[string]string{
		"":                                     "Invalid group_by: is required",
		"group_by=":                            "must not be empty",
		"group_by=size":                        "Invalid group_by: must be one of strategy, vintage, geography, aum_band, state",
		"group_by=STATE":                       "must be one of strategy, vintage, geography, aum_band, state",
		"group_by=state&country=ZZ":            `Invalid country: \"ZZ\" is not a country; send its ISO 3166 alpha-2 code, such as US, or its name`,
		"group_by=state&country=Narnia":        `Invalid country: \"Narnia\" is not a country; send its ISO 3166 alpha-2 code`,
		"group_by=state&country=Untied+States": `did you mean \"United States\"?`,
		"group_by=state&country=%25%25%25":     "Invalid country: must contain a letter or a digit",
		"group_by=state&country=" + strings.Repeat("x", 101):    "Invalid country: must have 1 to 100 characters",
		"group_by=state&strategy=quant":                         `Invalid strategy: \"quant\" is not a strategy; the strategies are buyout, growth, venture, real-estate, infrastructure, credit, hedge, secondaries, fund-of-funds, liquidity, securitized, other, and the aliases PE, VC, Hedge, RealEstate, Credit`,
		"group_by=state&strategy=pe,":                           `Invalid strategy: \"\" is not a strategy`,
		"group_by=state&min_aum=-1":                             "Invalid min_aum: must be a whole number, at least 0",
		"group_by=state&min_aum=1e9":                            "Invalid min_aum: must be a whole number, at least 0",
		"group_by=state&min_vintage=1899":                       "Invalid min_vintage: must be a whole number from 1900 to 2200",
		"group_by=state&max_vintage=2201":                       "Invalid max_vintage: must be a whole number from 1900 to 2200",
		"group_by=state&min_vintage=2020&max_vintage=2019":      "Invalid min_vintage: must not be greater than max_vintage (2020 > 2019)",
		"group_by=state&as_of=2026-11-22":                       "Invalid as_of: must not be in the future",
		"group_by=state&known_at=soon":                          "Invalid known_at: must be a timestamp",
		"groupby=state":                                         `did you mean \"group_by\"?`,
		"group_by=state&limit=5":                                "unknown parameter",
		"group_by=state&strategy=x&country=ZZ&as_of=2099-01-01": `{"field":"as_of","message":"must not be in the future`,
		"group_by=x&min_vintage=2020&max_vintage=2019":          "must not be greater than max_vintage",
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
	analysis := catalogtest.Analysis{AggregateFunc: func(q catalogapi.AggregateQuery, _ catalogapi.Moment) (catalogapi.Aggregation, error) {
		all := rows[q.GroupBy]
		if q.Country == "SG" {
			all = all[1:]
			if q.GroupBy == catalogapi.ByStrategy {
				all = nil
			}
		}
		return catalogapi.Aggregation{Rows: all}, nil
	}}
	meter := &chargetest.Meter{}
	host := httpapitest.NewMetered(t, meter, market.Routes(serve(analysis))...)
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
	loading := catalogtest.Analysis{AggregateFunc: func(catalogapi.AggregateQuery, catalogapi.Moment) (catalogapi.Aggregation, error) {
		return catalogapi.Aggregation{}, apperr.Unavailable("The catalog is being loaded")
	}}
	host := httpapitest.New(t, market.Routes(serve(loading))...)
	host.Do(t, httpapitest.Scenario{
		Path: "/v1/search/aggregate?group_by=state", Status: http.StatusServiceUnavailable, Contains: []string{"The catalog is being loaded"},
	})
}
