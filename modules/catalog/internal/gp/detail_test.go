package gp_test

import (
	"net/http"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/gp"
	"gpatlas/modules/catalog/internal/history"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/platform/testkit/httpapitest"
)

// What filings state of an adviser is in its detail, and documented; regulatory assets are total_aum there.
func TestEveryColumnIsShown(t *testing.T) {
	t.Parallel()
	var shown []string
	for _, f := range reflect.VisibleFields(reflect.TypeFor[gp.GPDetail]()) {
		shown = append(shown, f.Tag.Get("json"))
	}
	page, err := os.ReadFile("../../../../docs/fields.md")
	require.NoError(t, err)
	for _, column := range catalogapi.ColumnNames[catalogapi.Statement]() {
		if !strings.Contains(string(page), "`"+column+"`") {
			t.Errorf("docs/fields.md has no row of %s", column)
		}
		if column != catalogapi.FieldRAUM && !slices.Contains(shown, column) {
			t.Errorf("the detail has no field %s", column)
		}
	}
}

func TestDetail(t *testing.T) {
	t.Parallel()
	host, _ := newHost(t)
	host.Run(t, []httpapitest.Scenario{
		{
			Name: "in full", Path: "/v1/gps/900001",
			WantJSON: `{"data": {
				"crd": "900001", "legal_name": "Harbor Ridge Capital Partners LLC", "business_name": "Ridgeline",
				"street1": "100 Example Street", "street2": null, "city": "Boston", "state": "MA", "postal_code": "02110",
				"country": "United States", "country_code": "US", "private_residence": null, "phone": "617-555-0100",
				"website": "https://www.harborridge.example.com", "total_aum": 2500000000, "raum_discretionary": 2400000000,
				"raum_non_discretionary": null, "primary_strategy": "buyout", "manager_type": "pe_vc", "employee_count": 48,
				"fund_count": 2, "total_gav": 1150000000, "net_gav": 1150000000, "total_investors": 99, "founded_year": 2009, "founded_year_basis": "registration", "canonical_gp_id": 900001,
				"registration_status": "registered", "sec_number": "801-00001", "sec_status": "Approved",
				"registered_on": "2009-05-01", "first_seen": "2019-03-28", "lei": "5493000EXAMPLE000001", "org_form": "Limited Liability Company",
				"org_state": "Delaware", "org_country": "United States", "fiscal_year_end": "December", "advises_funds": true, "withdrawn_on": null, "not_listed_since": null,
				"first_filing_date": "2019-03-28", "latest_filing_date": "2026-07-01",
				"source": {"accession_number": "ROSTER-900001-20260701", "filing_type": "ADV/A", "filing_date": "2026-07-01"}}}`,
		},
		{
			Name: "as of an earlier day", Path: "/v1/gps/900001?as_of=2020-06-30",
			Contains: []string{
				`"legal_name":"Harbor Ridge Partners LLC"`, `"city":"Providence"`, `"founded_year":2019,"founded_year_basis":"first_filing"`, `"registered_on":null,"first_seen":"2019-03-28"`, `"phone":"401-555-0100"`, `"total_aum":1000000000`,
				`"source":{"accession_number":"ADV-900001-1001","filing_type":"ADV","filing_date":"2019-03-28"}`,
			},
		},
		{Name: "as of today", Path: "/v1/gps/900001?as_of=2026-11-21", Contains: []string{`"accession_number":"ROSTER-900001-20260701"`}},
		{
			Name: "as of a day before the first filing", Path: "/v1/gps/900001?as_of=2019-03-27", Status: http.StatusNotFound,
			WantJSON: `{"detail": "GP with CRD 900001 is in no filing up to 2019-03-27"}`,
		},
		{Name: "unknown", Path: "/v1/gps/123", Status: http.StatusNotFound, WantJSON: `{"detail": "GP with CRD 123 not found"}`},
		{Name: "what is not filed is null", Path: "/v1/gps/900006", Contains: []string{
			`"total_aum":null`, `"employee_count":null`, `"fund_count":null`, `"city":"Singapore"`, `"country_code":"SG"`, `"founded_year":2021`,
		}},
		{Name: "head", Method: http.MethodHead, Path: "/v1/gps/900001"},
	})
	first := host.Do(t, httpapitest.Scenario{Path: "/v1/gps/900001"})
	host.Do(t, httpapitest.Scenario{
		Path: "/v1/gps/900001", Status: http.StatusNotModified, Header: map[string]string{"If-None-Match": first.Header.Get("ETag")},
	})
}

