package dataops_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/dataops"
	"gpatlas/platform/testkit/httpapitest"
)

// market fills the database with a market of invented advisers and a year of runs: 40,000 advisers with 8 versions, 250,000
// funds, ten extractions and twenty documents a day.
var market = []string{
	`INSERT INTO catalog.filings (accession, crd, source, form_type, amendment_type, filing_date, submitted_at, funds_listed, document, run_id)
		SELECT 'ADV-' || c || '-' || n, c::text, 'adv_archive', 'ADV/A', 'annual', d, d, true, 'x.zip', 1
		FROM generate_series(100000, 139999) c, generate_series(0, 7) n, LATERAL (SELECT DATE '2026-11-20' - n * 90 - (c % 90) AS d) x`,
	`INSERT INTO catalog.adviser_versions (crd, accession, legal_name, raum, row_hash) SELECT crd, accession, 'FIRM ' || crd, 1000000000, '\x00' FROM catalog.filings`,
	`INSERT INTO catalog.advisers (crd, legal_name, registration_status, total_aum, fund_count, canonical_gp_id, name_stem, first_filed_on, latest_accession, latest_form_type,
		latest_filed_on, newest_filed_on, city, country_code, website)
		SELECT c::text, 'FIRM ' || c, 'registered', 1000000000, 6, c, 'firm', '2020-01-01', 'ADV-' || c || '-0', 'ADV/A', '2026-11-01', '2026-11-01', 'Troy', 'US', NULL
		FROM generate_series(100000, 139999) c`,
	`INSERT INTO catalog.funds (fund_id, adviser_crd, name, gross_asset_value, strategy, vintage_year, vintage_quality, status, first_filed_on, latest_accession,
		latest_form_type, latest_filed_on)
		SELECT '805-' || lpad(n::text, 10, '0'), (100000 + n % 40000)::text, 'FUND ' || n, 100000000, 'venture', 2020, 'first_filing', 'active', '2020-01-01', 'x', 'ADV/A', '2026-11-01'
		FROM generate_series(1, 250000) n`,
	`INSERT INTO dataops.extractions (source_name, trigger, state, created_at, started_at, finished_at)
		SELECT 'advw', 'schedule', 'completed', t, t, t + interval '1 minute' FROM generate_series(timestamptz '2025-11-21', '2026-11-21', interval '2.4 hours') t`,
	`INSERT INTO dataops.ingestion_runs (source, document, location, state, started_at, finished_at, rows_read, duplicates, extraction_id)
		SELECT 'advw', 'x.zip', '/x.zip', 'completed', created_at, created_at, 1000, 0, id FROM dataops.extractions, generate_series(1, 2)`,
	`INSERT INTO dataops.alerts (kind, subject, reason, created_at, raised_at, resolved_at) SELECT 'fund_sums', n::text, 'x', now(), now(), now() FROM generate_series(1, 2000) n`,
	`ANALYZE`,
}

// BenchmarkOperators measures the dashboard (its p99 in p99-ms) and one measure of the quality (measure-s), at the size of the
// market and with a year of runs.
func BenchmarkOperators(b *testing.B) {
	deps := setup(b)
	for _, statement := range market {
		require.NoError(b, deps.DB.From(b.Context()).Exec(statement).Error)
	}
	m, err := dataops.Build(deps)
	require.NoError(b, err)
	var measured time.Duration
	for _, h := range m.Jobs {
		if h.Type == "dataops.measure_quality" {
			begun := time.Now()
			require.NoError(b, h.Run(b.Context(), nil))
			measured = time.Since(begun)
		}
	}
	host := httpapitest.New(b, m.Routes...)
	var took []time.Duration
	for b.Loop() {
		begun := time.Now()
		host.Do(b, httpapitest.Scenario{Path: below + "dashboard", As: admin(1)})
		took = append(took, time.Since(begun))
	}
	slices.Sort(took)
	b.ReportMetric(measured.Seconds(), "measure-s")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
}
