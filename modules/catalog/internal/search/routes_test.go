package search_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/search"
	"gpatlas/modules/catalog/internal/testkit/fixture"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/testkit/httpapitest"
)

func newHost(t *testing.T) (*httpapitest.Host, *fixture.Catalog) {
	t.Helper()
	c := fixture.New(t)
	return httpapitest.New(t, search.Routes(search.NewService(c.Index))...), c
}

func TestUnified(t *testing.T) {
	t.Parallel()
	host, c := newHost(t)
	host.Run(t, []httpapitest.Scenario{
		{
			Name: "both", Path: "/v1/search?q=+kestrel+lane+",
			WantJSON: fmt.Sprintf(`{"data": {
				"gps": [{"id": "900002", "crd": "900002", "name": "Kestrel Lane Ventures LLC", "location": "San Francisco, CA",
					"aum": 80000000, "canonical_id": 900002, "type": "gp"}],
				"funds": [{"id": %d, "fund_id": "805-0000000021", "name": "Kestrel Lane Seed Fund, L.P.",
					"adviser": "Kestrel Lane Ventures LLC", "vintage_year": 2026, "type": "fund"}]},
				"meta": {"query": "kestrel lane", "gp_count": 1, "fund_count": 1, "gp_total": 1, "fund_total": 1}}`,
				c.FundID(t, "805-0000000021")),
		},
		{Name: "outside the US", Path: "/v1/search?q=london&types=gp", Contains: []string{`"location":"London, United Kingdom"`, `"funds":[]`}},
		{Name: "city and country alike", Path: "/v1/search?q=muller", Contains: []string{`"location":"Singapore, Singapore"`, `"aum":null`}},
		{Name: "gps alone", Path: "/v1/search?q=harbor&types=gp", Contains: []string{`"funds":[]`, `"gp_count":2,"fund_count":0,"gp_total":2,"fund_total":0`}},
		{Name: "funds alone", Path: "/v1/search?q=harbor&types=fund", Contains: []string{`"gps":[]`, `"gp_count":0,"fund_count":3`}},
		{Name: "both named", Path: "/v1/search?q=harbor&types=fund,gp", Contains: []string{`"gp_count":2,"fund_count":3`}},
		{Name: "limit", Path: "/v1/search?q=harbor&limit=1", Contains: []string{`"gp_count":1,"fund_count":1,"gp_total":2,"fund_total":3`}},
		{Name: "nothing", Path: "/v1/search?q=nobody", WantJSON: `{"data": {"gps": [], "funds": []},
			"meta": {"query": "nobody", "gp_count": 0, "fund_count": 0, "gp_total": 0, "fund_total": 0}}`},
		{Name: "closed funds are left out", Path: "/v1/search?q=buyout+fund+i", NotContains: []string{"805-0000000010"}},
	})
}

func TestAutocomplete(t *testing.T) {
	t.Parallel()
	host, c := newHost(t)
	host.Run(t, []httpapitest.Scenario{
		{
			Name: "mixed", Path: "/v1/search/autocomplete?q=kest",
			WantJSON: fmt.Sprintf(`{"data": [
				{"text": "Kestrel Lane Ventures LLC", "type": "gp", "id": "900002", "metadata": {"crd": "900002", "location": "San Francisco, CA"}},
				{"text": "Kestrel Lane Seed Fund, L.P.", "type": "fund", "id": %d, "metadata": {"vintage_year": 2026}}],
				"meta": {"query": "kest", "count": 2}}`, c.FundID(t, "805-0000000021")),
		},
		{Name: "gps", Path: "/v1/search/autocomplete?q=harb&type=gp", Contains: []string{`"count":2`}, NotContains: []string{`"fund"`}},
		{Name: "funds", Path: "/v1/search/autocomplete?q=harb&type=fund", Contains: []string{`"count":3`}, NotContains: []string{`"gp"`}},
		{Name: "all", Path: "/v1/search/autocomplete?q=harb&type=all", Contains: []string{`"count":5`}},
		{Name: "limit", Path: "/v1/search/autocomplete?q=harb&limit=3", Contains: []string{`"count":3`}},
		{Name: "typing error", Path: "/v1/search/autocomplete?q=thisle&type=gp", Contains: []string{`"id":"900003"`}},
		{Name: "nothing", Path: "/v1/search/autocomplete?q=zzz", WantJSON: `{"data": [], "meta": {"query": "zzz", "count": 0}}`},
	})
}

