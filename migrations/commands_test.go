package migrations_test

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"gpatlas/platform/database"
	"gpatlas/platform/testkit/dbtest"
)

// What commands decided about people before they created overrides is of an override afterward: of the one that said the same, or of a new
// one. The order of decisions stays.
func TestCommandsBecomeOverrides(t *testing.T) {
	t.Parallel()
	url := dbtest.NewEmptyURL(t)
	require.NoError(t, database.MigrateUp(t.Context(), url))
	require.NoError(t, database.MigrateDown(t.Context(), url, 20261124160000))
	c, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	defer func() { _ = c.Close(t.Context()) }()
	_, err = c.Exec(t.Context(), `
		INSERT INTO dataops.overrides (type, entity_id, field, value, original, reason, valid_from, created_at, created_by)
		SELECT type, entity, field, value, 'null', 'a letter', '2026-11-01', '2026-11-01Z', 7
		FROM (VALUES ('person_merge', 'a', '', '"b"'::jsonb), ('person_suppress', 's', '', 'true')) AS o (type, entity, field, value);
		INSERT INTO people.decisions (kind, uid, crd, to_uid, reason, override_id, created_at)
		VALUES ('split', 'b', '900101', 'c', 'a namesake', NULL, '2026-11-02Z'), ('merge', 'a', NULL, 'b', 'a letter', 1, '2026-11-03Z'),
			('merge', 'a', NULL, 'b', 'a word', NULL, '2026-11-04Z'), ('merge', 'x', NULL, 'y', 'old', NULL, '2026-11-04Z'),
			('merge', 'x', NULL, 'z', 'new', NULL, '2026-11-05Z');
		INSERT INTO people.suppressions (key_hash, person_uid, of_uid, reason, override_id, created_at)
		VALUES ('1', 's', 's', 'a letter', 2, '2026-11-01Z'), ('1', 's', 's', 'objected', NULL, '2026-11-06Z'), ('2', 's', 's', 'objected', NULL, '2026-11-06Z'),
			('3', 't', 't', 'objected', NULL, '2026-11-07Z'), ('4', 't', 't', 'objected', NULL, '2026-11-07Z')`)
	require.NoError(t, err)
	require.NoError(t, database.MigrateUp(t.Context(), url))
	for query, want := range map[string]string{
		`SELECT string_agg(concat_ws(' ', id, type, entity_id, nullif(field, ''), value, original, reason, coalesce(created_by::text, '-')), '; ' ORDER BY id) FROM dataops.overrides`: `1 person_merge a "b" null a letter 7; 2 person_suppress s true null a letter 7; ` +
			`3 person_split b 900101 "900101" "b" a namesake -; 5 person_merge x "z" "x" new -; 7 person_suppress t true false objected -`,
		`SELECT string_agg(concat_ws(' ', kind, uid, to_uid, override_id), '; ' ORDER BY id) FROM people.decisions`:             `split b c 3; merge a b 1; merge a b 1; merge x y 5; merge x z 5`,
		`SELECT string_agg(concat_ws(' ', key_hash, person_uid, override_id), '; ' ORDER BY key_hash) FROM people.suppressions`: `1 s 2; 2 s 2; 3 t 7; 4 t 7`,
	} {
		var got string
		require.NoError(t, c.QueryRow(t.Context(), query).Scan(&got), query)
		require.Equal(t, want, got, query)
	}
}
