package bench_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"gpatlas/platform/localserver"
)

// tenfold makes ten catalogs of the one in a data folder.
func tenfold(ctx context.Context, tb testing.TB, dataDir string) {
	tb.Helper()
	stack, err := localserver.Open(ctx, localserver.Config{Dir: dataDir, Command: "gpatlas bench", NoRedis: true})
	require.NoError(tb, err)
	defer func() { require.NoError(tb, stack.Stop(context.WithoutCancel(ctx))) }()
	conn, err := pgx.Connect(ctx, stack.DatabaseURL())
	require.NoError(tb, err)
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	require.NoError(tb, multiply(ctx, conn))
	_, err = conn.Exec(ctx, "VACUUM ANALYZE")
	require.NoError(tb, err)
}

// multiply copies what is searched inside the database: to ingest ten times the filings would take an hour and lead to
// the same rows. Each copy has numbers of its own, and names whose first word is one that no other copy has, so that the
// text index grows as it would with ten times the firms.
func multiply(ctx context.Context, conn *pgx.Conn) error {
	const renamed = `regexp_replace(%s, '^(\w+)', '\1' || $2::text)`
	name := func(column string) string { return fmt.Sprintf(renamed, column) }
	const number = "(%s::bigint + $1::bigint * 1000000)"
	for i, ending := range []string{"el", "or", "an", "ith", "und", "ask", "ime", "orp", "ev"}[:copies-1] {
		k := i + 1
		if err := copyRows(ctx, conn, "advisers", k, ending, map[string]string{
			"crd": fmt.Sprintf(number, "crd") + "::text", "canonical_gp_id": fmt.Sprintf(number, "canonical_gp_id"),
			"legal_name": name("legal_name"), "business_name": name("business_name"),
		}); err != nil {
			return err
		}
		if err := copyRows(ctx, conn, "funds", k, ending, map[string]string{
			"adviser_crd": fmt.Sprintf(number, "adviser_crd") + "::text", "name": name("name"),
			"fund_id": "'805-' || lpad(($1::bigint * 100000000 + id)::text, 10, '0')", // the sample's own begin at 1000000000
		}); err != nil {
			return err
		}
		if err := copyRows(ctx, conn, "records", k, ending, map[string]string{
			"crd": fmt.Sprintf(number, "crd") + "::text", "others": "CASE WHEN $2::text = '' THEN others END", // no copy shares a fund
		}); err != nil {
			return err
		}
	}
	return nil
}

// copyRows inserts the sample's own rows again with some columns changed. $1 is the copy's number, $2 its syllable.
func copyRows(ctx context.Context, conn *pgx.Conn, table string, k int, ending string, changed map[string]string) error {
	rows, err := conn.Query(ctx, `SELECT column_name::text FROM information_schema.columns
		WHERE table_schema = 'catalog' AND table_name = $1 AND is_identity = 'NO' ORDER BY ordinal_position`, table)
	if err != nil {
		return err
	}
	columns, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return err
	}
	values := make([]string, len(columns))
	for i, column := range columns {
		values[i] = column
		if expression, ok := changed[column]; ok {
			values[i] = expression
		}
	}
	where := map[string]string{"advisers": "length(crd) <= 6", "records": "length(crd) <= 6", "funds": "fund_id >= '805-1' AND length(adviser_crd) <= 6"}[table]
	_, err = conn.Exec(ctx, fmt.Sprintf("INSERT INTO catalog.%s (%s) SELECT %s FROM catalog.%[1]s WHERE %[4]s",
		table, strings.Join(columns, ", "), strings.Join(values, ", "), where), k, ending)
	if err != nil {
		return fmt.Errorf("copy %s: %w", table, err)
	}
	return nil
}
