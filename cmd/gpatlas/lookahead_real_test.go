package main

import (
	"encoding/json"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"gpatlas/platform/clock"
	"gpatlas/platform/testkit/dbtest"
	"gpatlas/platform/testkit/realdata"
)

// Of the real rosters and list of funds, no answer as of a day holds a day or a provenance that is later. Names out of
// these files must not appear in logs: they are counted only.
func TestNothingRealComesFromLater(t *testing.T) {
	t.Parallel()
	args := []string{"ingest"}
	for _, name := range []string{
		"sec-roster/ia070124-exempt.xlsx", "sec-roster/sec_advisers.csv",
		"adv-private-funds/funds_2024-07-10_with_crd.csv",
	} {
		args = append(args, realdata.File(t, name))
	}
	db := dbtest.New(t)
	ingest, out := gpatlas(t, args...)
	ingest.Env = append(ingest.Env, "DATABASE_URL="+dbtest.URL(t, db), "REDIS_URL="+os.Getenv("TEST_REDIS_URL"))
	require.Equal(t, 0, runToEnd(t, ingest), out)
	l := openLibrary(t, db, 4, clock.Fixed(time.Date(2026, time.November, 22, 0, 0, 0, 0, time.UTC)))
	list := func(sql string) (out []string) {
		require.NoError(t, db.Conn(t.Context(), func(c *pgx.Conn) error {
			rows, err := c.Query(t.Context(), sql)
			if err == nil {
				out, err = pgx.CollectRows(rows, pgx.RowTo[string])
			}
			return err
		}))
		return out
	}
	addresses := list(`SELECT '/v1/gps/' || crd FROM catalog.advisers WHERE (crd::bigint % 41) = 0
		UNION ALL SELECT '/v1/funds/' || fund_id FROM catalog.funds`)
	sourced := regexp.MustCompile(`"filing_date":"(\d{4}-\d{2}-\d{2})"`)
	answers, entries := 0, 0
	for _, day := range []string{"2023-06-30", "2024-06-30", "2025-06-30"} {
		for _, address := range addresses {
			got := l.ask(address+"?include=provenance", "as_of="+day)
			if got == "" {
				continue
			}
			answers++
			entries += len(sourced.FindAllString(got, -1))
			for _, date := range dates.FindAllString(got, -1) {
				require.LessOrEqual(t, strings.Trim(date, `"`), day, "%s as of %s", address, day)
			}
		}
	}
	t.Logf("%d answers of %d advisers and funds, %d provenance entries, none later", answers, len(addresses), entries)
	require.Greater(t, entries, 3000)
	realGrowth(t, l, list(`SELECT crd FROM catalog.advisers a WHERE withdrawn_on IS NULL AND not_listed_since IS NULL
		ORDER BY (SELECT count(DISTINCT filing_date) FROM catalog.filings f WHERE f.crd = a.crd) DESC, md5(crd) LIMIT 2000`))
}

// V11: the stored growth of real managers, or the reason for none, is that of their metrics, over one and over three years.
func realGrowth(t *testing.T, l *library, crds []string) {
	t.Helper()
	require.Len(t, crds, 2_000)
	known := map[string]int{}
	for some := range slices.Chunk(crds, 100) {
		found := map[string]map[string]kept{"1y": {}, "3y": {}}
		for horizon, of := range found {
			var page struct {
				Data []struct {
					CRD    string
					Growth struct {
						Percent *float64 `json:"percent_a_year"`
						kept
					}
				}
			}
			require.NoError(t, json.Unmarshal([]byte(l.ask("/v1/search/growth?limit=100&horizon="+horizon+"&crd="+strings.Join(some, ","), "")), &page))
			for _, row := range page.Data {
				row.Growth.kept.Percent = row.Growth.Percent
				of[row.CRD] = row.Growth.kept
			}
		}
		for _, crd := range some {
			for horizon, want := range growthOfMetrics(t, l.ask("/v1/gps/"+crd+"/metrics", "")) {
				got, listed := found[horizon][crd]
				require.True(t, listed && reflect.DeepEqual(want, got), "a manager over %s: %v, %v", horizon, want.Reason, got.Reason)
				if want.Percent != nil {
					known[horizon]++
				}
			}
		}
	}
	t.Logf("growth of %d managers as in their metrics: %v are known", len(crds), known)
}
