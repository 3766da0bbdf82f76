package gp_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/internal/gp"
	"gpatlas/modules/catalog/internal/history"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/listing"
	"gpatlas/modules/catalog/internal/testkit/fixture"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/testkit/httpapitest"
)

// newHost hosts the slice over the fixture.
func newHost(t *testing.T) (*httpapitest.Host, *fixture.Catalog) {
	t.Helper()
	c := fixture.New(t)
	return httpapitest.New(t, gp.Routes(gp.NewService(c.Index, history.NewStore(c.DB), nil, c.Clock))...), c
}

// crds gives the advisers that an answer lists, less their common beginning: "1 3" for 900001 and 900003.
func crds(t *testing.T, body string) string {
	t.Helper()
	var answer struct {
		Data []struct {
			CRD string `json:"crd"`
		} `json:"data"`
	}
	require.NoError(t, json.Unmarshal([]byte(body), &answer))
	var list []string
	for _, d := range answer.Data {
		list = append(list, strings.TrimPrefix(d.CRD, "90000"))
	}
	return strings.Join(list, " ")
}

// Each filter with the advisers that it lets through, by name: 6 Alder, 8 Boston, 7 Harbor … Advisors, 1 Harbor …
// Capital, 2 Kestrel, 4 Quarry, 3 Thistle, 5 Willow.
func TestSearchFilters(t *testing.T) {
	t.Parallel()
	host, _ := newHost(t)
	for query, want := range map[string]string{
		"":                                     "6 8 7 1 2 4 3 5",
		"q=harbor&sort=name":                   "7 1",
		"q=ridgeline":                          "1",
		"q=nobody":                             "",
		"city=boston":                          "7 1",
		"city=Bost":                            "",
		"city=SÃO+PAULO":                       "",
		"state=ny":                             "4",
		"state=New+York":                       "4",
		"state=AK":                             "",
		"country=United+Kingdom":               "3",
		"country=uk":                           "3",
		"country=GB":                           "3",
		"country=singapore":                    "6",
		"country=FR":                           "",
		"min_aum=2500000000":                   "1 3",
		"min_aum=2500000001":                   "3",
		"min_aum=0":                            "8 1 2 4 3 5",
		"max_aum=30000000":                     "8",
		"max_aum=29999999":                     "",
		"min_aum=80000000&max_aum=90000000":    "2",
		"aum_band=%3C100M":                     "8 2",
		"aum_band=100M-500M":                   "5",
		"aum_band=500M-1B":                     "4",
		"aum_band=1B-10B":                      "1",
		"aum_band=%3E10B":                      "3",
		"aum_band=%3E10B&min_aum=13000000000":  "",
		"strategy=buyout":                      "1",
		"strategy=PE":                          "1",
		"strategy=vc":                          "2",
		"strategy=RealEstate":                  "7",
		"strategy=real-estate":                 "7",
		"strategy=hedge,credit":                "4 3",
		"strategy=liquidity":                   "",
		"registration_status=exempt_reporting": "6 2",
		"registration_status=registered&state=CA": "",
		"has_funds=true":   "7 1 2 4 3",
		"has_funds=false":  "5", // 8 announces funds and lists none: unknown
		"min_fund_count=2": "1 4",
		"min_fund_count=3": "",
		"max_fund_count=0": "5",
		"min_employees=48": "1 3",
		"max_employees=2":  "8",
		"max_employees=1":  "",
		"jurisdiction=UK":  "3",
		"jurisdiction=SG":  "6",
		"jurisdiction=HK":  "",
		"registered_after=2021-02-03&registered_before=2021-02-03": "6",
		"registered_before=2009-05-01":                             "1",
		"registered_before=2009-04-30":                             "",
		"registered_after=2021-02-03":                              "6",
		"registered_after=2021-02-04":                              "",
		"year_founded_max=2009":                                    "1",
		"year_founded_max=2008":                                    "",
		"year_founded_min=2021&year_founded_max=2021":              "6",
		"founded_year_basis=registration":                          "6 1",
		"founded_year_basis=first_filing&year_founded_max=2025":    "",
		"vintage_max=2019":                                         "1",
		"vintage_max=2018":                                         "",
		"vintage_min=2026":                                         "7 1 2 4 3",
		"launched_within_months=6":                                 "2",
		"launched_within_months=5":                                 "",
		"launched_within_months=8":                                 "7 1 2 4 3",
		"fund_size_min=850000000":                                  "1 3",
		"fund_size_min=4000000001":                                 "",
		"fund_size_max=50000000":                                   "4",
		"vintage_max=2019&fund_size_max=300000000":                 "", // two funds of one adviser do not add up
		"min_investors=99":                                         "1 3",
		"min_investors=901":                                        "",
		"max_investors=12":                                         "2 5",
		"exemption_type=506b":                                      "1",
		"exemption_type=506c":                                      "2",
		"exemption_type=3c1":                                       "1 2",
		"exemption_type=3c7&state=CA":                              "",
		"fund_type=3c1":                                            "1 2",
		"fund_type=3c7":                                            "7 1 4 3",
		"state_of_incorporation=Delaware":                          "1",
		"state_of_incorporation=de":                                "1",
		"state_of_incorporation=Texas":                             "5",
		"state_of_incorporation=Ohio":                              "",
		"has_auditor=true":                                         "1 3",
		"has_auditor=false":                                        "7 1 2 4",
		"auditor_name=birch":                                       "1",
		"auditor_name=LLP+calder":                                  "3",
		"auditor_name=birch+frost":                                 "",
		"manager_type=pe_vc":                                       "1 2",
		"manager_type=hedge_fund":                                  "4",
		"manager_type=real_estate":                                 "7",
		"manager_type=other":                                       "3",
	} {
		t.Run(query, func(t *testing.T) {
			t.Parallel()
			got := host.Do(t, httpapitest.Scenario{Path: "/v1/gps?" + query})
			require.Equal(t, want, crds(t, got.Body))
		})
	}
}

