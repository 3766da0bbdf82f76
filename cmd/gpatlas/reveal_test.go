package main

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/charge"
)

// vain is a request of a fee with no result, or for something that is not there: what is put in place of the usual path and added
// to the usual query. A new operation with a price per request needs a row.
var vain = map[string]struct{ path, query string }{
	"list-gp-regulatory-events": {query: "after_date=2026-11-01"},
	"get-gp-metrics":            {query: "", path: "/v1/gps/{bare}/metrics"},
	"get-gp-related":            {path: "/v1/gps/{bare}/related"},
	"list-gp-amendments":        {path: "/v1/gps/{bare}/amendments"},
	"list-fund-amendments":      {query: "limit=1"}, // it is never empty: a fund is reported by a filing
	"list-gp-changes":           {path: "/v1/gps/{bare}/changes"},
	"get-gp-diff":               {query: "from=2026-06-29&to=2026-06-30"},
	"search-aggregate":          {query: "min_vintage=1901&max_vintage=1902"},
	"list-gp-hiring":            {query: "role=partner&department=legal"},
	"list-lps":                  {query: "q=nothing+has+this+name"},
	"get-lp":                    {path: "/v1/lps/999999999"},
	"list-lp-investments":       {path: "/v1/lps/999999999/investments"},
	"search-people":             {query: "q=nobody+hasthisname"},
	"get-person":                {path: "/v1/people/per_aaaaaaaaaaaaaaaa"},
	"get-person-history":        {path: "/v1/people/per_aaaaaaaaaaaaaaaa/history"},
}

// Guarantee: what is asked of a fee without paying is answered the same whether something is found or not: by a quote, by HEAD, and
// with a max_charge below the fee.
func TestUnpaidRequestsRevealNothing(t *testing.T) {
	t.Parallel()
	s := newSurvey(t)
	var bare string // a manager without funds and with one filing
	require.NoError(t, s.db.From(t.Context()).Raw(`SELECT crd FROM catalog.filings f JOIN catalog.advisers USING (crd)
		WHERE NOT EXISTS (SELECT FROM catalog.funds WHERE adviser_crd = f.crd) GROUP BY crd ORDER BY count(*), crd LIMIT 1`).Scan(&bare).Error)
	empty := 0
	for _, r := range s.routes {
		id, payer := r.Operation.OperationID, s.payer(r)
		if r.ChargeMicros == 0 || r.Per != charge.PerRequest {
			continue
		}
		row, listed := vain[id]
		require.True(t, listed, "%s: say in vain how to ask for nothing", id)
		found := s.valid(r, payer)
		nothing := found
		if row.path != "" {
			nothing.path = strings.Replace(row.path, "{bare}", bare, 1)
		}
		for part := range strings.SplitSeq(row.query, "&") {
			if part != "" {
				name, _, _ := strings.Cut(part, "=")
				path, query, _ := strings.Cut(nothing.path, "?")
				kept := []string{}
				for old := range strings.SplitSeq(query, "&") {
					if old != "" && !strings.HasPrefix(old, name+"=") {
						kept = append(kept, old)
					}
				}
				nothing.path = path + "?" + strings.Join(append(kept, part), "&")
			}
		}
		for name, header := range map[string]string{"plain": "", "with a tag": `"x"`, "with a star": "*"} {
			shown := func(q asked) answer {
				if header != "" {
					q.header = http.Header{"If-None-Match": {header}}
				}
				s.lift()
				got, err := s.send(q)
				require.NoError(t, err)
				for _, h := range []string{"X-Request-Id", "Date", "Server-Timing", "RateLimit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "Traceparent"} {
					got.header.Del(h)
				}
				return got
			}
			head := func(q asked) asked { q.method = http.MethodHead; return q }
			require.Equal(t, shown(found.with("quote=true")), shown(nothing.with("quote=true")), "%s, a quote %s", id, name)
			require.Equal(t, shown(head(found)), shown(head(nothing)), "%s, HEAD %s", id, name)
			poor := shown(found.with("max_charge=0"))
			require.Equal(t, http.StatusPaymentRequired, poor.status, id)
			require.Equal(t, poor, shown(nothing.with("max_charge=0")), "%s, max_charge %s", id, name)
		}
		if got := s.ask(nothing); got.header.Get("X-Charge") == "0.00" || got.status == http.StatusNotFound {
			empty++
		} else {
			t.Logf("%s: %s is not empty", id, nothing.path)
		}
	}
	require.GreaterOrEqual(t, empty, 10)
}
