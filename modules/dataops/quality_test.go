package dataops_test

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/dataops"
	"gpatlas/platform/clock"
)

// judge has the quality measured on a day with thresholds, and gives what each metric finds.
func (o *ops) judge(t *testing.T, at clock.Clock, metric string) string {
	t.Helper()
	var out bytes.Buffer
	options := dataops.QualityOptions{Metric: metric, Limit: 1000}
	require.NoError(t, dataops.WriteQuality(t.Context(), &out, o.deps.DB, o.deps.Config, at, options))
	return out.String()
}

func (o *ops) measure(t *testing.T, at clock.Clock) {
	t.Helper()
	var out bytes.Buffer
	options := dataops.QualityOptions{Limit: 1, Measure: true}
	require.NoError(t, dataops.WriteQuality(t.Context(), &out, o.deps.DB, o.deps.Config, at, options))
}

// Faults that are planted are found, each by its own metric and by no other; before them the sample has none.
func TestQualityFindsPlantedFaults(t *testing.T) {
	t.Parallel()
	o := newOps(t, sampled(t))
	o.measure(t, clock.Fixed(today.Now().AddDate(0, 0, -1)))
	o.measure(t, today)
	silent := []string{"quarantine_share", "duplicate_rows", "vanished_advisers", "aum_jumps", "fund_sums", "future_dates", "names_reverted"}
	for _, metric := range silent {
		require.Empty(t, o.judge(t, today, metric), metric)
	}
	require.Equal(t, []int64{0}, ints(t, o.deps.DB, `SELECT count(*) FROM dataops.alerts`))
	crds := ints(t, o.deps.DB, `SELECT a.crd::bigint FROM catalog.advisers a JOIN catalog.pub_gp_version v USING (crd)
		WHERE a.registration_status = 'registered' AND a.fund_count > 0 AND v.raum > 0 AND a.withdrawn_on IS NULL
		GROUP BY a.crd HAVING count(*) >= 3 ORDER BY a.crd LIMIT 7`)
	require.Len(t, crds, 7)
	// newest is a part of an adviser's newest version, or of the n-th before it.
	newest := func(crd int64, n int) string {
		return fmt.Sprintf(`(SELECT accession FROM catalog.pub_gp_version WHERE crd = '%d' ORDER BY version_order DESC OFFSET %d LIMIT 1)`, crd, n)
	}
	lately := func(crd int64) string {
		return "UPDATE catalog.filings SET filing_date = '2026-11-10', submitted_at = '2026-11-10' WHERE accession = " + newest(crd, 0)
	}
	plant := map[string]struct {
		found string
		by    []string
	}{
		"aum_jumps": {strconv.FormatInt(crds[0], 10), []string{
			lately(crds[0]), `UPDATE catalog.adviser_versions SET raum = raum * 100 WHERE accession = ` + newest(crds[0], 0),
			lately(crds[5]), `UPDATE catalog.adviser_versions SET raum = raum * 100 WHERE accession = ` + newest(crds[5], 0), // it was exempt: no jump
			`UPDATE catalog.adviser_versions SET registration = 'exempt_reporting' WHERE accession = ` + newest(crds[5], 1),
			lately(crds[6]), `UPDATE catalog.adviser_versions SET raum = raum * 100 WHERE accession = ` + newest(crds[6], 0), // exempt in between: no jump
			`UPDATE catalog.adviser_versions SET registration = 'exempt_reporting', raum = NULL WHERE accession = ` + newest(crds[6], 1),
		}},
		"names_reverted": {strconv.FormatInt(crds[1], 10), []string{
			lately(crds[1]), `UPDATE catalog.adviser_versions SET legal_name = 'ALDER' WHERE accession = ` + newest(crds[1], 0),
			`UPDATE catalog.adviser_versions SET legal_name = 'BIRCH' WHERE accession = ` + newest(crds[1], 1),
			`UPDATE catalog.adviser_versions SET legal_name = 'Alder' WHERE accession = ` + newest(crds[1], 2),
			`UPDATE catalog.filings SET filing_date = '2026-09-10' WHERE accession = ` + newest(crds[1], 1),
		}},
		"fund_sums":         {strconv.FormatInt(crds[2], 10), []string{fmt.Sprintf(`UPDATE catalog.advisers SET total_aum = 1 WHERE crd = '%d'`, crds[2])}},
		"vanished_advisers": {strconv.FormatInt(crds[3], 10), []string{fmt.Sprintf(`UPDATE catalog.advisers SET not_listed_since = '2026-11-10' WHERE crd = '%d'`, crds[3])}},
		"future_dates":      {strconv.FormatInt(crds[4], 10), []string{fmt.Sprintf(`UPDATE catalog.advisers SET registered_on = '2062-11-10' WHERE crd = '%d'`, crds[4])}},
		"duplicate_rows": {"torn.csv: 7 rows repeat", []string{`INSERT INTO dataops.ingestion_runs (source, document, location, state, started_at, finished_at, rows_read, duplicates)
			VALUES ('roster', 'torn.csv', '/torn.csv', 'completed', '2026-11-21T08:00Z', '2026-11-21T08:01Z', 40, 7)`}},
		"quarantine_share": {"torn.csv line 3", []string{`INSERT INTO dataops.quarantine (run_id, file, line, reason, raw)
			SELECT min(id), 'torn.csv', 3, 'filing date "13/45/2026" cannot be read in line 3', '' FROM dataops.ingestion_runs`}},
	}
	for metric, p := range plant {
		for _, statement := range p.by {
			o.exec(t, statement)
		}
		for _, other := range silent {
			found := o.judge(t, today, other)
			if other == metric {
				require.Contains(t, found, p.found, metric)
				require.Equal(t, 1, strings.Count(found, "\n"), "%s: %s", metric, found)
				continue
			}
			if planted, there := plant[other]; there && found != "" {
				require.Contains(t, found, planted.found, "%s was planted and %s finds it", metric, other)
				require.Equal(t, 1, strings.Count(found, "\n"), "%s: %s", other, found)
			}
		}
	}
	require.Contains(t, o.judge(t, today, "quarantine_share"), `filing date "…" cannot be read in line #`)
	o.exec(t, `UPDATE catalog.advisers SET website = NULL WHERE crd::bigint % 4 = 0`)
	o.deps.Config.QualityThresholds = "aum_jumps=0,names_reverted=0,fund_sums=0,vanished_advisers=0,duplicate_rows=0,quarantine_share=0"
	o.measure(t, today)
	kinds := `SELECT count(*) FROM dataops.alerts WHERE resolved_at IS NULL AND kind = '`
	for metric := range plant {
		require.Equal(t, []int64{1}, ints(t, o.deps.DB, kinds+metric+`'`), metric)
	}
	require.Equal(t, []int64{1}, ints(t, o.deps.DB, kinds+`null_share' AND subject = 'website'`), "the rise alone is alarming")
	require.Equal(t, []int64{8}, ints(t, o.deps.DB, `SELECT count(*) FROM dataops.alerts WHERE resolved_at IS NULL`))

	// Measured again nothing doubles; below their thresholds again, the metrics close their alerts.
	o.measure(t, today)
	require.Equal(t, []int64{8}, ints(t, o.deps.DB, `SELECT count(*) FROM dataops.alerts`))
	answer := o.do(t, 1, "GET", "quality", "", 200)
	require.Contains(t, fmt.Sprint(answer), strconv.FormatInt(crds[0], 10))
	o.deps.Config.QualityThresholds = "aum_jumps=off,names_reverted=1,fund_sums=1,vanished_advisers=1,duplicate_rows=1,quarantine_share=1,future_dates=9,null_share=1"
	o.measure(t, today)
	require.Equal(t, []int64{0}, ints(t, o.deps.DB, `SELECT count(*) FROM dataops.alerts WHERE resolved_at IS NULL`))
	trend := o.do(t, 1, "GET", "quality/trends?days=2", "", 200)
	for _, s := range trend["data"].([]any) { //nolint:forcetypeassert // a list
		series := s.(map[string]any) //nolint:forcetypeassert // an object
		if series["metric"] == "null_share" && series["dimension"] == "website" {
			require.Len(t, series["points"], 2)
		}
	}
	o.do(t, 1, "GET", "quality/trends?days=91", "", 400)
}

