package gp_test

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/listing"
	"gpatlas/modules/catalog/internal/testkit/fixture"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/testkit/httpapitest"
)

// Lists of values, and what is left out: of the fixture, 1 and 7 are in Boston, 2 in San Francisco, 4 in New York, 3 in
// London, and 6 in Singapore.
func TestListsAndExclusion(t *testing.T) {
	t.Parallel()
	host, _ := newHost(t)
	for query, want := range map[string]string{
		"state=NY,ca":                           "2 4",
		"state=New+York,+California":            "2 4",
		"city=boston;san+francisco":             "7 1 2",
		"country=UK,Singapore":                  "6 3",
		"exclude_state=MA":                      "6 8 2 4 3 5",
		"exclude_city=Boston":                   "6 8 2 4 3 5",
		"exclude_country=US":                    "6 3",
		"exclude_strategy=PE":                   "6 8 7 2 4 3 5",
		"exclude_crd=900001,900003":             "6 8 7 2 4 5",
		"crd=900003,900001":                     "1 3",
		"crd=900003,900001,900003&sort=as_sent": "3 1",

		"crd=900003,900001,900002&sort=as_sent&limit=1&offset=1":      "1",
		"crd=900003,900001&state=MA":                                  "1",
		"crd=900001&exclude_crd=900002":                               "1",
		"registration_status=registered,exempt_reporting&city=boston": "7 1",
	} {
		t.Run(query, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, want, crds(t, host.Do(t, httpapitest.Scenario{Path: "/v1/gps?" + query}).Body))
		})
	}
}

// V4: what a list of CRD numbers misses is named. Bad input: numbers with leading zeros, more than 200, as_sent without a list.
func TestMissingOfAList(t *testing.T) {
	t.Parallel()
	host, c := newHost(t)
	c.Withdraw(t, "900004", "2026-07-02")
	numbers := func(n int) string {
		list := make([]string, n)
		for i := range list {
			list[i] = strconv.Itoa(900001 + i)
		}
		return strings.Join(list, ",")
	}
	host.Run(t, []httpapitest.Scenario{
		{Name: "unknown and former", Path: "/v1/gps?crd=4,900004,900001", Contains: []string{`"total":1,`, `"unknown":["4"],"former":["900004"]`}, NotContains: []string{`"current"`}},
		{Name: "among former ones", Path: "/v1/gps?crd=4,900004,900001&former=true", Contains: []string{`"total":1,`, `"unknown":["4"],"current":["900001"]`}, NotContains: []string{`"former":[`}},
		{Name: "nothing is missing", Path: "/v1/gps?crd=900001", Contains: []string{`"unknown":[],"former":[]`}},
		{Name: "no list", Path: "/v1/gps?city=Boston", NotContains: []string{`"unknown"`, `"former"`}},
		{Name: "an empty page", Path: "/v1/gps?crd=4", Contains: []string{`{"data":[],`, `"unknown":["4"]`}},
		{Name: "200", Path: "/v1/gps?crd=" + numbers(200)},
		{Name: "201", Path: "/v1/gps?crd=" + numbers(201), Status: http.StatusBadRequest, Contains: []string{"Invalid crd: must not have more than 200 values"}},
		{Name: "zeros", Path: "/v1/gps?crd=012", Status: http.StatusBadRequest, Contains: []string{"is not a CRD number"}},
		{Name: "no list to sort by", Path: "/v1/gps?sort=as_sent", Status: http.StatusBadRequest, Contains: []string{"Invalid sort: as_sent needs crd"}},
	})
}

// Bad input of lists: the field is named.
func TestBadLists(t *testing.T) {
	t.Parallel()
	host, _ := newHost(t)
	for query, detail := range map[string]string{
		"state=TX,":             `Invalid state: has an empty value`,
		"state=,TX":             `Invalid state: has an empty value`,
		"city=Boston;;Dallas":   `Invalid city: has an empty value`,
		"strategy=venture,":     `Invalid strategy: \"\" is not a strategy`,
		"manager_type=pe_vc,pe": "Invalid manager_type: must be one of pe_vc, hedge_fund, real_estate, other",
		"exclude_crd=012":       "Invalid exclude_crd",
		"exclude_city=" + strings.Repeat("a;", 60) + "b;c": "", // each once: two values
		"exclude_crd=" + strings.Repeat("1,", 50) + "x":    "Invalid exclude_crd",
		"state=TX&exclude_state=TX":                        "Invalid state: asks for what exclude_state excludes: TX",
		"state=Texas,NY&exclude_state=tx":                  "Invalid state: asks for what exclude_state excludes: TX",
		"city=boston&exclude_city=BOSTON":                  "Invalid city: asks for what exclude_city excludes",
		"strategy=vc&exclude_strategy=venture":             "Invalid strategy: asks for what exclude_strategy excludes: venture",
		"strategy=PE&exclude_strategy=growth":              "", // PE stands for three
		"crd=5&exclude_crd=5":                              "Invalid crd: asks for what exclude_crd excludes",
		"min_total_gav=2&max_total_gav=1":                  "Invalid min_total_gav: must not be greater than max_total_gav (2 > 1)",
		"min_net_gav=2&max_net_gav=1":                      "Invalid min_net_gav",
		"filed_after=2026-02-01&filed_before=2026-01-01":   "Invalid filed_after: must not be later than filed_before",
		"include=funds":                                    "must be one of registration",
	} {
		t.Run(query[:min(len(query), 60)], func(t *testing.T) {
			t.Parallel()
			s := httpapitest.Scenario{Path: "/v1/gps?" + query}
			if detail != "" {
				s.Status, s.Contains = http.StatusBadRequest, []string{detail}
			}
			host.Do(t, s)
		})
	}
	many := make([]string, 51)
	for i := range many {
		many[i] = fmt.Sprint("c", i)
	}
	host.Do(t, httpapitest.Scenario{Path: "/v1/gps?city=" + strings.Join(many, ";"), Status: http.StatusBadRequest, Contains: []string{"Invalid city: must not have more than 50 values"}})
	host.Do(t, httpapitest.Scenario{Path: "/v1/gps?city=" + strings.Join(many[1:], ";")})
}

