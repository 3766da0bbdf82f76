package gp_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/gp"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/listing"
	"gpatlas/modules/catalog/internal/testkit/fixture"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/testkit/httpapitest"
)

// former makes three of the fixture's advisers former ones: 2 Kestrel has withdrawn, 3 Thistle and 7
// Harbor … Advisors are not listed any more.
func former(t *testing.T) (*httpapitest.Host, *fixture.Catalog) {
	t.Helper()
	host, c := newHost(t)
	c.Withdraw(t, "900002", "2026-07-02")
	c.List(t, "2026-07-01", "900001", "900003", "900007")
	c.List(t, "2026-08-01", "900001")
	return host, c
}

// With former=true, the same filters, orders and pages are those of the managers that other searches leave out.
func TestSearchFormer(t *testing.T) {
	t.Parallel()
	host, _ := former(t)
	for query, want := range map[string]string{
		"":                                        "6 8 1 4 5",
		"former=false":                            "6 8 1 4 5",
		"former=true":                             "7 2 3",
		"former=true&order=desc":                  "3 2 7",
		"former=true&sort=aum&order=desc":         "3 2 7",
		"former=true&sort=employees":              "7 3 2",
		"former=true&q=kestrel":                   "2",
		"former=false&q=kestrel":                  "",
		"q=kestrel":                               "",
		"former=true&q=harbor":                    "7",
		"q=harbor":                                "1",
		"former=true&strategy=venture":            "2",
		"former=true&min_aum=80000001":            "3",
		"former=true&country=GB":                  "3",
		"former=true&vintage_min=2026":            "7 2 3",
		"former=true&auditor_name=calder":         "3",
		"former=true&state=NY":                    "",
		"former=true&limit=2":                     "7 2",
		"former=true&limit=2&offset=2":            "3",
		"former=true&page=2&per_page=2":           "3",
		"former=true&has_funds=false":             "",
		"former=true&exemption_type=506c":         "2",
		"former=true&aum_band=%3E10B":             "3",
		"former=true&min_employees=48":            "3",
		"former=true&city=San+Francisco":          "2",
		"former=true&registered_after=1990-01-01": "",
	} {
		t.Run(query, func(t *testing.T) {
			t.Parallel()
			got := host.Do(t, httpapitest.Scenario{Path: "/v1/gps?" + query})
			require.Equal(t, want, crds(t, got.Body))
			fixture.RequireEncoding[httpapi.DataMeta[[]index.GPItem, listing.SearchMeta]](t, got.Body)
		})
	}
}

// The answer says that it is of former managers, and of each since when.
func TestFormerAnswer(t *testing.T) {
	t.Parallel()
	host, _ := former(t)
	host.Run(t, []httpapitest.Scenario{
		{
			Name: "withdrawn", Path: "/v1/gps?former=true&limit=2", Contains: []string{
				`"latest_filing_date":"2026-03-29","not_listed_since":"2026-08-01"}`, `"latest_filing_date":"2026-07-02","withdrawn_on":"2026-07-02"}`,
				`"total":3,`, `"filters_applied":{"former":true}`,
			},
			WantHeader: map[string]string{"Link": `</v1/gps?former=true&limit=2&offset=0>; rel="first", ` +
				`</v1/gps?former=true&limit=2&offset=2>; rel="next", </v1/gps?former=true&limit=2&offset=2>; rel="last"`},
		},
		{
			Name: "not listed", Path: "/v1/gps?q=thistle&former=true",
			Contains:    []string{`"not_listed_since":"2026-08-01"}`, `"filters_applied":{"former":true,"q":"thistle"}`, `"total":1,`},
			NotContains: []string{"withdrawn_on"},
		},
		{Name: "current", Path: "/v1/gps?former=false", Contains: []string{`"filters_applied":{}`, `"total":5,`}, NotContains: []string{"withdrawn_on", "not_listed_since"}},
		{Name: "neither", Path: "/v1/gps?former=maybe", Status: http.StatusBadRequest, Contains: []string{"must be true or false"}},
	})
	whole := host.Do(t, httpapitest.Scenario{Path: "/v1/gps?former=true"})
	again := host.Do(t, httpapitest.Scenario{
		Path: "/v1/gps?former=true", Header: map[string]string{"If-None-Match": whole.Header.Get("ETag")}, Status: http.StatusNotModified,
	})
	require.Empty(t, again.Body)
	host.Do(t, httpapitest.Scenario{Path: "/v1/gps", Header: map[string]string{"If-None-Match": whole.Header.Get("ETag")}})
}

// A search that was saved finds them as the operation does.
func TestSavedSearchOfFormer(t *testing.T) {
	t.Parallel()
	_, c := former(t)
	searcher := gp.NewSearcher(c.Index, c.Clock)
	for filters, want := range map[string]int{`{"former":true}`: 3, `{"former":true,"q":"kestrel"}`: 1, `{"former":false}`: 5, `{"q":"kestrel"}`: 0} {
		var kept map[string]any
		require.NoError(t, json.Unmarshal([]byte(filters), &kept))
		require.NoError(t, searcher.CheckGPFilters(kept))
		found, err := searcher.SearchGPs(t.Context(), kept, 10, 0)
		require.NoError(t, err)
		require.Equal(t, want, found.Total, filters)
		require.Len(t, found.Rows, want, filters)
		require.Equal(t, kept["former"] == true, found.FiltersApplied["former"] == true, filters)
		for _, row := range found.Rows {
			require.Equal(t, kept["former"] == true, gone(t, row), filters)
		}
	}
}

func gone(t *testing.T, row json.RawMessage) bool {
	t.Helper()
	var item index.GPItem
	require.NoError(t, json.Unmarshal(row, &item))
	return item.WithdrawnOn != nil || item.NotListedSince != nil
}

// A place that only a former manager files is a place in every search, so that a filter does not become a fault when the
// last manager there withdraws.
func TestPlacesOfFormer(t *testing.T) {
	t.Parallel()
	host, c := newHost(t)
	c.Add(t, catalogapi.Document{
		Name: "r", Source: catalogapi.SourceRoster, Filings: func(yield func(*catalogapi.AdviserFiling, error) bool) {
			yield(&catalogapi.AdviserFiling{
				Key: "900009", CRD: "900009",
				Statement: catalogapi.Statement{
					LegalName: "Fenwick Hollow Ltd", City: new("Strelsau"), Country: new("Ruritania"), OrgState: new("Zenda"),
				},
				Submitted: onDay("2020-01-05"), File: "r", Line: 2,
			}, nil)
		},
	})
	c.Withdraw(t, "900009", "2026-07-02")
	for query, want := range map[string]string{
		"country=Ruritania&former=true": "9", "country=Ruritania": "",
		"state_of_incorporation=Zenda&former=true": "9", "state_of_incorporation=Zenda": "",
	} {
		require.Equal(t, want, crds(t, host.Do(t, httpapitest.Scenario{Path: "/v1/gps?" + query}).Body), query)
	}
}
