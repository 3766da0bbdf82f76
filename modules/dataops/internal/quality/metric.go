// Package quality measures how good the data is, once a day and after ingestions, and keeps the figures as series. Each metric has
// a query that lists the rows that it finds. A metric that crosses its threshold raises an alert of its kind.
package quality

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"gpatlas/modules/dataops/internal/run"
)

// scope is what a metric is measured on.
type scope int

const (
	catalog scope = iota // as it stands today
	runs                 // of the day
)

// Metric is one measure of quality.
type Metric struct {
	Name      string
	Title     string
	Threshold float64 // above it the metric raises an alert; negative = never
	rows      string  // the query that lists what it finds: dimension, crd, detail, weight
	total     string  // the query that counts what it looks at; empty = there is no share
	scope     scope
	rise      bool // the threshold is for the rise since the day measured before
	summed    bool // the value is of all dimensions together; its own dimensions show where it comes from
}

var (
	//go:embed sql/aum_jumps.sql
	aumJumpsSQL string
	//go:embed sql/future_dates.sql
	futureDatesSQL string
	//go:embed sql/names_reverted.sql
	namesRevertedSQL string
)

// Runs of the day, with the rows that they read.
const rowsReadSQL = `SELECT '' AS dimension, '' AS crd, 'run ' || id || ', ' || document || ': ' || rows_read || ' rows' AS detail, rows_read AS weight
FROM dataops.ingestion_runs WHERE started_at >= @from::timestamptz AND started_at < @until::timestamptz AND state <> 'running'`

// Rows that the day's runs read.
const runsTotalSQL = `SELECT coalesce(sum(rows_read), 0)::bigint FROM dataops.ingestion_runs
WHERE started_at >= @from::timestamptz AND started_at < @until::timestamptz AND state <> 'running'`

// Rows with a key that the day's runs read. Runs of before they were counted have all their rows here.
const keyedTotalSQL = `SELECT coalesce(sum(coalesce(keyed_rows, rows_read)), 0)::bigint FROM dataops.ingestion_runs
WHERE started_at >= @from::timestamptz AND started_at < @until::timestamptz AND state <> 'running'`

// Rows of the day's runs that could not be used, by their reason without figures and what is quoted.
const quarantineShareSQL = `SELECT ` + run.FoldedReason + ` AS dimension, '' AS crd,
	'run ' || r.id || ', ' || q.file || ' line ' || q.line AS detail, 1::bigint AS weight
FROM dataops.ingestion_runs r JOIN dataops.quarantine q ON q.run_id = r.id
WHERE r.started_at >= @from::timestamptz AND r.started_at < @until::timestamptz AND r.state <> 'running'`

// Runs of the day whose document repeats rows.
const duplicateRowsSQL = `SELECT '' AS dimension, '' AS crd, 'run ' || id || ', ' || document || ': ' || duplicates || ' rows repeat an earlier one' AS detail, duplicates AS weight
FROM dataops.ingestion_runs WHERE started_at >= @from::timestamptz AND started_at < @until::timestamptz AND state <> 'running' AND duplicates > 0`

// GPs that are no former ones.
const gpsTotalSQL = `SELECT count(*) FROM catalog.pub_gp WHERE NOT former`

// GPs that the lists of the last 31 days no longer name, though they have not withdrawn.
const vanishedAdvisersSQL = `SELECT '' AS dimension, crd, 'not listed since ' || not_listed_since AS detail, 1::bigint AS weight
FROM catalog.pub_gp WHERE withdrawn_on IS NULL AND not_listed_since > @day::date - 31`

// The total of vanished_advisers: GPs that have not withdrawn, and are listed now or were 31 days ago.
const vanishedTotalSQL = `SELECT count(*) FROM catalog.pub_gp WHERE withdrawn_on IS NULL AND (not_listed_since IS NULL OR not_listed_since > @day::date - 31)`

// nullFields are the fields of null_share with the condition under which a GP (g) lacks the value. Each has its figure also when it is known of
// all GPs.
var nullFields = [][2]string{
	{"city", "g.city IS NULL"},
	{"country", "g.country_code IS NULL"},
	{"website", "g.website IS NULL"},
	{"total_aum", "g.total_aum IS NULL"},
	{"employee_count", "g.employee_count IS NULL"},
	{"fund_count", "g.fund_count IS NULL"},
	{"primary_strategy", "g.primary_strategy IS NULL AND g.fund_count > 0"},
	{"registration_status", "g.registration_status IS NULL"},
}

