package gp_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/filing"
	"gpatlas/modules/catalog/internal/gp"
	"gpatlas/modules/catalog/internal/history"
	"gpatlas/modules/catalog/internal/search"
	"gpatlas/modules/catalog/internal/testkit/fixture"
	"gpatlas/platform/testkit/httpapitest"
	"gpatlas/platform/testkit/itertest"
)

// The advisers of this test: of whom nothing says how many funds they have, of whom a roster counts 12 without listing one,
// whose list of funds was loaded and is empty, and who states in a roster that it has none, with no assets.
const (
	silent, counted, empty, none = "900101", "900102", "900103", "900104"
)

var surname = map[string]string{silent: "cobalt", counted: "indigo", empty: "umber", none: "violet"}

func unlisted(crd string, set func(f *catalogapi.AdviserFiling)) *catalogapi.AdviserFiling {
	f := &catalogapi.AdviserFiling{
		Key: "u" + crd, CRD: crd, Submitted: time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC),
		Statement: catalogapi.Statement{
			LegalName: "Zinnia " + surname[crd] + " LLC", SECNumber: catalogapi.Text("802-" + crd), City: new("Austin"), State: new("TX"),
			Country: new("United States"),
		},
		Basis: catalogapi.Basis{Registration: new(string(catalogapi.ExemptReporting))},
		File:  "roster", Line: 2,
	}
	set(f)
	return f
}

// newUnknownHost hosts every operation of the catalog on an adviser, over the fixture and the four advisers.
func newUnknownHost(t *testing.T) *httpapitest.Host {
	t.Helper()
	c := fixture.New(t)
	c.Add(t, catalogapi.Document{Name: "roster-2026-07.xlsx", Source: catalogapi.SourceRoster, Filings: itertest.Rows(
		unlisted(silent, func(*catalogapi.AdviserFiling) {}),
		unlisted(counted, func(f *catalogapi.AdviserFiling) {
			f.ReportedFundCount, f.ReportedFundGAV, f.Line = new(int64(12)), new(int64(4_200_000_000)), 3
		}),
		unlisted(none, func(f *catalogapi.AdviserFiling) {
			f.AdvisesFunds, f.ReportedFundCount, f.ReportedFundGAV, f.Line = new(true), new(int64(0)), new(int64(0)), 4
		}),
	)})
	c.Add(t, catalogapi.Document{Name: "ADV_Filing_Data_20260701_20260731.zip", Source: catalogapi.SourceADVArchive, Filings: itertest.Rows(
		unlisted(empty, func(f *catalogapi.AdviserFiling) { f.FilingID, f.FundsListed = "5001", true }),
	)})
	routes := gp.Routes(gp.NewService(c.Index, history.NewStore(c.DB), nil, c.Clock))
	routes = append(routes, filing.Routes(filing.NewService(c.DB, c.Index, c.Clock))...)
	return httpapitest.New(t, append(routes, search.Routes(search.NewService(c.Index))...)...)
}

// figures lists the numbers and booleans of an answer, and its nulls, by their paths.
func figures(t *testing.T, body string) map[string]any {
	t.Helper()
	var answer any
	require.NoError(t, json.Unmarshal([]byte(body), &answer))
	found := map[string]any{}
	var walk func(path string, v any)
	walk = func(path string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for name, inner := range v {
				walk(path+"."+name, inner)
			}
		case []any:
			for _, inner := range v {
				walk(path+"[]", inner)
			}
		case float64, bool, nil:
			found[strings.TrimPrefix(path, ".")] = v
		}
	}
	walk("", answer)
	return found
}

// inData puts a field's path below data, unless it is of the meta.
func inData(name string) string {
	switch {
	case strings.HasPrefix(name, "meta."):
		return name
	case strings.HasPrefix(name, "["), strings.HasPrefix(name, "."):
		return "data" + name
	}
	return "data." + name
}

