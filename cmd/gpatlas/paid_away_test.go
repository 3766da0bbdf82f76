package main

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/localserver"
	"gpatlas/platform/testkit/cutproxy"
)

// While Redis is unavailable requests are charged. While PostgreSQL is unavailable priced operations are refused, also those
// that need no database for their answer, and free ones go on.
func TestPaidRequestsWhileServersAreAway(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	proxy := cutproxy.New(t, s.url)
	s.url = proxy.URL()
	queue := startServer(t, localserver.Config{NoDB: true})
	s.redis = queue.stack.RedisURL()
	h := s.web()
	p := s.sellTo(h, "ada@larkspur.example", "live", 1)
	buy := func(id, path string) answer {
		a, err := p.buy(h.base, path, id, "")
		require.NoError(t, err)
		return a
	}
	require.EqualValues(t, 500_000, paid(t, buy("before", regulatory)))

	require.NoError(t, queue.stack.Stop(t.Context()))
	for i, path := range []string{regulatory, aggregate} {
		a := buy("no-redis-"+strconv.Itoa(i), path)
		require.Equal(t, http.StatusOK, a.status, a.body)
		require.Equal(t, prices[path], paid(t, a))
	}
	require.EqualValues(t, 1_150_000, p.spent())

	proxy.SetDown(true)
	for path := range prices {
		a := buy("no-postgresql", path)
		require.Equal(t, http.StatusServiceUnavailable, a.status, "%s: %s", path, a.body)
		// A statement on a connection that was cut may have arrived, for all that the service can see.
		require.Contains(t, []string{"0.00", "unknown"}, a.header.Get("X-Charge"))
		seconds, err := strconv.Atoi(a.header.Get("Retry-After"))
		require.NoError(t, err)
		require.Positive(t, seconds)
	}
	for _, path := range []string{"/v1/gps?per_page=1", "/v1/search?q=rowan", "/v1/stats"} {
		require.Equal(t, http.StatusOK, buy("free", path).status, path)
	}
	require.Len(t, p.ledger(), 3)

	proxy.SetDown(false)
	require.Eventually(t, func() bool {
		a, err := p.buy(h.base, aggregate, "after", "")
		return err == nil && a.status == http.StatusOK
	}, patience, glance)
	require.EqualValues(t, 1_300_000, p.spent())
	s.audit()
}

// needs is what operations need beside an adviser or a fund.
var needs = map[string]string{"search-aggregate": "?group_by=strategy", "get-gp-diff": "?from=2024-06-30&to=2026-06-30", "list-providers": "?role=auditor", "list-provider-changes": "?from=2026-01-01"}

// Whatever a test key asks for, the ledger says so and nothing is charged. A spending cap of nothing does not stop it.
func TestTestKeysPayNothing(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	h := s.web()
	p := s.sellTo(h, "ada@larkspur.example", "test", 1)
	p.setCap(0)
	app, err := describe()
	require.NoError(t, err)
	known := strings.NewReplacer("{crd}", shownGP, "{fund_id}", shownFund, "{person_uid}", shownPerson, "{lp_id}", "1")
	var want []entry
	for _, r := range app.API.Routes() {
		op := r.Operation
		if r.ChargeMicros == 0 || op.Method != http.MethodGet || op.OperationID == "search-people" { // which finds invented names alone: TestTestKeysSeeInventedPeople
			continue
		}
		path := known.Replace(op.Path) + needs[op.OperationID]
		switch op.OperationID {
		case "list-gp-hiring":
			path = "/v1/gps/" + hiringGP + "/hiring"
		case "list-fund-lps":
			path = "/v1/funds/" + listedFund + "/lps"
		}
		require.NotContains(t, path, "{", "say in needs how to ask for it")
		a, err := p.buy(h.base, path, op.OperationID, "")
		require.NoError(t, err)
		require.Equal(t, http.StatusOK, a.status, "%s: %s", path, a.body)
		require.Equal(t, "0.00", a.header.Get("X-Charge"))
		require.Equal(t, "true", a.header.Get("X-Test-Mode"))
		var marked struct{ Meta map[string]any }
		require.NoError(t, json.Unmarshal([]byte(a.body), &marked), path)
		require.True(t, marked.Meta == nil || marked.Meta["test"] == true, "%s: %s", path, a.body)
		want = append(want, entry{op.OperationID, 0, "test"})
	}
	require.GreaterOrEqual(t, len(want), 8)
	require.Equal(t, want, p.ledger())
	require.Zero(t, p.spent())
	require.Zero(t, p.number("SELECT count(*) FROM billing.entitlements WHERE user_id = $1"))
	s.audit()
}
