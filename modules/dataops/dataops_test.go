package dataops_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"strconv"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogtest"
	"gpatlas/modules/dataops"
	"gpatlas/modules/people/peopleapi"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/dbtest"
	"gpatlas/platform/testkit/httpapitest"
	"gpatlas/platform/testkit/realdata"
	"gpatlas/sample"
)

// today is the day on which these tests play, after the last sample month.
var today = clock.Fixed(time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC))

func setup(tb testing.TB) dataops.Deps {
	tb.Helper()
	db := dbtest.New(tb)
	return dataops.Deps{DB: db, Loader: catalogtest.NewLoader(db, today), Lists: lists{}, Clock: today, Log: slog.New(slog.DiscardHandler)}
}

// lists stands in for module people: of lists of commitments it keeps which LP has which fund on which day.
type lists map[string]bool

func (l lists) Load(ctx context.Context, list peopleapi.List) (done peopleapi.ListResult, err error) {
	for c, err := range list.Rows {
		if err != nil {
			return done, err
		}
		key := c.LP + "|" + c.Fund + "|" + c.AsOf.String()
		if l[key] {
			done.Unchanged++
			continue
		}
		l[key] = true
		done.New++
	}
	return done, list.Accept(ctx, peopleapi.ListRead{Rows: done.New + done.Unchanged})
}

func ints(t *testing.T, db *database.DB, query string) (out []int64) {
	t.Helper()
	err := db.Conn(t.Context(), func(c *pgx.Conn) error {
		rows, err := c.Query(t.Context(), query)
		if err != nil {
			return err
		}
		out, err = pgx.CollectRows(rows, pgx.RowTo[int64])
		return err
	})
	require.NoError(t, err)
	return out
}

// The real rosters give the number of advisers that they should, and nothing the second time; the real fund list adds
// its funds to advisers that are there.
func TestRealFiles(t *testing.T) {
	t.Parallel()
	era, registered := realdata.File(t, "sec-roster/ia070124-exempt.xlsx"), realdata.File(t, "sec-roster/sec_advisers.csv")
	funds := realdata.File(t, "adv-private-funds/funds_2024-07-10_with_crd.csv")
	deps := setup(t)
	sum, err := dataops.Ingest(t.Context(), deps, []string{era, registered}, dataops.IngestOptions{})
	require.NoError(t, err)
	require.Equal(t, []int64{21_838}, ints(t, deps.DB, `SELECT count(*) FROM catalog.advisers`))
	require.Equal(t, []int64{5_052}, ints(t, deps.DB, `SELECT count(*) FROM catalog.advisers WHERE primary_strategy IS NOT NULL AND manager_type IS NOT NULL`),
		"the exempt ones that count funds")
	require.Equal(t, int64(5_486+16_475), sum.Filings.New)
	require.Equal(t, int64(21_838), sum.Advisers.New)
	require.Equal(t, int64(123), sum.Advisers.Changed)
	require.Zero(t, sum.Quarantined)
	// What the 123 were before completes what they are now: their registration is the new one, without the old number.
	require.Equal(t, []int64{0}, ints(t, deps.DB, `SELECT count(*) FROM catalog.advisers WHERE registration_status = 'registered' AND sec_number LIKE '802-%'`))
	require.Equal(t, []int64{16_475, 5_363}, ints(t, deps.DB, `SELECT count(*) FROM catalog.advisers GROUP BY registration_status ORDER BY 1 DESC`))
	require.Equal(t, []int64{0}, ints(t, deps.DB, `SELECT count(*) FROM catalog.advisers WHERE state IS NOT NULL AND country_code IS DISTINCT FROM 'US'`))
	require.Equal(t, []int64{0}, ints(t, deps.DB, `SELECT count(*) FROM catalog.advisers WHERE country IS NOT NULL AND country_code IS NULL`))
	require.Equal(t, []int64{0}, ints(t, deps.DB, `SELECT count(*) FROM catalog.advisers WHERE private_residence AND (street1 IS NOT NULL OR city IS NOT NULL)`))

	// The workbook is not read again: that alone takes as long as the rest of the test, and a filing's row is compared after
	// it has left the form that it came in.
	again, err := dataops.Ingest(t.Context(), deps, []string{registered}, dataops.IngestOptions{})
	require.NoError(t, err)
	require.False(t, again.Changed)
	require.Equal(t, int64(16_475), again.Filings.Unchanged)
	require.Equal(t, []int64{1}, ints(t, deps.DB, `SELECT count(*) FROM catalog.publications`), "both were one batch")

	sum, err = dataops.Ingest(t.Context(), deps, []string{funds}, dataops.IngestOptions{})
	require.NoError(t, err)
	require.Equal(t, int64(28), sum.Funds.New)
	require.Equal(t, int64(8), sum.Advisers.New+sum.Advisers.Changed+sum.Advisers.Unchanged)
	require.Equal(t, []int64{28}, ints(t, deps.DB, `SELECT count(*) FROM catalog.funds WHERE status = 'active'`))
	require.Equal(t, []int64{8}, ints(t, deps.DB, `SELECT count(DISTINCT adviser_crd) FROM catalog.funds`))
	require.Equal(t, []int64{21_838}, ints(t, deps.DB, `SELECT count(*) FROM catalog.advisers`))
}

