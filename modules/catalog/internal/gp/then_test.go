package gp_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/internal/gp"
	"gpatlas/modules/catalog/internal/history"
	"gpatlas/modules/catalog/internal/past"
	"gpatlas/modules/catalog/internal/testkit/fixture"
	"gpatlas/platform/charge"
	"gpatlas/platform/testkit/httpapitest"
)

func newPastHost(t *testing.T, sold charge.PlansSold) *httpapitest.Host {
	t.Helper()
	c := fixture.New(t)
	before := past.NewBuilder(c.DB, c.Clock, slog.New(slog.DiscardHandler), sold)
	t.Cleanup(func() { require.NoError(t, before.Stop(context.WithoutCancel(t.Context()))) })
	return httpapitest.New(t, gp.Routes(gp.NewService(c.Index, history.NewStore(c.DB), before, c.Clock))...)
}

type manager map[string]any

// V41: a list of a past day has the managers whose details of that day match, and its rows are these details.
func TestListsOfAPastDay(t *testing.T) {
	t.Parallel()
	host := newPastHost(t, false)
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
	host := newPastHost(t, false)
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

// Where plans are sold, a day is not prepared for anonymous callers.
func TestListsOfAPastDayOfAnonymousCallers(t *testing.T) {
	t.Parallel()
	host := newPastHost(t, true)
	host.Do(t, httpapitest.Scenario{Path: "/v1/gps?as_of=2025-06-30", Status: http.StatusUnauthorized})
	host.Do(t, httpapitest.Scenario{Path: "/v1/gps?as_of=2026-11-21"}) // the present needs no index
}
