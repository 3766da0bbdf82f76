package gp_test

import (
	"net/http"
	"strings"
	"testing"

	"gpatlas/platform/testkit/httpapitest"
)

func TestBadInput(t *testing.T) {
	t.Parallel()
	host, _ := newHost(t)
	const paging = "must be a whole number from 1 to 100"
	const crd = "must be a CRD number: 1 to 10 digits without leading zeros"
	for path, detail := range map[string]string{
		"/v1/gps?limit=0":                                     paging,
		"/v1/gps?limit=-1":                                    "must be a whole number from 0 to 100",
		"/v1/gps?limit=101":                                   "must be a whole number from 0 to 100",
		"/v1/gps?limit=1000000000":                            "must be a whole number from 0 to 100",
		"/v1/gps?limit=1e9":                                   "must be a whole number from 0 to 100",
		"/v1/gps?limit=abc":                                   "must be a whole number from 0 to 100",
		"/v1/gps?limit=":                                      "must not be empty",
		"/v1/gps?per_page=0":                                  paging,
		"/v1/gps?per_page=101":                                paging,
		"/v1/gps?page=0":                                      "Invalid page",
		"/v1/gps?offset=-1":                                   "Invalid offset",
		"/v1/gps?offset=9223372036854775808":                  "Invalid offset",
		"/v1/gps?offset=1.5":                                  "Invalid offset",
		"/v1/gps?q=a":                                         "must have at least 2 characters",
		"/v1/gps?q=+a+":                                       "must have 2 to 200 characters",
		"/v1/gps?q=" + strings.Repeat("x", 201):               "must have 2 to 200 characters",
		"/v1/gps?q=" + strings.Repeat("x", 3900):              "must have 2 to 200 characters",
		"/v1/gps?q=%25%25":                                    "must contain a letter or a digit",
		"/v1/gps?q=__":                                        "must contain a letter or a digit",
		"/v1/gps?q=%27%27":                                    "must contain a letter or a digit",
		"/v1/gps?q=%22%22%22":                                 "must contain a letter or a digit",
		"/v1/gps?q=ab%00":                                     "must not contain a NUL byte",
		"/v1/gps?q=ab%FF":                                     "must be valid UTF-8",
		"/v1/gps?q=ab%":                                       "% that is not followed by two hexadecimal digits",
		"/v1/gps?city=%25":                                    "must contain a letter or a digit",
		"/v1/gps?city=" + strings.Repeat("x", 101):            "must have 1 to 100 characters",
		"/v1/gps?state=XX":                                    `\"XX\" is not a US state; send a code such as NY`,
		"/v1/gps?country=ZZ":                                  "is not a country",
		"/v1/gps?jurisdiction=Ruritania":                      "is not a country",
		"/v1/gps?jurisdiction=XY":                             "is not a country",
		"/v1/gps?min_aum=-1":                                  "Invalid min_aum",
		"/v1/gps?min_aum=1.5":                                 "Invalid min_aum",
		"/v1/gps?min_aum=9223372036854775808":                 "Invalid min_aum",
		"/v1/gps?min_aum=2&max_aum=1":                         "Invalid min_aum: must not be greater than max_aum (2 > 1)",
		"/v1/gps?aum_band=1B":                                 "must be one of <100M, 100M-500M, 500M-1B, 1B-10B, >10B",
		"/v1/gps?strategy=buy":                                `\"buy\" is not a strategy; the strategies are buyout, growth, venture, real-estate`,
		"/v1/gps?strategy=buyout,":                            "is not a strategy",
		"/v1/gps?registration_status=x":                       "must be one of registered, exempt_reporting",
		"/v1/gps?has_funds=1":                                 "must be true or false",
		"/v1/gps?has_funds=TRUE":                              "must be true or false",
		"/v1/gps?min_fund_count=3&max_fund_count=2":           "Invalid min_fund_count: must not be greater than max_fund_count",
		"/v1/gps?min_employees=3&max_employees=2":             "Invalid min_employees",
		"/v1/gps?min_investors=3&max_investors=2":             "Invalid min_investors",
		"/v1/gps?fund_size_min=3&fund_size_max=2":             "Invalid fund_size_min",
		"/v1/gps?vintage_min=2020&vintage_max=2019":           "Invalid vintage_min",
		"/v1/gps?vintage_min=20":                              "Invalid vintage_min",
		"/v1/gps?year_founded_min=2020&year_founded_max=2019": "Invalid year_founded_min",
		"/v1/gps?registered_after=2025-02-30":                 "must be a date such as 2026-01-31",
		"/v1/gps?registered_after=2025-1-1":                   "must be a date such as 2026-01-31",
		"/v1/gps?registered_after=2025-01-02&registered_before=2025-01-01": "must not be later than registered_before (2025-01-02 > 2025-01-01)",
		"/v1/gps?launched_within_months=0":                                 "Invalid launched_within_months",
		"/v1/gps?exemption_type=506d":                                      "must be one of 506b, 506c, 3c1, 3c7",
		"/v1/gps?fund_type=all":                                            "must be one of 3c1, 3c7",
		"/v1/gps?state_of_incorporation=--":                                "must contain a letter or a digit",
		"/v1/gps?auditor_name=--":                                          "must contain a letter or a digit",
		"/v1/gps?manager_type=pe":                                          "must be one of pe_vc, hedge_fund, real_estate, other",
		"/v1/gps?sort=crd":                                                 "must be one of name, aum, fund_count, employees",
		"/v1/gps?order=up":                                                 "must be one of asc, desc",
		"/v1/gps?min_amu=5":                                                `did you mean \"min_aum\"?`,
		"/v1/gps?state=NY&state=CA":                                        "was sent more than once",
		"/v1/gps/0123":                                                     crd,
		"/v1/gps/0":                                                        crd,
		"/v1/gps/12345678901":                                              crd,
		"/v1/gps/abc":                                                      crd,
		"/v1/gps/-1":                                                       crd,
		"/v1/gps/900001%00":                                                "NUL",
		"/v1/gps/900001%20/funds":                                          crd,
		"/v1/gps/9x/stats":                                                 crd,
		"/v1/gps/900001?as_of=2026-11-22":                                  "must not be in the future; today is 2026-11-21",
		"/v1/gps/900001?as_of=0001-01-01":                                  "Invalid as_of: must not be 0001-01-01",
		"/v1/gps/900001?known_at=0001-01-01T00:00:00Z":                     "Invalid known_at: must not be 0001-01-01",
		"/v1/gps?registered_before=0001-01-01":                             "Invalid registered_before: must not be 0001-01-01",
		"/v1/gps/900001?as_of=yesterday":                                   "must be a date such as 2026-01-31",
		"/v1/gps/900001?asof=2020-01-01":                                   `did you mean \"as_of\"?`,
		"/v1/gps/900001/funds?status=open":                                 "must be one of active, liquidating, closed",
		"/v1/gps/900001/funds?fund_type=3c5":                               "must be one of 3c1, 3c7, all",
		"/v1/gps/900001/funds?min_gav=-5":                                  "Invalid min_gav",
		"/v1/gps/900001/stats?x=1":                                         "this operation accepts no parameters",
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

// Odd, but no mistakes.
func TestOddInput(t *testing.T) {
	t.Parallel()
	host, _ := newHost(t)
	host.Run(t, []httpapitest.Scenario{
		{Name: "right to left", Path: "/v1/gps?q=%D7%A9%D7%9C%D7%95%D7%9D", Contains: []string{`"total":0`, `"q":"שלום"`}},
		{Name: "per cent and underscore are no wildcards", Path: "/v1/gps?q=%25zz_zz%25", Contains: []string{`"total":0`, `"q":"%zz_zz%"`}},
		{Name: "quotes", Path: "/v1/gps?q=%22harbor%22+%27ridge%27", Contains: []string{`"total":2`, `"q":"\"harbor\" 'ridge'"`}},
		{Name: "injection", Path: "/v1/gps?q=x%27%3B+DROP+TABLE+advisers%3B--", Contains: []string{`"total":0`}},
		{Name: "full width", Path: "/v1/gps?q=%EF%BC%A8arbor", Contains: []string{`"total":2`}},
		{Name: "200 characters", Path: "/v1/gps?q=" + strings.Repeat("é", 200), Contains: []string{`"total":0`}},
		{Name: "far offset", Path: "/v1/gps?offset=1000000000", Contains: []string{`"data":[]`, `"total":8`}},
		{Name: "largest amount", Path: "/v1/gps?max_aum=9223372036854775807", Contains: []string{`"total":6`}},
		{Name: "HTML is not escaped", Path: "/v1/gps?q=thorn+%3Cb%3E", Contains: []string{`"q":"thorn <b>"`}},
		{Name: "several faults at once", Path: "/v1/gps?state=XX&strategy=x&min_aum=2&max_aum=1", Status: http.StatusBadRequest, Contains: []string{
			`"field":"state"`, `"field":"strategy"`, `"field":"min_aum"`,
		}},
	})
}
