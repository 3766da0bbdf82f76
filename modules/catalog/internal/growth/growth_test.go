package growth_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/gp"
	"gpatlas/modules/catalog/internal/growth"
	"gpatlas/modules/catalog/internal/history"
	"gpatlas/modules/catalog/internal/testkit/fixture"
	"gpatlas/platform/testkit/httpapitest"
	"gpatlas/platform/testkit/itertest"
)

func newHost(t *testing.T) (*httpapitest.Host, *fixture.Catalog) {
	t.Helper()
	c := fixture.New(t)
	routes := append(growth.Routes(growth.NewService(c.Index, c.DB, c.Clock)), gp.Routes(gp.NewService(c.Index, history.NewStore(c.DB), nil, c.Clock))...)
	return httpapitest.New(t, routes...), c
}

// file loads a filing of a registered manager with assets.
func file(t *testing.T, c *fixture.Catalog, id, crd, on string, assets int64) {
	t.Helper()
	day, err := time.Parse(time.DateOnly, on)
	require.NoError(t, err)
	c.Add(t, catalogapi.Document{Name: "ADV_Filing_Data_" + id + ".zip", Source: catalogapi.SourceADVArchive, Filings: itertest.Rows(&catalogapi.AdviserFiling{
		Key: id, FilingID: id, CRD: crd, Submitted: day, Statement: catalogapi.Statement{LegalName: "Firm " + crd, RAUM: &assets},
		Basis: catalogapi.Basis{Registration: new(string(catalogapi.Registered))}, File: "base.csv", Line: 2,
	})})
}

// V12, V14: growth is the same whether the filing before is loaded first or last, and follows a filing that is restated, in the
// same publication.
func TestGrowthFollowsTheFilings(t *testing.T) {
	t.Parallel()
	host, c := newHost(t)
	shown := func(crd string) string {
		return host.Do(t, httpapitest.Scenario{Path: "/v1/search/growth?crd=" + crd}).Body
	}
	const row = `"growth":{"percent_a_year":%v,"change":%d,"from":"2025-07-01","to":"2026-07-01","aum_before":%d,"reason":null}`
	require.Contains(t, shown("900001"), `"percent_a_year":null,"change":null,"from":null,"to":null,"aum_before":null,"reason":"no_filing"`)
	file(t, c, "1501", "900001", "2025-07-01", 2_000_000_000) // after the newest, of 2,500,000,000
	require.Contains(t, shown("900001"), fmt.Sprintf(row, 25, 500_000_000, 2_000_000_000))
	file(t, c, "1501", "900001", "2025-07-01", 1_904_761_905)
	require.Contains(t, shown("900001"), fmt.Sprintf(row, 31.25, 595_238_095, 1_904_761_905))
	file(t, c, "1502", "900091", "2025-07-01", 100_000_000) // before the newest
	file(t, c, "1503", "900091", "2026-07-01", 105_000_000)
	require.Contains(t, shown("900091"), fmt.Sprintf(row, 5, 5_000_000, 100_000_000))
	file(t, c, "1504", "900092", "2025-07-01", 100_000_000)
	file(t, c, "1505", "900092", "2026-07-01", 99_000_000)

	order := func(query, crds string, more ...string) {
		host.Do(t, httpapitest.Scenario{Path: "/v1/search/growth?crd=900001,900091,900092,900003&" + query, Contains: append(more, crds)})
	}
	body := host.Do(t, httpapitest.Scenario{Path: "/v1/search/growth?crd=900001,900091,900092,900003"}).Body
	require.Regexp(t, `900001.*900091.*900092.*900003.*"known":3,"reasons":\{"no_filing":1\}`, body)
	require.Regexp(t, `900092.*900091.*900001.*900003`, host.Do(t, httpapitest.Scenario{Path: "/v1/search/growth?crd=900001,900091,900092,900003&sort=change&order=asc"}).Body)
	order("min_aum_before=150000000", `"total":1`, `"known":1,"reasons":{}`)
	order("min_aum_growth_1y=5&max_aum_growth_1y=31.25", `"total":2`, `"min_aum_growth_1y":5`)
	order("min_aum_growth_1y=5.01", `"total":1`)
	order("max_aum_growth_1y=0", `"total":1`)
	order("horizon=5y", `"known":0`)

	// The same filters and orders in the search that shows no values.
	search := func(query string, total string) {
		host.Do(t, httpapitest.Scenario{Path: "/v1/gps?crd=900001,900091,900092,900003&" + query, Contains: []string{total}})
	}
	search("min_aum_growth_1y=5", `"total":2`)
	search("sort=aum_growth_1y&order=desc&min_aum_before=150000000", `"total":1`)
	require.Regexp(t, `900001.*900091.*900092.*900003`, host.Do(t, httpapitest.Scenario{Path: "/v1/gps?crd=900001,900091,900092,900003&sort=aum_growth_1y&order=desc"}).Body)
}

func TestBadInput(t *testing.T) {
	t.Parallel()
	host, _ := newHost(t)
	for path, field := range map[string]string{
		"/v1/search/growth?horizon=4y": "horizon", "/v1/search/growth?sort=aum": "sort", "/v1/search/growth?min_aum_growth_1y=-101": "min_aum_growth_1y",
		"/v1/search/growth?min_aum_growth_1y=2&max_aum_growth_1y=1":               "min_aum_growth_1y",
		"/v1/gps?min_aum_before=1":                                                "min_aum_before",
		"/v1/gps?min_aum_before=1&min_aum_growth_1y=2&max_aum_growth_5y=3":        "min_aum_before",
		"/v1/gps?min_aum_before=1&min_aum_growth_1y=2&sort=aum_growth_3y&limit=1": "min_aum_before",
	} {
		host.Do(t, httpapitest.Scenario{Path: path, Status: http.StatusBadRequest, Contains: []string{`"` + field + `"`}})
	}
}
