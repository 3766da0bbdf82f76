package related_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/analytics/internal/related"
	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/catalogtest"
	"gpatlas/platform/apperr"
	"gpatlas/platform/clock"
	"gpatlas/platform/testkit/chargetest"
	"gpatlas/platform/testkit/httpapitest"
)

var noon = clock.Fixed(time.Date(2026, time.November, 21, 12, 0, 0, 0, time.UTC))

// fake knows two advisers: one with one like it, and one that is like nobody.
func fake(asked *catalogapi.RelatedQuery, at *catalogapi.Moment) catalogapi.Analysis {
	return catalogtest.Analysis{RelatedFunc: func(q catalogapi.RelatedQuery, m catalogapi.Moment) (catalogapi.Related, bool, error) {
		*asked, *at = q, m
		r := catalogapi.Related{BuiltAt: time.Date(2026, time.November, 21, 6, 0, 0, 0, time.UTC)}
		switch q.CRD {
		case "900001":
			r.Source = catalogapi.RelatedGP{
				CRD: "900001", LegalName: "Harbor Ridge Partners LLC", Strategy: "venture", City: "Boston", State: "MA", Country: "United States",
				AUM: new(int64(100_000_000)), FundCount: new(int64(11)),
			}
			r.Similar = []catalogapi.Similar{{
				RelatedGP: catalogapi.RelatedGP{
					CRD: "900002", LegalName: "Mossgate Ventures LLC", Strategy: "venture", City: "Boston", State: "MA", Country: "United States",
					AUM: new(int64(120_000_000)), FundCount: new(int64(12)),
				},
				Score: 100, Matched: catalogapi.FactorStrategy | catalogapi.FactorAUMBand | catalogapi.FactorGeography | catalogapi.FactorFundCount,
			}}
			return r, true, nil
		case "900003":
			r.Source = catalogapi.RelatedGP{CRD: "900003", LegalName: "Larkspur Management LLC"}
			return r, true, nil
		}
		return r, false, nil
	}}
}

func serve(analysis catalogapi.Analysis) *related.Service {
	return related.NewService(analysis, catalogtest.Vocabulary(), noon)
}

func TestRelated(t *testing.T) {
	t.Parallel()
	var asked catalogapi.RelatedQuery
	var at catalogapi.Moment
	meter := &chargetest.Meter{}
	host := httpapitest.NewMetered(t, meter, related.Routes(serve(fake(&asked, &at)))...)
	host.Do(t, httpapitest.Scenario{
		Path: "/v1/gps/900001/related?similarity_factors=fund_count,strategy,geography,aum_band,strategy&limit=25",
		WantJSON: `{
			"source_gp": {"crd": "900001", "legal_name": "Harbor Ridge Partners LLC", "strategy": "venture", "aum": 100000000,
				"location": "Boston, MA", "fund_count": 11},
			"similar_gps": [{"crd": "900002", "legal_name": "Mossgate Ventures LLC", "strategy": "venture", "aum": 120000000,
				"location": "Boston, MA", "fund_count": 12, "similarity_score": 100, "similarity_breakdown": {"score": 100, "reasons": [
					"Same primary strategy: venture", "Assets within 50 percent: $120M against $100M", "Same state: MA",
					"Fund count within 30 percent: 12 against 11"]}}],
			"meta": {"similarity_factors": ["strategy", "aum_band", "geography", "fund_count"], "max_score": 100,
				"calculated_at": "2026-11-21T06:00:00.000000Z", "pricing": {"cost": 0.15, "description": "$0.15 per request"}}}`,
		WantHeader: map[string]string{"X-Charge": "0.15"},
	})
	require.Equal(t, 25, asked.Limit)
	require.True(t, at.Now())
	require.Len(t, meter.Charged(), 1)

	host.Do(t, httpapitest.Scenario{Path: "/v1/gps/900001/related", Contains: []string{`"similarity_factors":["strategy","aum_band","geography"],"max_score":90`}})
	require.Equal(t, catalogapi.RelatedQuery{
		CRD: "900001", Factors: catalogapi.FactorStrategy | catalogapi.FactorAUMBand | catalogapi.FactorGeography, Limit: 10,
	}, asked)
	require.Len(t, meter.Charged(), 2)

	host.Do(t, httpapitest.Scenario{
		Path: "/v1/gps/900003/related?as_of=2025-06-30&known_at=2025-07-02T06:00:00Z&similarity_factors=fund_count",
		WantJSON: `{
			"source_gp": {"crd": "900003", "legal_name": "Larkspur Management LLC", "strategy": null, "aum": null, "location": null, "fund_count": null},
			"similar_gps": [], "meta": {"similarity_factors": ["fund_count"], "max_score": 10, "calculated_at": "2026-11-21T06:00:00.000000Z",
				"pricing": {"cost": 0.15, "description": "$0.15 per request"}, "as_of": "2025-06-30", "known_at": "2025-07-02T06:00:00.000000Z"}}`,
	})
	require.Equal(t, catalogapi.Moment{
		Day: time.Date(2025, time.June, 30, 0, 0, 0, 0, time.UTC), Known: time.Date(2025, time.July, 2, 6, 0, 0, 0, time.UTC),
	}, at)
	require.Len(t, meter.Charged(), 2, "nothing was found, so nothing is charged")
}

