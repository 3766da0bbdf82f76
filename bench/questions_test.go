package bench_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// V11: the growth of so many managers, or the reason for none, over one and over three years is that of their metrics.
func sameGrowth(b *testing.B, c *client, managers int) {
	b.Helper()
	ask := func(path string, into any) {
		status, body, err := c.ask(request(path))
		require.NoError(b, err)
		require.Equal(b, 200, status, "%s: %s", path, body)
		require.NoError(b, json.Unmarshal(body, into))
	}
	type growth struct {
		Percent  *float64 `json:"percent_a_year"`
		From, To *string
		Reason   *string
	}
	found := map[string]*[2]growth{}
	for offset := 0; offset < managers; offset += 100 {
		var list struct {
			Data []struct{ CRD string }
			Meta struct{ Total int }
		}
		ask(fmt.Sprintf("/v1/gps?sort=name&limit=100&offset=%d", offset), &list)
		managers = min(managers, list.Meta.Total)
		var crds []string
		for _, row := range list.Data {
			crds, found[row.CRD] = append(crds, row.CRD), new([2]growth)
		}
		for i, horizon := range []string{"1y", "3y"} {
			var page struct {
				Data []struct {
					CRD    string
					Growth growth
				}
			}
			ask("/v1/search/growth?limit=100&horizon="+horizon+"&crd="+strings.Join(crds, ","), &page)
			require.Len(b, page.Data, len(crds))
			for _, row := range page.Data {
				found[row.CRD][i] = row.Growth
			}
		}
	}
	require.Len(b, found, managers)
	for crd, got := range found {
		var one struct {
			Metrics struct {
				Growth struct {
					Percent1 *float64 `json:"yoy_percent"`
					Reason1  *string  `json:"yoy_reason"`
					From1    *string  `json:"yoy_from"`
					To1      *string  `json:"yoy_to"`
					Percent3 *float64 `json:"cagr_3y_percent"`
					Reason3  *string  `json:"cagr_reason"`
					From3    *string  `json:"cagr_from"`
					To3      *string  `json:"cagr_to"`
				} `json:"aum_growth"`
			}
		}
		ask("/v1/gps/"+crd+"/metrics", &one)
		g := &one.Metrics.Growth
		want := [2]growth{{g.Percent1, g.From1, g.To1, g.Reason1}, {g.Percent3, g.From3, g.To3, g.Reason3}}
		for i := range want {
			if want[i].Percent == nil { // the metrics also name the filings that they could not compare
				want[i].From, want[i].To = nil, nil
			}
		}
		require.Equal(b, want, *got, crd)
	}
	say("  growth of %d managers as in their metrics", managers)
}

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
	sameGrowth(b, c, 2_000)
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
