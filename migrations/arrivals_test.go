package migrations_test

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"gpatlas/platform/database"
	"gpatlas/platform/testkit/dbtest"
)

// What was loaded before arrivals were counted has arrived in the order of its processing: a filing by itself, a fund with
// the first filing of its adviser that names it, a notice of Form D when both it and its fund were there. New rows outside
// of a load have no number.
func TestArrivalsOfWhatIsThere(t *testing.T) {
	t.Parallel()
	url := dbtest.NewEmptyURL(t)
	require.NoError(t, database.MigrateUp(t.Context(), url))
	require.NoError(t, database.MigrateDown(t.Context(), url, 20261122000499))
	c, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	defer func() { _ = c.Close(t.Context()) }()
	_, err = c.Exec(t.Context(), `
		INSERT INTO catalog.filings (accession, crd, source, form_type, amendment_type, filing_date, submitted_at, funds_listed, document, run_id, processed_at)
		SELECT 'ADV-7-' || n, '7', 'adv_archive', 'ADV', 'initial', '2026-01-01', '2026-01-01', true, 'a.zip', n, '2026-02-01 12:00Z'::timestamptz + n * interval '1 day'
		FROM unnest(ARRAY[3, 1, 2]) AS n;
		INSERT INTO catalog.fund_versions (fund_id, accession, crd, name, row_hash)
		SELECT '805-0000000001', 'ADV-7-' || n, '7', 'Larkspur Fund', '' FROM unnest(ARRAY[3, 2]) AS n;
		INSERT INTO catalog.advisers (crd, legal_name, canonical_gp_id, name_stem, first_filed_on, latest_accession, latest_form_type, latest_filed_on)
		VALUES ('7', 'Larkspur LLC', 7, 'larkspur', '2026-01-01', 'ADV-7-3', 'ADV', '2026-01-01');
		INSERT INTO catalog.funds (fund_id, adviser_crd, name, strategy, vintage_year, vintage_source, status, first_filed_on, latest_accession, latest_form_type, latest_filed_on)
		VALUES ('805-0000000001', '7', 'Larkspur Fund', 'buyout', 2026, 'first_filing', 'active', '2026-01-01', 'ADV-7-3', 'ADV', '2026-01-01');
		INSERT INTO catalog.offerings (accession, form_type, filing_date, chain, indefinite, document, run_id, processed_at, row_hash)
		SELECT '0009999999-26-00000' || n, 'D', '2026-01-01', 'x', false, 'd.zip', n, '2026-02-01 12:00Z'::timestamptz + n * interval '1 day', ''
		FROM unnest(ARRAY[0, 9]) AS n;
		INSERT INTO catalog.offering_funds (accession, fund_id, matched_by)
		SELECT accession, '805-0000000001', 'name' FROM catalog.offerings`)
	require.NoError(t, err)
	require.NoError(t, database.MigrateUp(t.Context(), url))
	for query, want := range map[string]string{
		`SELECT string_agg(accession || ' ' || arrival, ', ' ORDER BY accession) FROM catalog.pub_filing`:                                 "ADV-7-1 2, ADV-7-2 3, ADV-7-3 4",
		`SELECT string_agg(arrival::text, ', ') FROM catalog.pub_fund`:                                                                    "3",
		`SELECT string_agg(arrival::text, ', ' ORDER BY accession) FROM catalog.pub_offering`:                                             "3, 5",
		`SELECT string_agg(extract(day FROM known_at AT TIME ZONE 'UTC')::text, ', ' ORDER BY arrival) FROM catalog.arrivals`:             "1, 2, 3, 4, 10",
		`SELECT count(*)::text FROM catalog.pub_filing f JOIN catalog.arrivals a USING (processed_at) WHERE a.known_at <> f.processed_at`: "0",
		`SELECT nextval('catalog.arrival_numbers')::text`:                                                                                 "6",
		`INSERT INTO catalog.offering_funds (accession, fund_id, matched_by) VALUES ('x', 'y', 'name') RETURNING arrival::text`:           "0",
	} {
		var got string
		require.NoError(t, c.QueryRow(t.Context(), query).Scan(&got), query)
		require.Equal(t, want, got, query)
	}
}