// A search that finds nothing says which filter is to blame.
func TestFiltersThatExcludeAll(t *testing.T) {
	t.Parallel()
	host, _ := newHost(t)
	host.Run(t, []httpapitest.Scenario{
		{Name: "two", Path: "/v1/gps?state=MA&country=DE", Contains: []string{`"nothing":[{"without":"country","total":2},{"without":"state","total":0}]`}},
		{Name: "one", Path: "/v1/gps?state=AK", NotContains: []string{"nothing"}},
		{Name: "something", Path: "/v1/gps?state=MA&country=US", NotContains: []string{"nothing"}},
		{Name: "a page beyond the end", Path: "/v1/gps?state=MA&country=US&offset=99", NotContains: []string{"nothing"}},
		{Name: "one that the rest needs", Path: "/v1/gps?crd=4&state=MA&sort=as_sent", Contains: []string{`"nothing":[{"without":"state","total":0}]`}},
		{Name: "eight", Path: "/v1/gps?city=x&country=US&exclude_city=y&exclude_country=DE&exclude_state=NY&has_funds=true&max_aum=9&min_aum=1&state=MA", NotContains: []string{`{"without":"state"`}, Contains: []string{`{"without":"min_aum","total":0}]`}},
	})
	got := host.Do(t, httpapitest.Scenario{Path: "/v1/gps?state=MA&country=DE"})
	fixture.RequireEncoding[httpapi.DataMeta[[]index.GPItem, listing.SearchMeta]](t, got.Body)
}

// Rows have their registration where it is asked for, filtered or sorted by, and are else what they were.
func TestRowsWithRegistration(t *testing.T) {
	t.Parallel()
	host, _ := newHost(t)
	const row = `"registered_on":"2009-05-01","founded_year":2009,"sec_number":"801-00001"}`
	for query, want := range map[string]bool{
		"include=registration": true, "registered_before=2026-01-01": true, "year_founded_min=1990": true,
		"sort=registered_on": true, "sort=founded_year&order=desc": true, "": false, "sort=aum": false, "founded_year_basis=registration": false,
	} {
		got := host.Do(t, httpapitest.Scenario{Path: "/v1/gps?q=ridgeline&" + query}).Body
		require.Equal(t, want, strings.Contains(got, row), query)
		require.Equal(t, want, strings.Contains(got, "registered_on\""), query)
		fixture.RequireEncoding[httpapi.DataMeta[[]index.GPItem, listing.SearchMeta]](t, got)
	}
}

// Facets: their counts stand in meta, alone with limit=0. Bad input is refused.
func TestFacets(t *testing.T) {
	t.Parallel()
	host, _ := newHost(t)
	host.Run(t, []httpapitest.Scenario{
		{Name: "its own filter is left out", Path: "/v1/gps?state=NY&facets=state,has_funds&limit=0", Contains: []string{
			`{"data":[],"meta":{"total":1,"limit":0,"offset":0,"page":1,"per_page":0,"filters_applied":{"state":"NY"}`,
			`"facets":{"has_funds":{"values":[{"value":"true","count":1,"selected":false}],"distinct":1,"other":0,"unknown":0},` +
				`"state":{"values":[{"value":"MA","count":2,"selected":false},{"value":"CA","count":1,"selected":false},{"value":"IL","count":1,"selected":false},` +
				`{"value":"NY","count":1,"selected":true},{"value":"TX","count":1,"selected":false}],"distinct":5,"other":0,"unknown":2}}`,
		}},
		{Name: "fewer values", Path: "/v1/gps?state=NY&facets=state&facet_limit=1", Contains: []string{
			`"values":[{"value":"MA","count":2,"selected":false},{"value":"NY","count":1,"selected":true}],"distinct":5,"other":3,"unknown":2}`,
		}},
		{Name: "none", Path: "/v1/gps?state=NY", NotContains: []string{"facets"}},
		{Name: "no rows without facets", Path: "/v1/gps?limit=0", Status: http.StatusBadRequest, Contains: []string{"Invalid limit: must be a whole number from 1 to 100"}},
		{Name: "no facet", Path: "/v1/gps?facets=state,city", Status: http.StatusBadRequest, Contains: []string{`Invalid facets: \"city\" cannot be counted`}},
		{Name: "an empty one", Path: "/v1/gps?facets=state,", Status: http.StatusBadRequest, Contains: []string{"Invalid facets"}},
		{Name: "facet_limit", Path: "/v1/gps?facets=state&facet_limit=0", Status: http.StatusBadRequest, Contains: []string{"Invalid facet_limit"}},
	})
	got := host.Do(t, httpapitest.Scenario{Path: "/v1/gps?state=NY&facets=state,has_funds,country,aum_band&sort=aum"})
	fixture.RequireEncoding[httpapi.DataMeta[[]index.GPItem, listing.SearchMeta]](t, got.Body)
}
