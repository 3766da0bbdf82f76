package fund_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/internal/fund"
	"gpatlas/modules/catalog/internal/history"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/listing"
	"gpatlas/modules/catalog/internal/testkit/fixture"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/testkit/httpapitest"
)

func newHost(t *testing.T) (*httpapitest.Host, *fixture.Catalog) {
	t.Helper()
	c := fixture.New(t)
	return httpapitest.New(t, fund.Routes(fund.NewService(c.Index, history.NewStore(c.DB), nil, c.Clock))...), c
}

// funds gives the funds that an answer lists by the last two digits of their ids.
func funds(t *testing.T, body string) string {
	t.Helper()
	var answer struct {
		Data []struct {
			FundID string `json:"fund_id"`
		} `json:"data"`
	}
	require.NoError(t, json.Unmarshal([]byte(body), &answer))
	var list []string
	for _, d := range answer.Data {
		list = append(list, strings.TrimPrefix(d.FundID, "805-00000000"))
	}
	return strings.Join(list, " ")
}

// Each filter with the funds that it lets through, by name: 11 Harbor … Buyout II, 12 … Growth III, 71 … Real Estate,
// 21 Kestrel Seed, 41 Quarry Master, 42 Quarry Feeder, 31 Thistle Lending. 10 (Buyout I) is closed.
func TestSearchFilters(t *testing.T) {
	t.Parallel()
	host, _ := newHost(t)
	for query, want := range map[string]string{
		"":                                  "11 12 71 21 41 42 31",
		"order=desc":                        "31 42 41 21 71 12 11",
		"sort=gav&order=desc":               "31 11 41 12 71 21 42",
		"sort=gav":                          "42 21 71 12 41 11 31",
		"sort=vintage_year":                 "11 12 21 31 41 42 71", // equal vintages by internal id
		"limit=2&offset=1":                  "12 71",
		"page=2&per_page=4":                 "41 42 31",
		"q=quarry":                          "41 42", // by relevance: the larger first
		"q=quarry&sort=gav":                 "42 41",
		"q=harbor+buyout":                   "11",
		"q=credit":                          "31", // its adviser's name
		"q=kestral+seed":                    "21",
		"q=nobody":                          "",
		"strategy=buyout":                   "11",
		"strategy=PE":                       "11 12",
		"strategy=Hedge":                    "41 42",
		"strategy=VC,credit":                "21 31",
		"strategy=liquidity":                "",
		"gp_crd=900004":                     "41 42",
		"gp_crd=900005":                     "",
		"gp_crd=123":                        "",
		"gp_id=900001":                      "11 12 71", // two advisers of one organization
		"gp_id=900007":                      "",
		"fund_type=3c1":                     "12 21",
		"fund_type=3c7":                     "11 71 41 42 31",
		"fund_type=all":                     "11 12 71 21 41 42 31",
		"fund_type=3c1&is_3c7=false":        "12 21",
		"is_3c1=true":                       "12 21",
		"is_3c1=false":                      "11 71 41 42 31",
		"is_3c7=true&is_3c1=true":           "",
		"is_3c7=false":                      "12 21",
		"is_master=true":                    "41",
		"is_master=false&gp_crd=900004":     "42",
		"is_feeder=true":                    "42",
		"is_feeder=false&gp_crd=900004":     "41",
		"min_gav=850000000":                 "11 31",
		"min_gav=4000000001":                "",
		"max_gav=50000000":                  "42",
		"min_gav=80000000&max_gav=90000000": "71 21",
		"vintage_year=2019":                 "11",
		"vintage_year=2020":                 "",
		"vintage_year=2019&min_vintage=2019&max_vintage=2026": "11",
		"min_vintage=2020":                              "12 71 21 41 42 31",
		"max_vintage=2025":                              "11",
		"jurisdiction=US":                               "11 12 71 21 42",
		"jurisdiction=Cayman+Islands":                   "41 31",
		"jurisdiction=ky":                               "41 31",
		"jurisdiction=Delaware":                         "11 12 71 21",
		"jurisdiction=NY":                               "42",
		"jurisdiction=DE":                               "", // Germany
		"status=active":                                 "11 12 71 21 41 31",
		"status=liquidating":                            "42",
		"status=closed":                                 "10",
		"status=closed&gp_crd=900004":                   "",
		"has_auditor=true":                              "11 31",
		"vintage_quality=form_d":                        "",
		"vintage_quality=first_filing&max_vintage=2025": "11",
		"vintage_quality=list":                          "",
		"has_auditor=false":                             "12 71 21 42",
	} {
		t.Run(query, func(t *testing.T) {
			t.Parallel()
			got := host.Do(t, httpapitest.Scenario{Path: "/v1/funds?" + query})
			require.Equal(t, want, funds(t, got.Body))
		})
	}
}