// Ingestions have the quality measured soon after, once for all of ten minutes.
func TestQualityAfterIngestion(t *testing.T) {
	t.Parallel()
	m := newMirror(t)
	deps := m.use(t, "")
	rosterSource(t, &deps)
	for n := range 2 {
		m.serve("/lists/ia110126.csv", roster(5+n))
		_, err := dataops.IngestSources(t.Context(), deps, []string{"lists"}, dataops.IngestOptions{})
		require.NoError(t, err)
	}
	var runAt []time.Time
	require.NoError(t, deps.DB.From(t.Context()).Raw(`SELECT DISTINCT run_at FROM platform.outbox WHERE type = 'dataops.measure_quality' AND task_id = 'dataops.measure_quality:after:2026-11-21T09:10'`).Scan(&runAt).Error)
	require.Len(t, runAt, 1)
	o := newOps(t, deps)
	o.work(t, "dataops.measure_quality")
	require.Positive(t, ints(t, deps.DB, `SELECT count(*) FROM dataops.quality_metrics`)[0])
}

// Thresholds name metrics that have one, and numbers.
func TestQualityThresholds(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"aum_jump=1": `"aum_jump" is not a metric with a threshold; these are aum_jumps, `, "rows_read=1": "is not a metric", "aum_jumps": "must be a number",
		"aum_jumps=-1": "must be a number", "aum_jumps=NaN": "must be a number", "": "", "null_share=0.1, aum_jumps=off,": "",
	} {
		err := dataops.Config{QualityThresholds: text}.Validate()
		if want == "" {
			require.NoError(t, err)
			continue
		}
		require.ErrorContains(t, err, want)
		require.ErrorContains(t, err, "DATAOPS_QUALITY_THRESHOLDS: ")
	}
}

