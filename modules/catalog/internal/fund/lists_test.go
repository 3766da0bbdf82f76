package fund_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/listing"
	"gpatlas/modules/catalog/internal/testkit/fixture"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/testkit/httpapitest"
)

// Lists of values, what is left out, and ranges: by name 11, 12, 71, 21, 41, 42 and 31; 10 is closed.
func TestListsAndExclusion(t *testing.T) {
	t.Parallel()
	host, _ := newHost(t)
	for query, want := range map[string]string{
		"exclude_strategy=PE":                                                                    "71 21 41 42 31",
		"strategy=PE&exclude_strategy=growth":                                                    "11",
		"status=active,closed&strategy=PE":                                                       "10 11 12",
		"fund_id=805-0000000021,805-0000000010,805-0000000041":                                   "21 41",
		"fund_id=805-0000000041,805-0000000021&sort=as_sent":                                     "41 21",
		"fund_id=805-0000000041,805-0000000021,805-0000000010&sort=as_sent&status=active,closed": "41 21 10",
		"fund_id=805-0000000041,805-0000000021&gp_crd=900004":                                    "41",
	} {
		t.Run(query, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, want, funds(t, host.Do(t, httpapitest.Scenario{Path: "/v1/funds?" + query}).Body))
		})
	}
}

// V4: what a list of IDs misses is named. Bad input is refused by its field.
func TestMissingOfAList(t *testing.T) {
	t.Parallel()
	host, c := newHost(t)
	c.Withdraw(t, "900004", "2026-07-02") // the manager of 41 and 42
	ids := make([]string, 201)
	for i := range ids {
		ids[i] = fmt.Sprintf("805-%010d", i)
	}
	const three = "fund_id=805-0000000041,805-0000000010,805-0000000099,805-0000000021"
	host.Run(t, []httpapitest.Scenario{
		{Name: "missing", Path: "/v1/funds?" + three, Contains: []string{`"total":1,`, `"unknown":["805-0000000099"],"former":["805-0000000041"],"closed":["805-0000000010"]`}},
		{Name: "among former ones", Path: "/v1/funds?former=true&" + three, Contains: []string{`"total":1,`, `"unknown":["805-0000000099"],"current":["805-0000000010","805-0000000021"]}`}},
		{Name: "closed too", Path: "/v1/funds?status=active,closed&" + three, Contains: []string{`"total":2,`, `"former":["805-0000000041"]}`}},
		{Name: "201", Path: "/v1/funds?fund_id=" + strings.Join(ids, ","), Status: http.StatusBadRequest, Contains: []string{"Invalid fund_id: must not have more than 200 values"}},
		{Name: "200", Path: "/v1/funds?fund_id=" + strings.Join(ids[1:], ",")},
		{Name: "an internal ID", Path: "/v1/funds?fund_id=7", Status: http.StatusBadRequest, Contains: []string{"Invalid fund_id"}},
		{Name: "nothing to sort by", Path: "/v1/funds?sort=as_sent", Status: http.StatusBadRequest, Contains: []string{"Invalid sort: as_sent needs fund_id"}},
		{Name: "status", Path: "/v1/funds?status=active,gone", Status: http.StatusBadRequest, Contains: []string{"Invalid status: must be one of active, liquidating, closed"}},
		{Name: "investors", Path: "/v1/funds?min_investors=2&max_investors=1", Status: http.StatusBadRequest, Contains: []string{"Invalid min_investors"}},
		{Name: "minimum investment", Path: "/v1/funds?min_minimum_investment=2&max_minimum_investment=1", Status: http.StatusBadRequest, Contains: []string{"Invalid min_minimum_investment"}},
		{Name: "first filed", Path: "/v1/funds?first_filed_after=2026-02-01&first_filed_before=2026-01-01", Status: http.StatusBadRequest, Contains: []string{"Invalid first_filed_after"}},
		{Name: "nothing", Path: "/v1/funds?strategy=PE&gp_crd=900004", Contains: []string{`"nothing":[{"without":"gp_crd","total":2},{"without":"strategy","total":0}]`}},
	})
	fixture.RequireEncoding[httpapi.DataMeta[[]index.FundItem, listing.SearchMeta]](t, host.Do(t, httpapitest.Scenario{Path: "/v1/funds?" + three}).Body)
}