func TestSearchAnswer(t *testing.T) {
	t.Parallel()
	host, c := newHost(t)
	host.Run(t, []httpapitest.Scenario{
		{
			Name: "a whole answer", Path: "/v1/funds?q=feeder&strategy=Hedge&fund_type=3c7&jurisdiction=new+york&gp_id=900004&is_feeder=true",
			WantJSON: fmt.Sprintf(`{"data": [{
				"id": %d, "fund_id": "805-0000000042", "name": "Quarry Point Onshore Feeder LP (in liquidation)", "adviser_crd": "900004",
				"adviser_name": "Quarry Point Management LP", "vintage_year": 2026, "gross_asset_value": 50000000, "strategy": "hedge",
				"is_3c1": false, "is_3c7": true, "is_master": false, "is_feeder": true, "jurisdiction": "New York", "status": "liquidating",
				"has_auditor": false, "vintage_quality": "first_filing"}],
				"meta": {"total": 1, "limit": 25, "offset": 0, "page": 1, "per_page": 25, "filters_applied": {
					"fund_type": "3c7", "gp_id": 900004, "is_feeder": true, "jurisdiction": "New York", "q": "feeder", "strategy": "hedge"}}}`,
				c.FundID(t, "805-0000000042")),
		},
		{Name: "defaults are not listed", Path: "/v1/funds?fund_type=all&sort=gav&order=desc", Contains: []string{`"filters_applied":{}`}},
		{Name: "links", Path: "/v1/funds?limit=7&status=active", WantHeader: map[string]string{
			"Link": `</v1/funds?status=active&limit=7&offset=0>; rel="first", </v1/funds?status=active&limit=7&offset=0>; rel="last"`,
		}},
	})
}

