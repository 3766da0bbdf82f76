package fund_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/testkit/httpapitest"
)

// Buyout Fund I of the fixture is in the list of 2019-03-28, and not in that of 2026-03-28.
func TestClosedBetween(t *testing.T) {
	t.Parallel()
	host, _ := newHost(t)
	const between = `"closed_between":{"after":"2019-03-28","before":"2026-03-28"}`
	get := func(path string) string { return host.Do(t, httpapitest.Scenario{Path: path}).Body }
	require.Contains(t, get("/v1/funds/805-0000000010"), between)
	require.NotContains(t, get("/v1/funds/805-0000000011"), "closed_between")
	require.NotContains(t, get("/v1/funds?gp_crd=900001"), "closed_between")
	require.NotContains(t, get("/v1/funds/805-0000000010?as_of=2019-12-31"), "closed_between", "it was open then")
	require.Contains(t, get("/v1/funds/805-0000000010?as_of=2026-04-01"), between)
	for query, found := range map[string]bool{
		"closed_after=2026-03-28": true, "closed_after=2026-03-29": false, "closed_before=2026-03-28": true, "closed_before=2026-03-27": false,
		"closed_after=2020-01-01&status=closed": true, "status=closed&sort=closed": true,
	} {
		body := get("/v1/funds?gp_crd=900001&" + query)
		require.Equal(t, found, funds(t, body) == "10", "%s: %s", query, body)
		if found {
			require.Contains(t, body, between)
		}
	}
	for _, query := range []string{"closed_after=2026-01-01&status=active", "closed_after=2026-01-01&status=closed,active"} {
		host.Do(t, httpapitest.Scenario{Path: "/v1/funds?" + query, Status: http.StatusBadRequest, Contains: []string{`"status"`}})
	}
}