// What every answer says in numbers and booleans of an adviser without a list of funds, and of one that has none: that of one
// who states so and of one whose list is empty is the same. Sums over no funds are 0. What an exempt reporting adviser manages
// is told by its funds alone, so it is unknown then.
// Figures that do not depend on funds are left out by name: a field that is added must be put into one list or the other.
func TestUnknownIsNull(t *testing.T) {
	t.Parallel()
	host := newUnknownHost(t)
	beside := map[string]bool{ // figures that do not speak of funds
		"meta.total": true, "meta.limit": true, "meta.offset": true, "meta.page": true, "meta.per_page": true,
		"meta.gp_count": true, "meta.gp_total": true, "meta.fund_total": true, "meta.fund_count": true, "meta.count": true,
		"data.canonical_gp_id": true, "data[].canonical_gp_id": true, "data.gps[].canonical_id": true, "data.founded_year": true,
		"data[].filing_id": true, "data[].funds_listed": true, "data.advises_funds": true,
	}
	for path, want := range map[string]map[string][3]any{ // silent, counted, empty and none
		"/v1/gps/{crd}": {
			"fund_count": {nil, 12.0, 0.0}, "total_gav": {nil, 4.2e9, 0.0}, "net_gav": {nil, nil, 0.0}, "total_investors": {nil, nil, 0.0}, "total_aum": {nil, 4.2e9, nil},
			"raum_discretionary": {}, "raum_non_discretionary": {}, "employee_count": {}, "private_residence": {},
		},
		"/v1/gps/{crd}/stats": {
			"total_funds": {nil, nil, 0.0}, "total_gav": {nil, nil, 0.0}, "net_gav": {nil, nil, 0.0}, "avg_fund_size": {}, "oldest_vintage": {}, "newest_vintage": {},
			"fund_3c1_count": {nil, nil, 0.0}, "fund_3c7_count": {nil, nil, 0.0}, "funds_listed": {false, false, true},
			"reported_funds": {nil, 12.0, 0.0}, "reported_gav": {nil, 4.2e9, 0.0},
		},
		"/v1/gps/{crd}/funds": {
			"meta.total_funds": {nil, nil, 0.0}, "meta.total_gav": {nil, nil, 0.0}, "meta.funds_listed": {false, false, true},
			"meta.reported_funds": {nil, 12.0, 0.0}, "meta.reported_gav": {nil, 4.2e9, 0.0},
		},
		"/v1/gps/{crd}/funds?status=active&fund_type=3c1&min_gav=1": {
			"meta.total_funds": {nil, nil, 0.0}, "meta.total_gav": {nil, nil, 0.0}, "meta.funds_listed": {false, false, true},
			"meta.reported_funds": {nil, 12.0, 0.0}, "meta.reported_gav": {nil, 4.2e9, 0.0},
		},
		"/v1/gps/{crd}/filings": {},
		"/v1/gps?q=zinnia+{name}": {
			"[].total_aum": {nil, 4.2e9, nil}, "[].employee_count": {}, "[].fund_count": {nil, 12.0, 0.0},
		},
		"/v1/search?q=zinnia+{name}":              {".gps[].aum": {nil, 4.2e9, nil}},
		"/v1/search/autocomplete?q=zinnia+{name}": {},
	} {
		for i, crd := range []string{silent, counted, empty, none} {
			body := host.Do(t, httpapitest.Scenario{Path: strings.NewReplacer("{crd}", crd, "{name}", surname[crd]).Replace(path)}).Body
			if !strings.Contains(path, "/stats") {
				require.Contains(t, body, crd, path)
			}
			said := figures(t, body)
			for name, values := range want {
				name = inData(name)
				require.Contains(t, said, name, "%s of %s", path, crd)
				require.Equal(t, values[min(i, 2)], said[name], "%s: %s of %s", path, name, crd)
				delete(said, name)
			}
			for name, value := range said {
				require.True(t, value == nil || beside[name], "%s: %s of %s is %v; is it known?", path, name, crd, value)
			}
		}
	}
	require.Contains(t, host.Do(t, httpapitest.Scenario{Path: "/v1/gps/" + counted + "/stats"}).Body, `"strategies":null`)
	for _, crd := range []string{empty, none} {
		require.Contains(t, host.Do(t, httpapitest.Scenario{Path: "/v1/gps/" + crd + "/stats"}).Body, `"strategies":[]`)
	}
	traced := host.Do(t, httpapitest.Scenario{Path: "/v1/gps/" + none + "?include=provenance&as_of=2026-07-01"}).Body
	require.Equal(t, 2, strings.Count(traced, `"total_gav":`), "with its source")
	require.Equal(t, 1, strings.Count(traced, `"total_aum":`), "nobody says it")
}

// A filter on what is unknown lets nothing through, and unknown values come last in both directions.
func TestFiltersOnUnknownsMatchNothing(t *testing.T) {
	t.Parallel()
	host := newUnknownHost(t)
	for query, want := range map[string]string{
		"": "900101 900102 900103 900104", "has_funds=true": "900102", "has_funds=false": "900103 900104", "has_auditor=true": "", "has_auditor=false": "",
		"min_fund_count=0": "900102 900103 900104", "max_fund_count=0": "900103 900104", "min_aum=0": "900102", "max_aum=99999999999": "900102",
		"min_investors=0": "900103 900104", "max_investors=5": "900103 900104", "min_employees=0": "", "max_employees=9": "", "fund_type=3c1": "",
		"exemption_type=506b": "", "vintage_min=1900": "", "fund_size_min=0": "", "launched_within_months=1200": "",
		"sort=fund_count": "900103 900104 900102 900101", "sort=fund_count&order=desc": "900102 900103 900104 900101",
		"sort=aum": "900102 900101 900103 900104", "sort=aum&order=desc": "900102 900101 900103 900104",
	} {
		path := "/v1/gps?q=zinnia"
		if query == "" || !strings.HasPrefix(query, "sort=") {
			path += "&sort=name"
		}
		if query != "" {
			path += "&" + query
		}
		require.Equal(t, want, crds(t, host.Do(t, httpapitest.Scenario{Path: path}).Body), query)
	}
}