func TestDetail(t *testing.T) {
	t.Parallel()
	host, c := newHost(t)
	id := c.FundID(t, "805-0000000011")
	full := fmt.Sprintf(`{"data": {
		"id": %d, "fund_id": "805-0000000011", "name": "Harbor Ridge Buyout Fund II, L.P.", "adviser_crd": "900001",
		"adviser_name": "Harbor Ridge Capital Partners LLC", "strategy": "buyout", "fund_type": "Private Equity Fund",
		"fund_type_other": null, "vintage_year": 2019, "vintage_source": "first_filing", "vintage_quality": "first_filing", "gross_asset_value": 850000000,
		"peak_gross_asset_value": 850000000, "minimum_investment": 5000000, "beneficial_owners_count": 74,
		"pct_owned_related": 4, "pct_owned_funds": 12.5, "pct_owned_non_us": 20, "is_3c1": false, "is_3c7": true,
		"exemptions": ["506b"], "form_d_file_numbers": ["021-900001"], "is_master": false, "is_feeder": false,
		"master_fund_name": null, "master_fund_id": null, "is_fund_of_funds": false, "jurisdiction": "Delaware",
		"country_code": "US", "has_auditor": true, "auditors": ["Birch & Sloane LLP"], "annual_audit": true, "gaap": true,
		"unqualified_opinion": "Y", "status": "active", "first_filing_date": "2019-03-28", "latest_filing_date": "2026-03-28",
		"source": {"accession_number": "ADV-900001-2001", "filing_type": "ADV/A", "filing_date": "2026-03-28"}}}`, id)
	host.Run(t, []httpapitest.Scenario{
		{Name: "by its filed id", Path: "/v1/funds/805-0000000011", WantJSON: full},
		{Name: "by its internal id", Path: fmt.Sprintf("/v1/funds/%d", id), WantJSON: full},
		{Name: "closed ones are shown", Path: "/v1/funds/805-0000000010", Contains: []string{`"status":"closed"`, `"exemptions":[]`}},
		{Name: "as of an earlier day", Path: "/v1/funds/805-0000000011?as_of=2020-01-01", Contains: []string{
			`"gross_asset_value":500000000`, `"beneficial_owners_count":60`, `"has_auditor":false`, `"auditors":[]`,
			`"accession_number":"ADV-900001-1001"`, fmt.Sprintf(`"id":%d,`, id),
		}},
		{
			Name: "before any filing named it", Path: "/v1/funds/805-0000000012?as_of=2020-01-01", Status: http.StatusNotFound,
			WantJSON: `{"detail": "Fund 805-0000000012 is in no filing up to 2020-01-01"}`,
		},
		{Name: "unknown", Path: "/v1/funds/805-9999999999", Status: http.StatusNotFound, WantJSON: `{"detail": "Fund 805-9999999999 not found"}`},
		{Name: "unknown internal id", Path: "/v1/funds/987654321", Status: http.StatusNotFound, WantJSON: `{"detail": "Fund 987654321 not found"}`},
	})
}

func TestBadInput(t *testing.T) {
	t.Parallel()
	host, _ := newHost(t)
	const id = "must be 805- and ten digits, or the internal integer ID"
	for path, detail := range map[string]string{
		"/v1/funds?limit=0":                            "must be a whole number from 1 to 100",
		"/v1/funds?limit=101":                          "must be a whole number from 0 to 100",
		"/v1/funds?limit=1e9":                          "must be a whole number from 0 to 100",
		"/v1/funds?offset=9223372036854775808":         "Invalid offset",
		"/v1/funds?q=a":                                "must have at least 2 characters",
		"/v1/funds?q=%5F%5F":                           "must contain a letter or a digit",
		"/v1/funds?q=ab%00":                            "NUL",
		"/v1/funds?q=%C3%28":                           "must be valid UTF-8",
		"/v1/funds?q=" + strings.Repeat("é", 201):      "must have 2 to 200 characters",
		"/v1/funds?strategy=x":                         "is not a strategy",
		"/v1/funds?gp_crd=0900001":                     "must be a CRD number",
		"/v1/funds?gp_crd=x":                           "must be a CRD number",
		"/v1/funds?gp_id=0":                            "Invalid gp_id",
		"/v1/funds?fund_type=3c5":                      "must be one of 3c1, 3c7, all",
		"/v1/funds?fund_type=3c1&is_3c1=false":         "3c1 contradicts is_3c1=false",
		"/v1/funds?is_master=yes":                      "must be true or false",
		"/v1/funds?min_gav=2&max_gav=1":                "must not be greater than max_gav (2 > 1)",
		"/v1/funds?min_vintage=2020&max_vintage=2019":  "must not be greater than max_vintage (2020 > 2019)",
		"/v1/funds?vintage_year=2018&min_vintage=2019": "must not be less than min_vintage (2018 < 2019)",
		"/v1/funds?vintage_year=2020&max_vintage=2019": "must not be greater than max_vintage (2020 > 2019)",
		"/v1/funds?vintage_year=19":                    "Invalid vintage_year",
		"/v1/funds?jurisdiction=ZQ":                    "is not a place",
		"/v1/funds?jurisdiction=%25%25%25":             "is not a place",
		"/v1/funds?status=open":                        "must be one of active, liquidating, closed",
		"/v1/funds?sort=aum":                           "must be one of name, gav, vintage_year",
		"/v1/funds?order=down":                         "must be one of asc, desc",
		"/v1/funds?vintage_yeer=2020":                  `did you mean \"vintage_year\"?`,
		"/v1/funds?q=ab&q=cd":                          "was sent more than once",
		"/v1/funds/805-123":                            id,
		"/v1/funds/805-12345678901":                    id,
		"/v1/funds/806-1234567890":                     id,
		"/v1/funds/0":                                  id,
		"/v1/funds/-5":                                 id,
		"/v1/funds/01":                                 id,
		"/v1/funds/9223372036854775808":                id,
		"/v1/funds/abc":                                id,
		"/v1/funds/805-1234567890?as_of=2027-01-01":    "must not be in the future",
		"/v1/funds/805-1234567890?as_of=2025-13-01":    "must be a date such as 2026-01-31",
	} {
		name := path
		if len(name) > 80 {
			name = name[:80]
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			host.Do(t, httpapitest.Scenario{Path: path, Status: http.StatusBadRequest, Contains: []string{`"detail":`, detail}})
		})
	}
}

