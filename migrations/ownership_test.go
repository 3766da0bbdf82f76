package migrations_test

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/stretchr/testify/require"

	"gpatlas/migrations"
	"gpatlas/platform/testkit/dbtest"
)

// fileName is <version>_<schema>_<verb>_<what>.sql.
var fileName = regexp.MustCompile(`^\d{14}_([a-z]+)_[a-z0-9]+_[a-z0-9_]+\.sql$`)

// schemasOf maps every migration file to the schema that its name says.
func schemasOf(files fs.FS) (map[string]string, error) {
	names, err := fs.Glob(files, "*.sql")
	if err != nil {
		return nil, err
	}
	schemas := map[string]string{}
	for _, name := range names {
		m := fileName.FindStringSubmatch(name)
		if m == nil {
			return nil, fmt.Errorf("%s: the name is not <14 digits>_<schema>_<verb>_<what>.sql", name)
		}
		schemas[name] = m[1]
	}
	return schemas, nil
}

// objects lists everything in the database that is not PostgreSQL's own or goose's.
const objects = `
SELECT n.nspname, 'relation ' || c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
UNION ALL SELECT n.nspname, 'function ' || p.proname FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
UNION ALL SELECT n.nspname, 'type ' || y.typname FROM pg_type y JOIN pg_namespace n ON n.oid = y.typnamespace
UNION ALL SELECT n.nspname, 'operator ' || o.oprname FROM pg_operator o JOIN pg_namespace n ON n.oid = o.oprnamespace
UNION ALL SELECT n.nspname, 'collation ' || l.collname FROM pg_collation l JOIN pg_namespace n ON n.oid = l.collnamespace
UNION ALL SELECT n.nspname, 'statistics ' || s.stxname FROM pg_statistic_ext s JOIN pg_namespace n ON n.oid = s.stxnamespace
UNION ALL SELECT n.nspname, 'text search ' || g.cfgname FROM pg_ts_config g JOIN pg_namespace n ON n.oid = g.cfgnamespace
UNION ALL SELECT n.nspname, 'schema' FROM pg_namespace n`

// objectFaults applies the files one by one and reports each object that a file makes outside its own schema.
func objectFaults(ctx context.Context, url string, files fs.FS) ([]string, error) {
	schemas, err := schemasOf(files)
	if err != nil {
		return nil, err
	}
	cc, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, err
	}
	db := stdlib.OpenDB(*cc)
	defer func() { _ = db.Close() }()
	p, err := goose.NewProvider(goose.DialectPostgres, db, files, goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return nil, err
	}
	list := func() (map[[2]string]bool, error) {
		rows, err := db.QueryContext(ctx, "SELECT * FROM ("+objects+") o (nspname, what) WHERE nspname !~ '^(pg_|information_schema$)' AND what !~ ' _?goose_db_version'")
		if err != nil {
			return nil, err
		}
		defer func() { _ = rows.Close() }()
		found := map[[2]string]bool{}
		for rows.Next() {
			var o [2]string
			if err := rows.Scan(&o[0], &o[1]); err != nil {
				return nil, err
			}
			found[o] = true
		}
		return found, rows.Err()
	}
	before, err := list()
	if err != nil {
		return nil, err
	}
	var faults []string
	for _, file := range slices.Sorted(maps.Keys(schemas)) {
		if _, err := p.UpByOne(ctx); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		after, err := list()
		if err != nil {
			return nil, err
		}
		for o := range after {
			if !before[o] && o[0] != schemas[file] {
				faults = append(faults, fmt.Sprintf("%s: makes %s in schema %s", file, o[1], o[0]))
			}
		}
		before = after
	}
	slices.Sort(faults)
	return faults, nil
}

func TestObjectsLiveInTheirSchema(t *testing.T) {
	t.Parallel()
	faults, err := objectFaults(t.Context(), dbtest.NewEmptyURL(t), migrations.FS)
	require.NoError(t, err)
	require.Empty(t, faults)
}

func migration(up string) *fstest.MapFile {
	return &fstest.MapFile{Data: []byte("-- +goose Up\n" + up + "\n-- +goose Down\nSELECT 1;\n")}
}

func TestObjectFaults(t *testing.T) {
	t.Parallel()
	faults, err := objectFaults(t.Context(), dbtest.NewEmptyURL(t), fstest.MapFS{
		"20260101000000_shop_create_things.sql": migration(`CREATE SCHEMA shop; CREATE TABLE shop.things (id int);
			CREATE FUNCTION one() RETURNS int LANGUAGE sql AS 'SELECT 1';`),
		"20260102000000_farm_create_animals.sql": migration("CREATE SCHEMA farm; CREATE VIEW shop.spare AS SELECT 1 AS x; CREATE TYPE public.mood AS ENUM ('a');"),
	})
	require.NoError(t, err)
	require.Equal(t, []string{
		"20260101000000_shop_create_things.sql: makes function one in schema public",
		"20260102000000_farm_create_animals.sql: makes relation spare in schema shop",
		"20260102000000_farm_create_animals.sql: makes type _mood in schema public",
		"20260102000000_farm_create_animals.sql: makes type _spare in schema shop",
		"20260102000000_farm_create_animals.sql: makes type mood in schema public",
		"20260102000000_farm_create_animals.sql: makes type spare in schema shop",
	}, faults)
	_, err = objectFaults(t.Context(), dbtest.NewEmptyURL(t), fstest.MapFS{"1_init.sql": migration("SELECT 1;")})
	require.ErrorContains(t, err, "1_init.sql")
}

