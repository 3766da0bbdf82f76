package reference_test

import (
	"net/http"
	"testing"

	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/reference"
	"gpatlas/modules/catalog/internal/testkit/fixture"
	"gpatlas/platform/testkit/httpapitest"
)

func TestReference(t *testing.T) {
	t.Parallel()
	c := fixture.New(t)
	host := httpapitest.New(t, reference.Routes(reference.NewService(c.Index))...)
	host.Run(t, []httpapitest.Scenario{
		{Name: "stats", Path: "/v1/stats", WantJSON: `{"data": {"total_advisers": 8, "total_funds": 7, "total_canonical_gps": 7,
			"advisers_with_funds": 5, "unique_strategies": 5, "unique_states": 5}, "meta": {"timestamp": "2026-11-21T12:00:00.000000Z"}}`},
		{Name: "strategies", Path: "/v1/strategies", WantJSON: `{"data": [{"strategy": "buyout", "count": 1}, {"strategy": "credit", "count": 1},
			{"strategy": "hedge", "count": 1}, {"strategy": "real-estate", "count": 1}, {"strategy": "venture", "count": 1}]}`},
		{Name: "locations", Path: "/v1/locations", WantJSON: `{"data": {
			"states": [{"state": "MA", "count": 2}, {"state": "CA", "count": 1}, {"state": "IL", "count": 1}, {"state": "NY", "count": 1},
				{"state": "TX", "count": 1}],
			"countries": [{"country": "United States", "country_code": "US", "count": 6}, {"country": "Singapore", "country_code": "SG", "count": 1},
				{"country": "United Kingdom", "country_code": "GB", "count": 1}]}}`},
		{Name: "no parameters", Path: "/v1/stats?limit=1", Status: http.StatusBadRequest, Contains: []string{"this operation accepts no parameters"}},
		{Name: "head", Method: http.MethodHead, Path: "/v1/locations"},
	})
	c.DB.Close()
	host.Do(t, httpapitest.Scenario{Name: "without database", Path: "/v1/stats"})
}

func TestBeforeTheIndexIsLoaded(t *testing.T) {
	t.Parallel()
	host := httpapitest.New(t, reference.Routes(reference.NewService(&index.Holder{}))...)
	for _, path := range []string{"/v1/stats", "/v1/strategies", "/v1/locations"} {
		host.Do(t, httpapitest.Scenario{Path: path, Status: http.StatusServiceUnavailable, Contains: []string{`"detail":`}})
	}
}
