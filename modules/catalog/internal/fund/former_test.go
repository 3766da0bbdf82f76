package fund_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/testkit/httpapitest"
)

// With former=true, the funds are those of the managers that have left, and no others.
func TestSearchFundsOfFormerManagers(t *testing.T) {
	t.Parallel()
	host, c := newHost(t)
	c.Withdraw(t, "900004", "2026-07-02")
	for query, want := range map[string]string{
		"":                                   "11 12 71 21 31",
		"former=false":                       "11 12 71 21 31",
		"former=true":                        "41 42",
		"former=true&order=desc":             "42 41",
		"former=true&sort=gav":               "42 41",
		"former=true&q=master":               "41",
		"former=true&q=harbor":               "",
		"q=quarry":                           "",
		"former=true&is_feeder=true":         "42",
		"former=true&gp_crd=900004":          "41 42",
		"gp_crd=900004":                      "",
		"former=true&gp_crd=900001":          "",
		"former=true&gp_id=900004":           "41 42",
		"former=true&status=liquidating":     "42",
		"former=true&status=closed":          "",
		"former=true&limit=1&offset=1":       "42",
		"former=true&jurisdiction=New+York":  "42",
		"former=true&jurisdiction=KY":        "41",
		"former=true&min_gav=50000001":       "41",
		"former=true&page=2&per_page=1":      "42",
		"former=true&strategy=hedge&q=point": "41 42",
	} {
		t.Run(query, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, want, funds(t, host.Do(t, httpapitest.Scenario{Path: "/v1/funds?" + query}).Body))
		})
	}
	host.Run(t, []httpapitest.Scenario{
		{
			Name: "answer", Path: "/v1/funds?former=true&limit=1", Contains: []string{
				`"adviser_crd":"900004","adviser_name":"Quarry Point Management LP"`, `"total":2,`, `"filters_applied":{"former":true}`,
			},
			WantHeader: map[string]string{"Link": `</v1/funds?former=true&limit=1&offset=0>; rel="first", ` +
				`</v1/funds?former=true&limit=1&offset=1>; rel="next", </v1/funds?former=true&limit=1&offset=1>; rel="last"`},
		},
		{Name: "current", Path: "/v1/funds?former=false", Contains: []string{`"total":5,`, `"filters_applied":{}`}},
	})
}
