package main

import (
	"os"
	"regexp"
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
}
