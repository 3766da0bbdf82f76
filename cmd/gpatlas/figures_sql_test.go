package main

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"os"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"gpatlas/platform/testkit/dbtest"
)

// kept are the members of a growth that the operation on all managers and the metrics of one have in common.
type kept struct {
	Percent          *float64
	Reason, From, To *string
}

// growthOfMetrics is the growth in the metrics of a manager, by horizon.
func growthOfMetrics(t *testing.T, metrics string) map[string]kept {
	t.Helper()
	var f struct {
		Metrics struct {
			Growth map[string]json.RawMessage `json:"aum_growth"`
		}
	}
	require.NoError(t, json.Unmarshal([]byte(metrics), &f))
	all := map[string]kept{}
	for horizon, names := range map[string][4]string{
		"1y": {"yoy_percent", "yoy_reason", "yoy_from", "yoy_to"}, "3y": {"cagr_3y_percent", "cagr_reason", "cagr_from", "cagr_to"},
	} {
		var k kept
		for i, to := range []any{&k.Percent, &k.Reason, &k.From, &k.To} {
			require.NoError(t, json.Unmarshal(f.Metrics.Growth[names[i]], to))
		}
		if k.Percent == nil { // the metrics also name the filings that they could not compare
			k.From, k.To = nil, nil
		}
		all[horizon] = k
	}
	return all
}

// V11, V13: the operation on growth returns for each manager the growth, or the reason for none, that the statement computes, over one
// and over three years. Its counts are those of its rows.
func checkGrowth(t *testing.T, base string, want map[string]string) {
	t.Helper()
	for _, horizon := range []string{"1y", "3y"} {
		asked := map[string]kept{}
		for crd, figures := range want {
			asked[crd] = growthOfMetrics(t, figures)[horizon]
		}
		found := map[string]kept{}
		for _, former := range []string{"false", "true"} {
			known, reasons := 0, map[string]int{}
			for offset := 0; ; offset += 100 {
				status, body := get(t, fmt.Sprintf("%s/v1/search/growth?horizon=%s&former=%s&limit=100&offset=%d", base, horizon, former, offset))
				require.Equal(t, http.StatusOK, status, body)
				var page struct {
					Data []struct {
						CRD    string
						Growth struct {
							Percent  *float64 `json:"percent_a_year"`
							Change   *int64
							Before   *int64 `json:"aum_before"`
							From, To *string
							Reason   *string
						}
					}
					Meta struct {
						Total, Known int
						Reasons      map[string]int
					}
				}
				require.NoError(t, json.Unmarshal([]byte(body), &page))
				for _, row := range page.Data {
					g := &row.Growth
					found[row.CRD] = kept{g.Percent, g.Reason, g.From, g.To}
					if g.Percent == nil {
						reasons[*g.Reason]++
						continue
					}
					known++
					if horizon == "1y" {
						days := daysBetween(t, *g.From, *g.To)
						require.InDelta(t, *g.Percent, 100*(math.Pow(float64(*g.Before+*g.Change)/float64(*g.Before), 365/days)-1), 0.006, row.CRD)
					}
				}
				if offset+100 >= page.Meta.Total {
					require.Equal(t, known, page.Meta.Known)
					require.Equal(t, reasons, page.Meta.Reasons)
					break
				}
			}
		}
		require.Equal(t, asked, found, horizon)
	}
}

func daysBetween(t *testing.T, from, to string) float64 {
	t.Helper()
	a, err := time.Parse(time.DateOnly, from)
	require.NoError(t, err)
	b, err := time.Parse(time.DateOnly, to)
	require.NoError(t, err)
	return b.Sub(a).Hours() / 24
}

// The figures by hand, and those of every adviser of the sample as a statement of SQL works them out from the stored rows by
// the rules of docs/figures.md.
func TestFigures(t *testing.T) {
	t.Parallel()
	db := sampleDB.New(t)
	h := startHouse(t, dbtest.URL(t, db), dbtest.RedisURL(t))
	checkFigures(t, h.base)
	statement, err := os.ReadFile("testdata/metrics.sql")
	require.NoError(t, err)
	want := map[string]string{}
	require.NoError(t, db.Conn(t.Context(), func(c *pgx.Conn) error {
		rows, err := c.Query(t.Context(), "SELECT crd FROM catalog.advisers")
		if err != nil {
			return err
		}
		crds, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			return err
		}
		for _, crd := range crds {
			var figures string
			if err := c.QueryRow(t.Context(), string(statement), crd).Scan(&figures); err != nil {
				return err
			}
			want[crd] = figures
		}
		return nil
	}))
	require.Len(t, want, 300)
	checkGrowth(t, h.base, want)
	for crd, figures := range want {
		status, body := get(t, h.base+"/v1/gps/"+crd+"/metrics")
		require.Equal(t, http.StatusOK, status, body)
		var got struct {
			GP      json.RawMessage `json:"gp"`
			Metrics json.RawMessage `json:"metrics"`
		}
		require.NoError(t, json.Unmarshal([]byte(body), &got), crd)
		ours, err := json.Marshal(got)
		require.NoError(t, err)
		require.JSONEq(t, figures, string(ours), crd)
	}
}