// Advisers that left the lists are counted among those that the lists named before: 5 of 10, not 5 of the 5 that remain.
func TestVanishedAdvisersAreAShareOfThoseBefore(t *testing.T) {
	t.Parallel()
	o := newOps(t, sampled(t))
	const listed = `SELECT count(*) FROM catalog.advisers WHERE withdrawn_on IS NULL AND not_listed_since IS NULL`
	before := ints(t, o.deps.DB, listed)[0]
	o.exec(t, `UPDATE catalog.advisers SET not_listed_since = '2026-11-10' WHERE withdrawn_on IS NULL AND not_listed_since IS NULL AND crd::bigint % 2 = 0`)
	gone := before - ints(t, o.deps.DB, listed)[0]
	require.Positive(t, gone)
	o.measure(t, today)
	const stored = ` FROM dataops.quality_metrics WHERE metric = 'vanished_advisers' AND dimension = ''`
	require.Equal(t, []int64{gone}, ints(t, o.deps.DB, `SELECT affected`+stored))
	require.Equal(t, []int64{before}, ints(t, o.deps.DB, `SELECT total`+stored))
}

// An alert that an operator resolved stays resolved while the same rows are measured again. It comes back when there are more of
// them, when the metric was below its threshold in between, and after 31 days.
func TestResolvedQualityAlertStaysResolved(t *testing.T) {
	t.Parallel()
	o := newOps(t, sampled(t))
	o.deps.Config.QualityThresholds = "vanished_advisers=0"
	open := func() int64 {
		return ints(t, o.deps.DB, `SELECT count(*) FROM dataops.alerts WHERE kind = 'vanished_advisers' AND resolved_at IS NULL`)[0]
	}
	resolve := func() {
		id := ints(t, o.deps.DB, `SELECT max(id) FROM dataops.alerts WHERE kind = 'vanished_advisers'`)[0]
		o.do(t, 1, "POST", fmt.Sprintf("quality/alerts/%d/resolve", id), `{"reason":"The list was cut on purpose."}`, 200)
	}
	vanish := func(n int) {
		o.exec(t, `UPDATE catalog.advisers SET not_listed_since = '2026-11-20' WHERE crd IN (
			SELECT crd FROM catalog.advisers WHERE withdrawn_on IS NULL ORDER BY crd LIMIT ?)`, n)
	}
	vanish(2)
	o.measure(t, today)
	require.EqualValues(t, 1, open())
	resolve()
	o.measure(t, today)
	require.Zero(t, open(), "the same rows")
	o.measure(t, clock.Fixed(today.Now().AddDate(0, 0, 1)))
	require.Zero(t, open(), "the same rows on the next day")
	o.exec(t, `DELETE FROM dataops.quality_metrics`)
	vanish(3)
	o.measure(t, today)
	require.EqualValues(t, 1, open(), "more rows")
	resolve()
	o.exec(t, `UPDATE catalog.advisers SET not_listed_since = NULL`)
	o.measure(t, today)
	vanish(3)
	o.measure(t, today)
	require.EqualValues(t, 1, open(), "gone and back")
	resolve()
	o.exec(t, `UPDATE catalog.advisers SET not_listed_since = '2026-12-20' WHERE not_listed_since IS NOT NULL`)
	o.exec(t, `DELETE FROM dataops.quality_metrics`)
	o.measure(t, clock.Fixed(today.Now().AddDate(0, 0, 31)))
	require.EqualValues(t, 1, open(), "after 31 days")
}