func TestSearchOrders(t *testing.T) {
	t.Parallel()
	host, _ := newHost(t)
	for query, want := range map[string]string{
		"":                           "6 8 7 1 2 4 3 5",
		"order=desc":                 "5 3 4 2 1 7 8 6",
		"sort=name&order=asc":        "6 8 7 1 2 4 3 5",
		"sort=aum&order=desc":        "3 1 4 5 2 8 6 7", // the unknown last, then by CRD
		"sort=aum":                   "8 2 5 4 1 3 6 7",
		"sort=fund_count&order=desc": "1 4 2 3 7 5 6 8",
		"sort=employees":             "8 7 5 4 1 3 2 6",
		"q=harbor":                   "1 7", // by relevance: the larger first
		"q=harbor&order=desc":        "1 7",
		"q=boston":                   "8 1 7", // a name before a place
		"q=boston&sort=name":         "8 7 1",
		"limit=2":                    "6 8",
		"limit=2&offset=2":           "7 1",
		"offset=7":                   "5",
		"offset=8":                   "",
		"page=2&per_page=3":          "1 2 4",
		"page=3&per_page=3":          "3 5",
		"page=9":                     "",
		"limit=1&page=5&per_page=2":  "6", // limit and offset rule
	} {
		t.Run(query, func(t *testing.T) {
			t.Parallel()
			got := host.Do(t, httpapitest.Scenario{Path: "/v1/gps?" + query})
			require.Equal(t, want, crds(t, got.Body))
		})
	}
}

// What a person types, and what must come first.
func TestSearchRelevance(t *testing.T) {
	t.Parallel()
	host, _ := newHost(t)
	for query, first := range map[string]string{
		"Harbor Ridge Advisors II LLC": "7", // the full name, although another is larger
		"ridge harbor":                 "1",
		"harb":                         "1",
		"harbro":                       "1", // swapped letters
		"kestral lane":                 "2",
		"muller":                       "6",
		"thistle and thorn":            "3",
		"thistle & thorn":              "3",
		"quarry new york":              "4",
		"realty austin":                "5",
		"hornbeam":                     "",
		"london":                       "3",
		"massachusetts":                "1",
	} {
		t.Run(query, func(t *testing.T) {
			t.Parallel()
			got := host.Do(t, httpapitest.Scenario{Path: "/v1/gps?limit=1&q=" + url.QueryEscape(query)})
			require.Equal(t, first, crds(t, got.Body))
		})
	}
}

