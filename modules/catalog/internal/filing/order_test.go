package filing_test

import (
	"fmt"
	"regexp"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/internal/filing"
	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/modules/catalog/internal/testkit/fixture"
	"gpatlas/platform/testkit/httpapitest"
)

// A day with a filing of every source, twice each. They differ in the time of submission or in the length of the FilingID, and
// accession numbers sort otherwise than both.
const dayOfAllSQL = `INSERT INTO catalog.filings
(accession, crd, source, filing_id, form_type, amendment_type, filing_date, submitted_at, funds_listed, document, run_id)
SELECT format('%s-900008-%s-%s', n.name, i.id, h.hour), '900008', n.source, CASE WHEN n.source IN ('adv_archive', 'advw') THEN i.id END,
	CASE n.source WHEN 'advw' THEN 'ADV-W' ELSE 'ADV/A' END, CASE n.source WHEN 'advw' THEN 'withdrawal' ELSE 'material' END,
	'2026-07-02', timestamptz '2026-07-02 00:00Z' + make_interval(hours => h.hour), false, 'd', 9
FROM (VALUES ('ADV', 'adv_archive'), ('ADVW', 'advw'), ('FEED', 'iapd_feed'), ('LIST', 'fund_list'), ('ROSTER', 'roster')) AS n (name, source),
	(VALUES (999999), (1000000)) AS i (id), (VALUES (0), (9), (16)) AS h (hour)`

// The published order of versions is the order of the fold, and the list of filings has it.
func TestOrder(t *testing.T) {
	t.Parallel()
	c := fixture.New(t)
	_, err := c.DB.Pool().Exec(t.Context(), dayOfAllSQL)
	require.NoError(t, err)
	rows, err := c.DB.Pool().Query(t.Context(), `SELECT f.accession, f.source AS doc_source, f.filing_date, f.submitted_at, coalesce(f.filing_id, 0) AS filing_id
		FROM catalog.pub_filing p JOIN catalog.filings f USING (accession) ORDER BY p.version_order`)
	require.NoError(t, err)
	all, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (f fold.Filing, err error) {
		err = row.Scan(&f.Accession, &f.DocSource, &f.FilingDate, &f.SubmittedAt, &f.FilingID)
		return f, err
	})
	require.NoError(t, err)
	require.Greater(t, len(all), 30)
	require.True(t, slices.IsSortedFunc(all, func(a, b fold.Filing) int { return fold.Order(&a, &b) }), "%v", all)

	var want []string
	for _, hour := range []int{16, 9, 0} {
		for _, id := range []int{1000000, 999999} {
			want = append(want, fmt.Sprintf("ADVW-900008-%d-%d", id, hour), fmt.Sprintf("ADV-900008-%d-%d", id, hour))
		}
	}
	got := httpapitest.New(t, filing.Routes(filing.NewService(c.DB, c.Index, c.Clock))...).Do(t, httpapitest.Scenario{Path: "/v1/gps/900008/filings?limit=12"})
	var list []string
	for _, m := range regexp.MustCompile(`"accession_number":"([^"]+)"`).FindAllStringSubmatch(got.Body, -1) {
		list = append(list, m[1])
	}
	require.Equal(t, want, list)
}
