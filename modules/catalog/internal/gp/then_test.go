package gp_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/gp"
	"gpatlas/modules/catalog/internal/history"
	"gpatlas/modules/catalog/internal/testkit/fixture"
	"gpatlas/platform/charge"
	"gpatlas/platform/testkit/httpapitest"
	"gpatlas/platform/testkit/itertest"
)

func newPastHost(t *testing.T, c *fixture.Catalog, sold charge.PlansSold) *httpapitest.Host {
	t.Helper()
	return httpapitest.New(t, gp.Routes(gp.NewService(c.Index, history.NewStore(c.DB), c.Past(t, sold), c.Clock))...)
}

type manager map[string]any

// V41: a list of a past day has the managers whose details of that day match, and its rows are these details.
func TestListsOfAPastDay(t *testing.T) {
	t.Parallel()
	host := newPastHost(t, fixture.New(t), false)
	number := func(m manager, field string) float64 {
		n, ok := m[field].(float64)
		if !ok {
			return -1
		}
		return n
	}
	filters := map[string]func(m manager) bool{
		"":                                 func(manager) bool { return true },
		"state=MA,NY":                      func(m manager) bool { return m["state"] == "MA" || m["state"] == "NY" },
		"exclude_state=MA":                 func(m manager) bool { return m["state"] != "MA" },
		"country=GB":                       func(m manager) bool { return m["country_code"] == "GB" },
		"registration_status=registered":   func(m manager) bool { return m["registration_status"] == "registered" },
		"manager_type=pe_vc":               func(m manager) bool { return m["manager_type"] == "pe_vc" },
		"strategy=venture,hedge":           func(m manager) bool { return m["primary_strategy"] == "venture" || m["primary_strategy"] == "hedge" },
		"min_aum=100000000":                func(m manager) bool { return number(m, "total_aum") >= 100_000_000 },
		"min_employees=5&sort=employees":   func(m manager) bool { return number(m, "employee_count") >= 5 },
		"has_funds=true&sort=aum":          func(m manager) bool { return number(m, "fund_count") > 0 },
		"max_fund_count=1&sort=fund_count": func(m manager) bool { n := number(m, "fund_count"); return n == 0 || n == 1 },
	}
	found := 0
	for _, day := range []string{"2020-01-01", "2024-12-31", "2025-06-30", "2026-03-31", "2026-06-30"} {
		details := map[string]manager{}
		var all struct{ Data []manager }
		reply := host.Do(t, httpapitest.Scenario{Method: http.MethodPost, Path: "/v1/gps/batch", Body: `{"crds": ["900001", "900002", "900003", "900004",
			"900005", "900006", "900007", "900008"], "as_of": "` + day + `"}`})
		require.NoError(t, json.Unmarshal([]byte(reply.Body), &all))
		for _, m := range all.Data {
			details[m["crd"].(string)] = m //nolint:forcetypeassert // a test
		}
		for query, match := range filters {
			for _, former := range []bool{false, true} {
				path := "/v1/gps?limit=100&include=registration&as_of=" + day + "&" + query
				if former {
					path += "&former=true"
				}
				var body struct {
					Data []manager
					Meta struct {
						Total int
						AsOf  string `json:"as_of"`
					}
				}
				require.NoError(t, json.Unmarshal([]byte(host.Do(t, httpapitest.Scenario{Path: path}).Body), &body))
				require.Equal(t, day, body.Meta.AsOf)
				want := 0
				for _, m := range details {
					if isFormer := m["withdrawn_on"] != nil || m["not_listed_since"] != nil; isFormer == former && match(m) {
						want++
					}
				}
				require.Equal(t, want, body.Meta.Total, path)
				require.Len(t, body.Data, want, path)
				for _, row := range body.Data {
					detail := details[row["crd"].(string)] //nolint:forcetypeassert // a test
					for field, value := range row {
						require.Equal(t, detail[field], value, "%s: %s of %s", path, field, row["crd"])
					}
					found++
				}
			}
		}
	}
	require.Greater(t, found, 60)
}

// Today's list is that without as_of, byte for byte, and what an index of the past does not have is refused by name.
func TestListsOfAPastDayAndThePresent(t *testing.T) {
	t.Parallel()
	host := newPastHost(t, fixture.New(t), false)
	require.Equal(t, host.Do(t, httpapitest.Scenario{Path: "/v1/gps?state=MA"}).Body, host.Do(t, httpapitest.Scenario{Path: "/v1/gps?state=MA&as_of=2026-11-21"}).Body)
	host.Do(t, httpapitest.Scenario{
		Path: "/v1/gps?as_of=2025-06-30&crd=900001,4&sort=as_sent", Contains: []string{`"unknown":["4"]`},
	})
	host.Do(t, httpapitest.Scenario{
		Path: "/v1/gps?as_of=2025-06-30&state=MA&country=GB", Contains: []string{`"total":0`, `"nothing":[{"without":"country","total":`},
	})
	for path, field := range map[string]string{
		"as_of=2026-11-22": "as_of", "as_of=2025-06-30&q=harbor": "q", "known_at=2026-11-01&min_total_gav=1": "min_total_gav",
		"as_of=2025-06-30&sort=total_gav": "sort", "as_of=2025-06-30&facets=state": "facets", "as_of=2025-06-30&auditor_name=calder": "auditor_name",
	} {
		host.Do(t, httpapitest.Scenario{Path: "/v1/gps?" + path, Status: http.StatusBadRequest, Contains: []string{`"` + field + `"`}})
	}
}