func TestSearchAnswer(t *testing.T) {
	t.Parallel()
	host, _ := newHost(t)
	host.Run(t, []httpapitest.Scenario{
		{
			Name: "a whole answer", Path: "/v1/gps?q=+kestrel+&strategy=VC&country=united+states&has_funds=true&min_aum=1&founded_year_basis=first_filing",
			WantJSON: `{"data": [{
				"crd": "900002", "legal_name": "Kestrel Lane Ventures LLC", "business_name": null, "city": "San Francisco", "state": "CA",
				"country": "United States", "country_code": "US", "total_aum": 80000000, "primary_strategy": "venture",
				"manager_type": "pe_vc", "employee_count": null, "fund_count": 1, "canonical_gp_id": 900002,
				"registration_status": "exempt_reporting", "website": null, "latest_filing_date": "2026-06-15"}],
				"meta": {"total": 1, "limit": 25, "offset": 0, "page": 1, "per_page": 25, "filters_applied": {
					"country": "US", "has_funds": true, "min_aum": 1, "q": "kestrel", "founded_year_basis": "first_filing", "strategy": "venture"}}}`,
		},
		{
			Name: "nothing found", Path: "/v1/gps?q=nobody",
			WantJSON: `{"data": [], "meta": {"total": 0, "limit": 25, "offset": 0, "page": 1, "per_page": 25, "filters_applied": {"q": "nobody"}}}`,
		},
		{Name: "aliases are expanded", Path: "/v1/gps?strategy=pe", Contains: []string{`"filters_applied":{"strategy":"buyout,growth,secondaries"}`}},
		{
			Name: "links by offset", Path: "/v1/gps?limit=3&offset=3&has_funds=true",
			WantHeader: map[string]string{"Link": `</v1/gps?has_funds=true&limit=3&offset=0>; rel="first", ` +
				`</v1/gps?has_funds=true&limit=3&offset=0>; rel="prev", </v1/gps?has_funds=true&limit=3&offset=3>; rel="last"`},
		},
		{
			Name: "links by page", Path: "/v1/gps?page=1&per_page=5",
			WantHeader: map[string]string{"Link": `</v1/gps?page=1&per_page=5>; rel="first", </v1/gps?page=2&per_page=5>; rel="next", ` +
				`</v1/gps?page=2&per_page=5>; rel="last"`},
		},
		{Name: "head", Method: http.MethodHead, Path: "/v1/gps"},
		{Name: "no such verb", Method: http.MethodPut, Path: "/v1/gps", Status: http.StatusMethodNotAllowed},
	})
}

// Both paging styles together give every adviser once, whatever the order.
func TestSearchPagesNeitherRepeatNorSkip(t *testing.T) {
	t.Parallel()
	host, _ := newHost(t)
	for _, order := range []string{"", "&sort=aum&order=desc", "&sort=fund_count", "&sort=employees&order=desc", "&q=llc", "&order=desc"} {
		whole := crds(t, host.Do(t, httpapitest.Scenario{Path: "/v1/gps?limit=100" + order}).Body)
		var pages []string
		for _, page := range []string{"1", "2", "3", "4"} {
			if p := crds(t, host.Do(t, httpapitest.Scenario{Path: "/v1/gps?per_page=2&page=" + page + order}).Body); p != "" {
				pages = append(pages, p)
			}
		}
		require.Equal(t, whole, strings.Join(pages, " "), order)
	}
}

func TestListsAreWhatTheyDeclare(t *testing.T) {
	t.Parallel()
	host, _ := newHost(t)
	for _, query := range []string{
		"", "q=nobody", "q=%22thorn%22+%3C%26%3E&min_aum=1&has_funds=true&registered_after=2001-02-03&strategy=PE,credit&aum_band=%3E10B&sort=aum",
		"q=%D7%A9%D7%9C%D7%95%D7%9D&limit=3&offset=5", "q=muller",
	} {
		got := host.Do(t, httpapitest.Scenario{Path: "/v1/gps?" + query})
		fixture.RequireEncoding[httpapi.DataMeta[[]index.GPItem, listing.SearchMeta]](t, got.Body)
	}
	for _, path := range []string{"/v1/gps/900001/funds", "/v1/gps/900003/funds?per_page=1", "/v1/gps/900005/funds", "/v1/gps/900001/funds?status=closed"} {
		got := host.Do(t, httpapitest.Scenario{Path: path})
		fixture.RequireEncoding[httpapi.DataMeta[[]index.FundItem, gp.FundsMeta]](t, got.Body)
	}
}