// The same question has the same entity tag as long as the index is the same.
func TestEntityTag(t *testing.T) {
	t.Parallel()
	var asked catalogapi.RelatedQuery
	var at catalogapi.Moment
	host := httpapitest.New(t, related.Routes(serve(fake(&asked, &at)))...)
	got := host.Do(t, httpapitest.Scenario{Path: "/v1/gps/900001/related"})
	host.Do(t, httpapitest.Scenario{
		Path: "/v1/gps/900001/related", Header: map[string]string{"If-None-Match": got.Header.Get("ETag")}, Status: http.StatusNotModified,
	})
}

func TestBadInput(t *testing.T) {
	t.Parallel()
	var asked catalogapi.RelatedQuery
	var at catalogapi.Moment
	host := httpapitest.New(t, related.Routes(serve(fake(&asked, &at)))...)
	for query, want := range map[string]string{
		"900001/related?similarity_factors=size":               `Invalid similarity_factors: \"size\" is not a factor; the factors are strategy, aum_band, geography, fund_count`,
		"900001/related?similarity_factors=strategy,,size":     "has an empty item between two commas; the factors are strategy, aum_band, geography, fund_count",
		"900001/related?similarity_factors=":                   "must not be empty",
		"900001/related?limit=0":                               "Invalid limit: must be a whole number from 1 to 25",
		"900001/related?limit=26":                              "Invalid limit: must be a whole number from 1 to 25",
		"900001/related?limit=x":                               "Invalid limit: must be a whole number from 1 to 25",
		"900001/related?as_of=2026-11-22":                      "Invalid as_of: must not be in the future; today is 2026-11-21",
		"900001/related?as_of=yesterday":                       "Invalid as_of: must be a date",
		"900001/related?known_at=2026-11-21T12:00:01Z":         "Invalid known_at: must not be in the future",
		"900001/related?similarity_factor=strategy":            `did you mean \"similarity_factors\"?`,
		"900001/related?offset=5":                              "unknown parameter",
		"0900001/related":                                      "a CRD number: 1 to 10 digits without leading zeros",
		"900001/related?similarity_factors=x&limit=26":         "the factors are strategy",
		"900001/related?limit=26&similarity_factors=x":         "must be a whole number from 1 to 25",
		"900001/related?similarity_factors=x&as_of=2099-01-01": `{"field":"as_of","message":"must not be in the future`,
	} {
		t.Run(query, func(t *testing.T) {
			t.Parallel()
			host.Do(t, httpapitest.Scenario{Path: "/v1/gps/" + query, Status: http.StatusBadRequest, Contains: []string{want}})
		})
	}
}

func TestUnknownAndUnavailable(t *testing.T) {
	t.Parallel()
	var asked catalogapi.RelatedQuery
	var at catalogapi.Moment
	host := httpapitest.New(t, related.Routes(serve(fake(&asked, &at)))...)
	host.Do(t, httpapitest.Scenario{Path: "/v1/gps/999999/related", Status: http.StatusNotFound, Contains: []string{"GP with CRD 999999 not found"}})

	loading := catalogtest.Analysis{RelatedFunc: func(catalogapi.RelatedQuery, catalogapi.Moment) (catalogapi.Related, bool, error) {
		return catalogapi.Related{}, false, apperr.Unavailable("The catalog is being loaded")
	}}
	host = httpapitest.New(t, related.Routes(serve(loading))...)
	host.Do(t, httpapitest.Scenario{
		Path: "/v1/gps/900001/related", Status: http.StatusServiceUnavailable, Contains: []string{"The catalog is being loaded"},
	})
}