func TestFunds(t *testing.T) {
	t.Parallel()
	host, _ := newHost(t)
	host.Run(t, []httpapitest.Scenario{
		{Name: "all that are not closed", Path: "/v1/gps/900001/funds", Contains: []string{
			`"fund_id":"805-0000000011"`, `"fund_id":"805-0000000012"`,
			`"meta":{"gp_crd":"900001","gp_name":"Harbor Ridge Capital Partners LLC","total_funds":2,"total_gav":1150000000,"funds_listed":true,"reported_funds":2,"reported_gav":1150000000,"total":2,"limit":25,"offset":0,"page":1,"per_page":25}`,
		}},
		{Name: "closed", Path: "/v1/gps/900001/funds?status=closed", Contains: []string{`"fund_id":"805-0000000010"`, `"total_funds":1`}},
		{Name: "liquidating", Path: "/v1/gps/900004/funds?status=liquidating", Contains: []string{`"fund_id":"805-0000000042"`, `"total_funds":1`}},
		{Name: "active", Path: "/v1/gps/900004/funds?status=active", Contains: []string{`"fund_id":"805-0000000041"`, `"total_funds":1`}},
		{Name: "3c1", Path: "/v1/gps/900001/funds?fund_type=3c1", Contains: []string{`"fund_id":"805-0000000012"`, `"total_gav":300000000`}},
		{Name: "3c7", Path: "/v1/gps/900001/funds?fund_type=3c7", Contains: []string{`"fund_id":"805-0000000011"`, `"total_funds":1`}},
		{Name: "all", Path: "/v1/gps/900001/funds?fund_type=all", Contains: []string{`"total_funds":2`}},
		{Name: "least value", Path: "/v1/gps/900001/funds?min_gav=300000001", NotContains: []string{"805-0000000012"}, Contains: []string{`"total_funds":1`}},
		{Name: "second page", Path: "/v1/gps/900001/funds?per_page=1&page=2", NotContains: []string{"805-0000000011"}, Contains: []string{
			"805-0000000012", `"total_funds":2`, `"page":2`,
		}, WantHeader: map[string]string{"Link": `</v1/gps/900001/funds?page=1&per_page=1>; rel="first", ` +
			`</v1/gps/900001/funds?page=1&per_page=1>; rel="prev", </v1/gps/900001/funds?page=2&per_page=1>; rel="last"`}},
		{Name: "an adviser without funds", Path: "/v1/gps/900005/funds", Contains: []string{`"data":[]`, `"total_funds":0`, `"total_gav":0`}},
		{Name: "unknown", Path: "/v1/gps/123/funds", Status: http.StatusNotFound, WantJSON: `{"detail": "GP with CRD 123 not found"}`},
	})
}

func TestStats(t *testing.T) {
	t.Parallel()
	host, _ := newHost(t)
	host.Run(t, []httpapitest.Scenario{
		{Name: "totals", Path: "/v1/gps/900001/stats", WantJSON: `{"data": {"total_funds": 2, "total_gav": 1150000000, "net_gav": 1150000000,
			"avg_fund_size": 575000000, "oldest_vintage": 2019, "newest_vintage": 2026, "strategies": ["buyout", "growth"],
			"fund_3c1_count": 1, "fund_3c7_count": 1, "funds_listed": true, "reported_funds": 2, "reported_gav": 1150000000}}`},
		{Name: "without funds", Path: "/v1/gps/900005/stats", WantJSON: `{"data": {"total_funds": 0, "total_gav": 0, "net_gav": 0,
			"avg_fund_size": null, "oldest_vintage": null, "newest_vintage": null, "strategies": [], "fund_3c1_count": 0, "fund_3c7_count": 0, "funds_listed": true, "reported_funds": 0, "reported_gav": 0}}`},
		{Name: "a master and its feeder", Path: "/v1/gps/900004/stats", Contains: []string{`"total_gav":550000000,"net_gav":500000000,"avg_fund_size":500000000`}},
		{Name: "unknown", Path: "/v1/gps/123/stats", Status: http.StatusNotFound, WantJSON: `{"detail": "GP with CRD 123 not found"}`},
	})
}

// While the database is away, details say so and lists go on.
func TestWithoutDatabase(t *testing.T) {
	t.Parallel()
	host, c := newHost(t)
	c.DB.Close()
	host.Run(t, []httpapitest.Scenario{
		{Name: "detail", Path: "/v1/gps/900001", Status: http.StatusServiceUnavailable, WantJSON: `{"detail": "The database is unavailable; try again"}`},
		{Name: "search", Path: "/v1/gps?q=harbor", Contains: []string{`"total":2`}},
		{Name: "funds", Path: "/v1/gps/900001/funds", Contains: []string{`"total_funds":2`}},
		{Name: "stats", Path: "/v1/gps/900001/stats", Contains: []string{`"total_funds":2`}},
	})
}

// Before the first snapshot nothing is answered: an empty list would be a wrong one.
func TestBeforeTheIndexIsLoaded(t *testing.T) {
	t.Parallel()
	_, c := newHost(t)
	host := httpapitest.New(t, gp.Routes(gp.NewService(&index.Holder{}, history.NewStore(c.DB), nil, c.Clock))...)
	for _, path := range []string{"/v1/gps", "/v1/gps/900001/funds", "/v1/gps/900001/stats"} {
		host.Do(t, httpapitest.Scenario{Path: path, Status: http.StatusServiceUnavailable, Contains: []string{`"detail":`}})
	}
	host.Do(t, httpapitest.Scenario{Path: "/v1/gps/900001"})
}