// A request that waits for an index of the past counts as ten.
func TestPreparingAPastDayIsHeavy(t *testing.T) {
	t.Parallel()
	host := newPastHost(t, fixture.New(t), false)
	for _, path := range []string{"/v1/gps?as_of=2025-06-30", "/v1/gps?as_of=2025-06-29&limit=1"} {
		host.Do(t, httpapitest.Scenario{Path: path, WantHeader: map[string]string{httpapitest.WeightHeader: "10"}})
		host.Do(t, httpapitest.Scenario{Path: path + "&state=MA", WantHeader: map[string]string{httpapitest.WeightHeader: ""}})
	}
	host.Do(t, httpapitest.Scenario{Path: "/v1/gps?as_of=2026-11-21", WantHeader: map[string]string{httpapitest.WeightHeader: ""}})
}

// Where plans are sold, a day is not prepared for anonymous callers.
func TestListsOfAPastDayOfAnonymousCallers(t *testing.T) {
	t.Parallel()
	host := newPastHost(t, fixture.New(t), true)
	host.Do(t, httpapitest.Scenario{Path: "/v1/gps?as_of=2025-06-30", Status: http.StatusUnauthorized})
	host.Do(t, httpapitest.Scenario{Path: "/v1/gps?as_of=2026-11-21"}) // the present needs no index
}

// Form D notices of thousands of funds were read for each page. The index of a day has their newest days and vintages, as long as no load changed
// the catalog since it was built.
func TestRowsOfAPastDayReadNoNotices(t *testing.T) {
	t.Parallel()
	c := fixture.New(t)
	host := newPastHost(t, c, false)
	notices := func(from, to int, issuer string, filed, sold time.Time) {
		var offerings []*catalogapi.OfferingRow
		var issuers []*catalogapi.IssuerRow
		for n := from; n < to; n++ {
			accession := fmt.Sprintf("0009999999-26-%06d", n)
			offerings = append(offerings, &catalogapi.OfferingRow{
				Accession: accession, FileNumber: fmt.Sprintf("021-80%04d", n), Form: "D", Filed: filed.AddDate(0, 0, from-n), FirstSale: sold, FundType: "Hedge Fund", File: "o", Line: 2,
			})
			issuers = append(issuers, &catalogapi.IssuerRow{Accession: accession, Seq: 1, Name: issuer, File: "i", Line: 2})
		}
		c.Add(t, catalogapi.Document{Name: fmt.Sprint(issuer, from), Source: catalogapi.SourceFormD, Offerings: itertest.Rows(offerings...), Issuers: itertest.Rows(issuers...)})
	}
	notice := func(n int, filed, sold time.Time) { notices(n, n+1, "Harbor Ridge Growth Fund III, L.P.", filed, sold) }
	list := func() (rows string, first manager) {
		var body struct{ Data []manager }
		rows = host.Do(t, httpapitest.Scenario{Path: "/v1/gps?as_of=2026-06-30&sort=fund_count&order=desc&include=registration"}).Body
		require.NoError(t, json.Unmarshal([]byte(rows), &body))
		return rows, body.Data[0]
	}
	rename := func(from, to string) {
		require.NoError(t, c.DB.From(t.Context()).Exec("ALTER TABLE catalog."+from+" RENAME TO "+to).Error)
	}
	like := func(row manager, filed string, founded int) {
		var detail struct{ Data manager }
		require.NoError(t, json.Unmarshal([]byte(host.Do(t, httpapitest.Scenario{Path: "/v1/gps/900001?as_of=2026-06-30"}).Body), &detail))
		require.Equal(t, []any{filed, float64(founded)}, []any{row["latest_filing_date"], row["founded_year"]})
		for field, value := range row {
			require.Equal(t, detail.Data[field], value, field)
		}
	}
	day := func(text string) time.Time {
		on, err := time.Parse(time.DateOnly, text)
		require.NoError(t, err)
		return on
	}
	notice(1, day("2026-05-04"), day("2005-03-01"))
	_, row := list()
	like(row, "2026-05-04", 2005)
	notices(1000, 1300, "Harbor Ridge Growth Fund III, L.P.", day("2026-05-05"), day("2015-03-01"))
	notice(1301, day("2026-07-01"), day("2001-03-01")) // later than the day
	_, row = list()
	like(row, "2026-05-05", 2005)
	notices(1400, 1500, "Harbor Ridge Buyout Fund I, L.P.", day("2026-05-06"), day("2004-03-01")) // it is closed
	rows, row := list()
	like(row, "2026-05-06", 2004)
	rename("offerings", "hidden")
	again, _ := list()
	require.Equal(t, rows, again)
	rename("hidden", "offerings")

	lagging, err := c.Index.Snapshot()
	require.NoError(t, err)
	notice(2, day("2026-06-08"), day("2003-03-01"))
	c.Index.Swap(lagging)
	_, row = list()
	like(row, "2026-06-08", 2003)
}