// crossing lists the foreign keys that tie one module's tables to another's: neither could then change or leave alone.
func crossing(ctx context.Context, c *pgx.Conn) ([]string, error) {
	rows, err := c.Query(ctx, `SELECT format('%s: %s refers to %s', k.conname, k.conrelid::regclass, k.confrelid::regclass)
		FROM pg_constraint k JOIN pg_class a ON a.oid = k.conrelid JOIN pg_class b ON b.oid = k.confrelid
		WHERE a.relnamespace <> b.relnamespace ORDER BY 1`)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

func TestNoConstraintCrossesSchemas(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	require.NoError(t, db.Conn(t.Context(), func(c *pgx.Conn) error {
		found, err := crossing(t.Context(), c)
		require.Empty(t, found)
		return err
	}))
}

func TestCrossing(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	require.NoError(t, db.From(t.Context()).Exec(`CREATE SCHEMA shop; CREATE TABLE shop.things (id int PRIMARY KEY);
		CREATE SCHEMA farm; CREATE TABLE farm.animals (thing int CONSTRAINT owned REFERENCES shop.things (id))`).Error)
	require.NoError(t, db.Conn(t.Context(), func(c *pgx.Conn) error {
		found, err := crossing(t.Context(), c)
		require.Equal(t, []string{"owned: farm.animals refers to shop.things"}, found)
		return err
	}))
}

var (
	comments  = regexp.MustCompile(`(?s)--[^\n]*|/\*.*?\*/`)
	literals  = regexp.MustCompile(`'(?:[^']|'')*'`)
	qualified = regexp.MustCompile(`(?i)(?:^|[^\w."])"?([a-z_]\w*)"?\s*\.\s*"?([a-z_]\w*)`)
	schemaDDL = regexp.MustCompile(`(?i)\bSCHEMA\s+(?:IF\s+(?:NOT\s+)?EXISTS\s+)?"?(\w+)`)
	path      = regexp.MustCompile(`(?i)\bsearch_path\b`)
)

// nameFaults reports where a file's SQL names another module's schema, or leans on the search path. What a module
// publishes for others, views called pub_…, may be named. Bodies of functions are read too.
func nameFaults(files fs.FS) ([]string, error) {
	schemas, err := schemasOf(files)
	if err != nil {
		return nil, err
	}
	known := map[string]bool{"public": true}
	for _, s := range schemas {
		known[s] = true
	}
	var faults []string
	for _, file := range slices.Sorted(maps.Keys(schemas)) {
		text, err := fs.ReadFile(files, file)
		if err != nil {
			return nil, err
		}
		sql := literals.ReplaceAllString(comments.ReplaceAllString(string(text), " "), "''")
		for _, m := range qualified.FindAllStringSubmatch(sql, -1) {
			name := strings.ToLower(m[1])
			if known[name] && name != schemas[file] && !strings.HasPrefix(m[2], "pub_") {
				faults = append(faults, fmt.Sprintf("%s: names %s.%s", file, name, m[2]))
			}
		}
		for _, m := range schemaDDL.FindAllStringSubmatch(sql, -1) {
			if name := strings.ToLower(m[1]); name != schemas[file] {
				faults = append(faults, fmt.Sprintf("%s: names schema %s", file, name))
			}
		}
		if path.MatchString(sql) {
			faults = append(faults, file+": leans on search_path")
		}
	}
	return faults, nil
}

func TestFilesNameOnlyTheirSchema(t *testing.T) {
	t.Parallel()
	faults, err := nameFaults(migrations.FS)
	require.NoError(t, err)
	require.Empty(t, faults)
}

func TestNameFaults(t *testing.T) {
	t.Parallel()
	faults, err := nameFaults(fstest.MapFS{
		"20260101000000_shop_create_things.sql": migration(`-- farm.animals in a comment /* farm.animals */
			CREATE TABLE shop.things (note text DEFAULT 'farm.animals');
			CREATE VIEW shop.v AS SELECT f.id FROM farm.pub_animals f;`),
		"20260102000000_farm_alter_animals.sql": migration(`ALTER TABLE "shop"."things" ADD x int;
			CREATE FUNCTION farm.f() RETURNS int LANGUAGE sql AS $$ SELECT id FROM Shop.things $$;
			DROP TABLE public.old; DROP SCHEMA IF EXISTS shop; SET search_path = shop;`),
	})
	require.NoError(t, err)
	require.Equal(t, []string{
		"20260102000000_farm_alter_animals.sql: names shop.things",
		"20260102000000_farm_alter_animals.sql: names shop.things",
		"20260102000000_farm_alter_animals.sql: names public.old",
		"20260102000000_farm_alter_animals.sql: names schema shop",
		"20260102000000_farm_alter_animals.sql: leans on search_path",
	}, faults)
}
