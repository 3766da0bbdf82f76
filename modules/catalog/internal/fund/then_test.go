package fund_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/internal/fund"
	"gpatlas/modules/catalog/internal/history"
	"gpatlas/modules/catalog/internal/testkit/fixture"
	"gpatlas/platform/charge"
	"gpatlas/platform/testkit/httpapitest"
)

func newPastHost(t *testing.T, sold charge.PlansSold) (*httpapitest.Host, *fixture.Catalog) {
	t.Helper()
	c := fixture.New(t)
	return httpapitest.New(t, fund.Routes(fund.NewService(c.Index, history.NewStore(c.DB), c.Past(t, sold), c.Clock))...), c
}

// record is a fund in an answer.
type record map[string]any

func (r record) number(field string) float64 {
	n, ok := r[field].(float64)
	if !ok {
		return -1
	}
	return n
}

// V41: a list of a past day has the funds whose details of that day match, and its rows are these details. Of a fund that no filing had named by
// then it knows nothing.
func TestListsOfAPastDay(t *testing.T) {
	t.Parallel()
	host, c := newPastHost(t, false)
	c.Withdraw(t, "900004", "2026-04-02") // the manager of 41 and 42
	filters := map[string]func(f record) bool{
		"":                                    func(record) bool { return true },
		"sort=vintage_year":                   func(record) bool { return true },
		"strategy=hedge,buyout":               func(f record) bool { return f["strategy"] == "hedge" || f["strategy"] == "buyout" },
		"exclude_strategy=buyout":             func(f record) bool { return f["strategy"] != "buyout" },
		"gp_crd=900001":                       func(f record) bool { return f["adviser_crd"] == "900001" },
		"min_gav=100000000&sort=gav":          func(f record) bool { return f.number("gross_asset_value") >= 100_000_000 },
		"max_gav=100000000":                   func(f record) bool { n := f.number("gross_asset_value"); return n >= 0 && n <= 100_000_000 },
		"min_vintage=2020&max_vintage=2024":   func(f record) bool { n := f.number("vintage_year"); return n >= 2020 && n <= 2024 },
		"vintage_year=2025":                   func(f record) bool { return f.number("vintage_year") == 2025 },
		"vintage_quality=first_filing,form_d": func(f record) bool { return f["vintage_quality"] != "list" },
		"jurisdiction=Delaware":               func(f record) bool { return f["jurisdiction"] == "Delaware" },
		"jurisdiction=KY":                     func(f record) bool { return f["country_code"] == "KY" },
		"fund_id=805-0000000021,805-0000000011,805-0000000041&sort=as_sent": func(f record) bool {
			return slices.Contains([]any{"805-0000000021", "805-0000000011", "805-0000000041"}, f["fund_id"])
		},
	}
	found, before, missing := 0, 0, 0
	for _, day := range []string{"2020-01-01", "2024-12-31", "2025-06-30", "2026-03-31", "2026-06-30"} {
		details := map[string]record{}
		for _, n := range []int{10, 11, 12, 71, 21, 41, 42, 31} {
			var answer struct{ Data record }
			id := fmt.Sprintf("805-%010d", n)
			reply := host.Ask(t, httpapitest.Scenario{Path: "/v1/funds/" + id + "?as_of=" + day})
			if reply.Status == http.StatusNotFound {
				missing++
				continue
			}
			require.NoError(t, json.Unmarshal([]byte(reply.Body), &answer))
			details[id] = answer.Data
		}
		for query, match := range filters {
			for _, former := range []bool{false, true} {
				path := "/v1/funds?limit=100&as_of=" + day + "&" + query
				if former {
					path += "&former=true"
				}
				var body struct {
					Data []record
					Meta struct {
						Total int
						AsOf  string `json:"as_of"`
					}
				}
				require.NoError(t, json.Unmarshal([]byte(host.Do(t, httpapitest.Scenario{Path: path}).Body), &body))
				require.Equal(t, day, body.Meta.AsOf)
				want := 0
				for _, f := range details {
					left := f["adviser_crd"] == "900004" && day >= "2026-04-02"
					if f["status"] != "closed" && left == former && match(f) {
						want++
					}
				}
				require.Equal(t, want, body.Meta.Total, path)
				require.Len(t, body.Data, want, path)
				for i, row := range body.Data {
					detail := details[row["fund_id"].(string)] //nolint:forcetypeassert // a test
					require.NotNil(t, detail, "%s was not known", row["fund_id"])
					for field, value := range row {
						require.Equal(t, detail[field], value, "%s: %s of %s", path, field, row["fund_id"])
					}
					if i > 0 && !strings.Contains(query, "sort") {
						require.GreaterOrEqual(t, body.Data[i-1].number("gross_asset_value"), row.number("gross_asset_value"), "the largest first")
					}
					found++
					if former {
						before++
					}
				}
			}
		}
	}
	require.Greater(t, found, 60)
	require.Greater(t, before, 4)
	require.Greater(t, missing, 8)
}