// nullShareSQL lists GPs with a field whose value is unknown, one row for each such field.
func nullShareSQL() string {
	var values []string
	for _, f := range nullFields {
		values = append(values, "('"+f[0]+"', "+f[1]+")")
	}
	return `SELECT f.name AS dimension, g.crd, f.name || ' is not known' AS detail, 1::bigint AS weight
FROM catalog.pub_gp g CROSS JOIN LATERAL (VALUES ` + strings.Join(values, ", ") + `) AS f (name, missing)
WHERE f.missing AND NOT g.former`
}

// GPs that filed in the last 31 days.
const filedTotalSQL = `SELECT count(DISTINCT crd) FROM catalog.pub_filing WHERE filing_date > @day::date - 31`

// Registered GPs, without former ones, whose funds, feeders counted with their masters, have more than twice the assets that the GP reports in all.
const fundSumsSQL = `SELECT '' AS dimension, crd, fund_count || ' funds have ' || net_gav || ', all clients together ' || total_aum AS detail, 1::bigint AS weight
FROM catalog.pub_gp WHERE registration_status = 'registered' AND NOT former AND total_aum > 0 AND net_gav > 2 * total_aum`

// Registered GPs, without former ones, that report their AUM and have funds.
const fundSumsTotalSQL = `SELECT count(*) FROM catalog.pub_gp WHERE registration_status = 'registered' AND NOT former AND total_aum > 0 AND fund_count > 0`

// never is the threshold of a metric that raises no alert.
const never = -1

// metrics are all of them, with the thresholds that hold unless the settings name others. Of real months less than one adviser in
// fifty vanishes, and real documents have hardly an unusable row.
func metrics() []Metric {
	return []Metric{
		{Name: "rows_read", Title: "Rows that the day's ingestions read", Threshold: never, rows: rowsReadSQL, scope: runs, summed: true},
		{Name: "quarantine_share", Title: "Share of the day's rows that could not be used, by reason", Threshold: 0.02, rows: quarantineShareSQL, total: runsTotalSQL, scope: runs, summed: true},
		{Name: "duplicate_rows", Title: "Share of the day's rows with a key (filings, funds, withdrawals, notices) that repeat an earlier one", Threshold: 0.01, rows: duplicateRowsSQL, total: keyedTotalSQL, scope: runs, summed: true},
		{Name: "vanished_advisers", Title: "Share of GPs that the lists of the last 31 days no longer name", Threshold: 0.02, rows: vanishedAdvisersSQL, total: vanishedTotalSQL, summed: true},
		{Name: "null_share", Title: "Share of GPs of which a field is not known, by field. The threshold is for the rise since the day before", Threshold: 0.05, rows: nullShareSQL(), total: gpsTotalSQL, rise: true},
		{Name: "aum_jumps", Title: "Share of GPs that filed in the last 31 days whose AUM jumped by more than ten times", Threshold: 0.02, rows: aumJumpsSQL, total: filedTotalSQL, summed: true},
		{Name: "fund_sums", Title: "Share of registered GPs whose funds have more than twice the assets of the GP", Threshold: 0.05, rows: fundSumsSQL, total: fundSumsTotalSQL, summed: true},
		{Name: "future_dates", Title: "Filings, registrations, vintages and first sales that are dated in the future", Threshold: 0, rows: futureDatesSQL, summed: true},
		{Name: "names_reverted", Title: "Share of GPs that filed in the last 31 days whose name was changed and changed back", Threshold: 0.01, rows: namesRevertedSQL, total: filedTotalSQL, summed: true},
	}
}

// Metrics are all metrics, with thresholds as set ("aum_jumps=0.01,null_share=0.1"; "off" instead of a number is never).
func Metrics(thresholds string) ([]Metric, error) {
	list := metrics()
	byName := map[string]*Metric{}
	for i := range list {
		byName[list[i].Name] = &list[i]
	}
	for part := range strings.SplitSeq(thresholds, ",") {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		name, text, _ := strings.Cut(part, "=")
		m := byName[name]
		if m == nil || m.scope == runs && m.Threshold == never {
			return nil, fmt.Errorf("%q is not a metric with a threshold; these are %s", name, strings.Join(named(byName), ", "))
		}
		if text == "off" {
			m.Threshold = never
			continue
		}
		n, err := strconv.ParseFloat(text, 64)
		if err != nil || !(n >= 0 && n <= 1e9) {
			return nil, fmt.Errorf("the threshold of %s must be a number from 0 on, or off", name)
		}
		m.Threshold = n
	}
	return list, nil
}

func named(byName map[string]*Metric) []string {
	names := slices.Sorted(maps.Keys(byName))
	return slices.DeleteFunc(names, func(n string) bool { return n == "rows_read" })
}

// SQL is the query that lists what the metric finds. Its arguments are @day, or @from and @until.
func (m Metric) SQL() string { return m.rows }