// answered asks the catalog's operations of an adviser, and gives the part of the answer under a name.
func answered(t *testing.T, host *httpapitest.Host, path, part string) map[string]any {
	t.Helper()
	var answer map[string]json.RawMessage
	require.NoError(t, json.Unmarshal([]byte(host.Do(t, httpapitest.Scenario{Path: path}).Body), &answer))
	var said map[string]any
	require.NoError(t, json.Unmarshal(answer[part], &said))
	return said
}

// Of an adviser whose funds a real roster counts without listing them, no answer counts none.
func TestRealRosterCountsWithoutAList(t *testing.T) {
	t.Parallel()
	era := realdata.File(t, "sec-roster/ia070124-exempt.xlsx")
	deps := setup(t)
	_, err := dataops.Ingest(t.Context(), deps, []string{era}, dataops.IngestOptions{})
	require.NoError(t, err)
	routes, err := catalogtest.Routes(t.Context(), deps.DB, today)
	require.NoError(t, err)
	host := httpapitest.New(t, routes...)
	counted := ints(t, deps.DB, `SELECT crd::bigint FROM catalog.advisers WHERE fund_count > 0 ORDER BY 1`)
	require.Greater(t, len(counted), 5_000)
	for _, crd := range counted {
		at := "/v1/gps/" + strconv.FormatInt(crd, 10)
		stats, meta := answered(t, host, at+"/stats", "data"), answered(t, host, at+"/funds", "meta")
		for _, name := range []string{"total_funds", "total_gav", "fund_3c1_count", "fund_3c7_count", "avg_fund_size", "strategies"} {
			require.Nil(t, stats[name], "%s of %d", name, crd)
		}
		require.Nil(t, meta["total_funds"], crd)
		require.Nil(t, meta["total_gav"], crd)
		for _, said := range []map[string]any{stats, meta} {
			require.Equal(t, false, said["funds_listed"], crd)
			require.Positive(t, said["reported_funds"], crd)
		}
	}
}

// The sample goes the way of real files, and a second time changes nothing.
func TestSampleIsLoaded(t *testing.T) {
	t.Parallel()
	deps := setup(t)
	var sum dataops.Summary
	load := func(opts dataops.IngestOptions) {
		opts.AnyDate = true
		require.NoError(t, sample.Load(t.Context(), t.TempDir(), func(ctx context.Context, paths []string) (err error) {
			sum, err = dataops.Ingest(ctx, deps, paths, opts)
			return err
		}))
	}
	load(dataops.IngestOptions{})
	documents := len(sum.Documents)
	require.Equal(t, []int64{300}, ints(t, deps.DB, `SELECT count(*) FROM catalog.advisers`))
	require.True(t, sum.Changed)
	var out bytes.Buffer
	load(dataops.IngestOptions{JSON: true, Out: &out})
	require.False(t, sum.Changed)
	var decoded map[string]any
	require.NoError(t, json.Unmarshal(out.Bytes(), &decoded))
	require.Equal(t, false, decoded["changed"])
	require.Len(t, decoded["documents"], documents)
}