func TestWithoutDatabaseOrIndex(t *testing.T) {
	t.Parallel()
	host, c := newHost(t)
	empty := httpapitest.New(t, fund.Routes(fund.NewService(&index.Holder{}, history.NewStore(c.DB), nil, c.Clock))...)
	empty.Do(t, httpapitest.Scenario{Path: "/v1/funds", Status: http.StatusServiceUnavailable, Contains: []string{`"detail":`}})
	c.DB.Close()
	host.Do(t, httpapitest.Scenario{Path: "/v1/funds/805-0000000011", Status: http.StatusServiceUnavailable, Contains: []string{"The database is unavailable"}})
	host.Do(t, httpapitest.Scenario{Path: "/v1/funds?q=harbor", Contains: []string{`"total":3`}})
}

func TestListsAreWhatTheyDeclare(t *testing.T) {
	t.Parallel()
	host, _ := newHost(t)
	for _, query := range []string{
		"", "q=nobody", "status=closed", "limit=2&offset=5",
		"q=%22harbor%22+%3C%26%3E&is_3c1=true&gp_id=900001&gp_crd=900001&jurisdiction=US&min_gav=7&strategy=PE&vintage_year=2026",
	} {
		got := host.Do(t, httpapitest.Scenario{Path: "/v1/funds?" + query})
		fixture.RequireEncoding[httpapi.DataMeta[[]index.FundItem, listing.SearchMeta]](t, got.Body)
	}
}

// A word that is in no vocabulary is refused under its parameter's name, with the word that was probably meant.
func TestUnknownWordsAreRefused(t *testing.T) {
	t.Parallel()
	c := fixture.New(t)
	host := httpapitest.New(t, fund.Routes(fund.NewService(c.Index, history.NewStore(c.DB), nil, c.Clock))...)
	for query, contains := range map[string]string{
		"jurisdiction=Narnia": "Invalid jurisdiction", "jurisdiction=Caymen+Islands": `did you mean \"Cayman Islands\"?`,
		"jurisdiction=Delawere": `did you mean \"Delaware\"?`, "fund_type=3c2": "must be one of 3c1, 3c7, all", "status=liquidated": `did you mean \"liquidating\"?`,
		"sort=vintage": `did you mean \"vintage_year\"?`, "order=up": "must be one of asc, desc", "strategy=ventures": `did you mean \"venture\"?`,
	} {
		host.Do(t, httpapitest.Scenario{Name: query, Path: "/v1/funds?" + query, Status: http.StatusBadRequest, Contains: []string{contains}})
	}
}
