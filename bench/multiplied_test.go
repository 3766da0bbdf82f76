package bench_test

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"gpatlas/platform/testkit/dbtest"
)

// Guarantee: ten catalogs of one, whatever columns the tables have by now: each adviser and fund ten times, under numbers
// and names of its own, with the funds at their own copy's adviser.
func TestMultiply(t *testing.T) {
	t.Parallel()
	conn, err := pgx.Connect(t.Context(), dbtest.NewURL(t))
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close(t.Context())) }()
	for _, statement := range []string{
		`INSERT INTO catalog.filings (accession, crd, source, form_type, amendment_type, filing_date, submitted_at, funds_listed, document, run_id)
			VALUES ('ADV-1', '300001', 'adv_archive', 'ADV', 'annual', '2026-03-01', '2026-03-01', true, 'invented.zip', 1)`,
		`INSERT INTO catalog.advisers (crd, legal_name, canonical_gp_id, name_stem, first_filed_on, latest_accession, latest_form_type, latest_filed_on, newest_filed_on)
			VALUES ('300001', 'Invented Growth Partners', 300001, 'x', '2026-03-01', 'ADV-1', 'ADV', '2026-03-01', '2026-03-01')`,
		`INSERT INTO catalog.funds (fund_id, adviser_crd, name, strategy, vintage_year, vintage_quality, status, first_filed_on, latest_accession, latest_form_type, latest_filed_on)
			VALUES ('805-1000000007', '300001', 'Invented Growth Fund', 'venture', 2015, 'first_filing', 'active', '2026-03-01', 'ADV-1', 'ADV', '2026-03-01')`,
	} {
		_, err := conn.Exec(t.Context(), statement)
		require.NoError(t, err)
	}
	require.NoError(t, multiply(t.Context(), conn))
	var advisers, names, funds, ids, words int
	require.NoError(t, conn.QueryRow(t.Context(), `
		SELECT count(DISTINCT a.crd), count(DISTINCT a.legal_name), count(*), count(DISTINCT f.fund_id), count(DISTINCT split_part(f.name, ' ', 1))
		FROM catalog.advisers a JOIN catalog.funds f ON f.adviser_crd = a.crd WHERE a.canonical_gp_id::text = a.crd`).Scan(&advisers, &names, &funds, &ids, &words))
	require.Equal(t, []int{10, 10, 10, 10, 10}, []int{advisers, names, funds, ids, words})
}