// Today's list is that without as_of, byte for byte, and what an index of the past does not have is refused by name.
func TestListsOfAPastDayAndThePresent(t *testing.T) {
	t.Parallel()
	host, c := newPastHost(t, false)
	require.Equal(t, host.Do(t, httpapitest.Scenario{Path: "/v1/funds?strategy=PE"}).Body, host.Do(t, httpapitest.Scenario{Path: "/v1/funds?strategy=PE&as_of=2026-11-21"}).Body)
	c.Withdraw(t, "900004", "2026-04-02")
	const three = "fund_id=805-0000000041,805-0000000010,805-0000000099,805-0000000021&sort=as_sent"
	host.Run(t, []httpapitest.Scenario{
		{Name: "missing", Path: "/v1/funds?as_of=2026-06-30&" + three, Contains: []string{`"unknown":["805-0000000099"]`, `"former":["805-0000000041"]`, `"closed":["805-0000000010"]`}},
		{Name: "among former ones", Path: "/v1/funds?as_of=2026-06-30&former=true&" + three, Contains: []string{`"total":1,`, `"current":["805-0000000010","805-0000000021"]`}},
		{Name: "nothing", Path: "/v1/funds?as_of=2026-06-30&strategy=PE&jurisdiction=DE", Contains: []string{`"total":0`, `"nothing":[{"without":"jurisdiction","total":`}},
		{Name: "before all", Path: "/v1/funds?as_of=2001-01-01", Contains: []string{`"data":[]`, `"total":0`}},
		{Name: "a page", Path: "/v1/funds?as_of=2026-06-30&limit=1&offset=1", Contains: []string{`"limit":1`}, WantHeader: map[string]string{
			"Link": `</v1/funds?as_of=2026-06-30&limit=1&offset=0>; rel="first", </v1/funds?as_of=2026-06-30&limit=1&offset=0>; rel="prev", ` +
				`</v1/funds?as_of=2026-06-30&limit=1&offset=2>; rel="next", </v1/funds?as_of=2026-06-30&limit=1&offset=4>; rel="last"`,
		}},
	})
	for path, field := range map[string]string{
		"as_of=2026-11-22": "as_of", "as_of=2025-06-30&q=harbor": "q", "known_at=2026-11-01&min_investors=1": "min_investors",
		"as_of=2025-06-30&sort=name": "sort", "as_of=2025-06-30&facets=strategy": "facets", "as_of=2025-06-30&status=closed": "status",
		"as_of=2025-06-30&gp_id=900001": "gp_id", "as_of=2025-06-30&is_3c1=true": "is_3c1",
	} {
		host.Do(t, httpapitest.Scenario{Path: "/v1/funds?" + path, Status: http.StatusBadRequest, Contains: []string{`"` + field + `"`}})
	}
}

// Where plans are sold, a day is not prepared for anonymous callers.
func TestListsOfAPastDayOfAnonymousCallers(t *testing.T) {
	t.Parallel()
	host, _ := newPastHost(t, true)
	host.Do(t, httpapitest.Scenario{Path: "/v1/funds?as_of=2025-06-30", Status: http.StatusUnauthorized})
	host.Do(t, httpapitest.Scenario{Path: "/v1/funds?as_of=2026-11-21"}) // the present needs no index
}

// Counting facets over all funds takes as long as several searches.
func TestFacetsAreHeavy(t *testing.T) {
	t.Parallel()
	host, _ := newPastHost(t, false)
	for query, weight := range map[string]string{"": "", "?strategy=buyout": "", "?facets=strategy": "2", "?facets=strategy,status&limit=0": "2"} {
		host.Do(t, httpapitest.Scenario{Path: "/v1/funds" + query, WantHeader: map[string]string{httpapitest.WeightHeader: weight}})
	}
}
