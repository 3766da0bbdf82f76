package bench_test

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// measureQuestions starts the service on a catalog and asks what analysts ask, over HTTP, one question at a time. The 99th percentile
// includes a few hundredths of a millisecond for HTTP.
func measureQuestions(ctx context.Context, b *testing.B, r *report, binary string, data filled) {
	b.Helper()
	s, _ := serve(ctx, b, binary, data)
	defer s.end()
	drawn, err := drawRecords(ctx, s.databaseURL)
	require.NoError(b, err)
	c, err := dial(ctx, s.addr)
	require.NoError(b, err)
	defer c.close()
	day := lastYears(1)
	status, body, err := c.ask(request("/v1/gps?limit=1&as_of=" + day)) // builds the index of the day
	require.NoError(b, err)
	require.Equal(b, 200, status, body)
	for _, op := range []struct {
		key, name string
		paths     func(g *gp) []string
	}{
		{keyFacets, "five facets of a search with one filter", func(g *gp) []string {
			return []string{"/v1/gps?limit=0&facets=state,strategy,aum_band,registration_status,country&min_employees=" + strconv.FormatInt(g.Employees%40, 10)}
		}},
		{keyGrowth, "the hundred managers of a state that grew most", func(g *gp) []string {
			return []string{"/v1/gps?sort=aum_growth_3y&order=desc&min_aum_before=100000000&limit=100&state=" + url.QueryEscape(g.State)}
		}},
		{keyMarket, "a page of filings of all managers of a state and strategy", func(g *gp) []string {
			return []string{"/v1/filings?limit=100&state=" + url.QueryEscape(g.State) + "&strategy=" + url.QueryEscape(g.Strategy)}
		}},
		{keyPanels, "a list of one manager: offices, affiliates, owners, sub-advised funds, websites, series", func(g *gp) (list []string) {
			for _, panel := range []string{
				"offices", "affiliates", "affiliates?direction=names_me", "owners", "sub-advised-funds", "sub-advised-funds?direction=names_me", "websites", "series",
			} {
				list = append(list, "/v1/gps/"+g.CRD+"/"+panel)
			}
			return list
		}},
		{keyPastGPs, "a page of 25 of the managers with most funds a year ago", func(g *gp) []string {
			return []string{fmt.Sprintf("/v1/gps?sort=fund_count&order=desc&offset=%d&as_of=%s", max(g.FundCount, 0)%8*25, day)}
		}},
		{keyPastFunds, "a page of 25 of the largest funds a year ago", func(g *gp) []string {
			return []string{fmt.Sprintf("/v1/funds?offset=%d&as_of=%s", max(g.FundCount, 0)%8*25, day)}
		}},
	} {
		var p50, p99 []float64
		asked := 0
		for range *roundsFlag {
			var took []time.Duration
			end := time.Now().Add(*slotFlag)
			for i := 0; i < len(drawn.gps) || time.Now().Before(end); i++ {
				g := &drawn.gps[i%len(drawn.gps)]
				if g.State == "" || g.Strategy == "" {
					continue
				}
				for _, path := range op.paths(g) {
					began := time.Now()
					status, body, err := c.ask(request(path))
					took = append(took, time.Since(began))
					require.NoError(b, err)
					require.Equal(b, 200, status, "%s: %s", path, body)
				}
			}
			l := measured(took, time.Second)
			p50, p99 = append(p50, milliseconds(l.p50)), append(p99, milliseconds(l.p99))
			asked += len(took)
		}
		r.measure(op.key, op.name+", p99", "ms", p99, fmt.Sprintf("over HTTP, one at a time; p50 %s ms, %d answers", figure(median(p50)), asked))
	}
}