func TestSuggestions(t *testing.T) {
	t.Parallel()
	host, _ := newHost(t)
	host.Run(t, []httpapitest.Scenario{
		{Name: "names", Path: "/v1/search/suggestions?q=harb", WantJSON: `{"data": ["Harbor Ridge Capital Partners LLC", "Harbor Ridge Advisors II LLC"],
			"meta": {"query": "harb", "count": 2}}`},
		{Name: "limit", Path: "/v1/search/suggestions?q=harb&limit=1", WantJSON: `{"data": ["Harbor Ridge Capital Partners LLC"], "meta": {"query": "harb", "count": 1}}`},
		{Name: "quotes", Path: "/v1/search/suggestions?q=%22zz%22", WantJSON: `{"data": [], "meta": {"query": "\"zz\"", "count": 0}}`},
	})
}

func TestBadInput(t *testing.T) {
	t.Parallel()
	host, _ := newHost(t)
	for _, path := range []string{"/v1/search", "/v1/search/autocomplete", "/v1/search/suggestions"} {
		for query, detail := range map[string]string{
			"":                              "Invalid q: is required",
			"q=":                            "must not be empty",
			"q=a":                           "must have at least 2 characters",
			"q=+a":                          "must have 2 to 200 characters",
			"q=" + strings.Repeat("x", 201): "must have 2 to 200 characters",
			"q=%25%25":                      "must contain a letter or a digit",
			"q=a%00b":                       "NUL",
			"q=%FFab":                       "must be valid UTF-8",
			"q=ab&limit=0":                  "must be a whole number from 1 to 20",
			"q=ab&limit=21":                 "must be a whole number from 1 to 20",
			"q=ab&limit=abc":                "must be a whole number from 1 to 20",
			"q=ab&q=cd":                     "was sent more than once",
			"q=ab&lmit=5":                   `did you mean \"limit\"?`,
			"q=ab&offset=5":                 "unknown parameter",
		} {
			name := path + "?" + query
			t.Run(name[:min(60, len(name))], func(t *testing.T) {
				t.Parallel()
				host.Do(t, httpapitest.Scenario{Path: path + "?" + query, Status: http.StatusBadRequest, Contains: []string{detail}})
			})
		}
	}
	host.Run(t, []httpapitest.Scenario{
		{Name: "types", Path: "/v1/search?q=ab&types=gp,lp", Status: http.StatusBadRequest, Contains: []string{"must be gp, fund, or both"}},
		{Name: "empty type", Path: "/v1/search?q=ab&types=gp,", Status: http.StatusBadRequest, Contains: []string{"must be gp, fund, or both"}},
		{Name: "type", Path: "/v1/search/autocomplete?q=ab&type=lp", Status: http.StatusBadRequest, Contains: []string{"must be one of gp, fund, all"}},
		{Name: "right to left", Path: "/v1/search?q=%D7%A9%D7%9C%D7%95%D7%9D", Contains: []string{`"query":"שלום"`}},
	})
}

func TestWithoutDatabaseOrIndex(t *testing.T) {
	t.Parallel()
	host, c := newHost(t)
	c.DB.Close()
	host.Do(t, httpapitest.Scenario{Path: "/v1/search?q=harbor"})
	empty := httpapitest.New(t, search.Routes(search.NewService(&index.Holder{}))...)
	for _, path := range []string{"/v1/search", "/v1/search/autocomplete", "/v1/search/suggestions"} {
		empty.Do(t, httpapitest.Scenario{Path: path + "?q=harbor", Status: http.StatusServiceUnavailable, Contains: []string{`"detail":`}})
	}
}

func TestAnswersAreWhatTheyDeclare(t *testing.T) {
	t.Parallel()
	host, _ := newHost(t)
	for _, q := range []string{"harbor", "muller", "nobody", "%22thistle%22+%3C%26%3E", "%D7%A9%D7%9C%D7%95%D7%9D", "liquidation", "llc"} {
		got := host.Do(t, httpapitest.Scenario{Path: "/v1/search?limit=20&q=" + q})
		fixture.RequireEncoding[httpapi.DataMeta[search.Unified, search.UnifiedMeta]](t, got.Body)
		got = host.Do(t, httpapitest.Scenario{Path: "/v1/search/autocomplete?limit=20&q=" + q})
		fixture.RequireEncoding[httpapi.DataMeta[[]search.Proposal, search.QueryMeta]](t, got.Body)
		got = host.Do(t, httpapitest.Scenario{Path: "/v1/search/suggestions?limit=20&q=" + q})
		fixture.RequireEncoding[httpapi.DataMeta[[]string, search.QueryMeta]](t, got.Body)
	}
}
