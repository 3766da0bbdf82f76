package migrations_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/database"
	"gpatlas/platform/localserver"
	"gpatlas/platform/testkit/dbtest"
)

var update = flag.Bool("update", false, "write schema.golden.sql anew")

const golden = "schema.golden.sql"

// Guarantee: up, down and up again gives the schema that stands in schema.golden.sql, and down leaves nothing. The file is
// for reviewers too: it shows what a change of the migrations amounts to. Refresh it with `make schema`.
func TestSchemaIsGolden(t *testing.T) {
	t.Parallel()
	url := dbtest.NewEmptyURL(t)
	require.NoError(t, database.MigrateUp(t.Context(), url))
	first := dump(t, url)
	require.NoError(t, database.MigrateDown(t.Context(), url, 0))
	require.Empty(t, strings.TrimSpace(dump(t, url)), "what the Down parts leave behind")
	require.NoError(t, database.MigrateUp(t.Context(), url))
	second := dump(t, url)
	require.Equal(t, first, second, "up, down, up gives another schema than up")
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(header+first), 0o644))
		return
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), header+first, "the schema is not the golden one; if that is meant: make schema")
}

const header = "-- The schema that the migrations add up to. Written by `make schema`; do not edit.\n\n"

// dump is the schema as pg_dump writes it, less what depends on the version of PostgreSQL.
func dump(t *testing.T, url string) string {
	t.Helper()
	bin, err := localserver.FindPostgres(t.Context())
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), pgDump(bin), "--schema-only", "--no-owner", "--no-privileges", "--no-comments",
		"--exclude-table=public.goose_db_version*", "--dbname="+url)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(t, err, stderr.String())
	return normalize(string(out))
}

// pgDump is the one that belongs to the server, else the one on PATH.
func pgDump(bin string) string {
	path := filepath.Join(bin, "pg_dump")
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return "pg_dump"
	}
	return path
}

var (
	// noise is what pg_dump says about itself and the session: comments, settings, and \restrict with its random word.
	noise     = regexp.MustCompile(`(?m)^(--.*|SET .*;|SELECT pg_catalog\.set_config\(.*\);|\\(un)?restrict .*)\n`)
	blank     = regexp.MustCompile(`\n{3,}`)
	view      = regexp.MustCompile(`(?ms)^CREATE VIEW .*?;$`)
	relations = regexp.MustCompile(`\b(?:FROM|JOIN)\s+\(*\w+\.(\w+)`)
)

// normalize makes dumps of different versions of PostgreSQL comparable. Before version 16 the columns of a view over one
// table carry the table's name, from 16 on they do not.
func normalize(text string) string {
	text = noise.ReplaceAllString(text, "")
	text = view.ReplaceAllStringFunc(text, func(v string) string {
		if from := relations.FindAllStringSubmatch(v, -1); len(from) == 1 {
			return regexp.MustCompile(`([^.\w])`+from[0][1]+`\.(\w)`).ReplaceAllString(v, "$1$2")
		}
		return v
	})
	return strings.TrimSpace(blank.ReplaceAllString(text, "\n\n")) + "\n"
}

func TestNormalize(t *testing.T) {
	t.Parallel()
	const old = `--
-- PostgreSQL database dump
--

\restrict abcDEF123

-- Dumped from database version 15.18 (Debian 15.18-0+deb12u1)
SET statement_timeout = 0;
SELECT pg_catalog.set_config('search_path', '', false);

CREATE VIEW shop.pub_things AS
 SELECT things.id,
    things.note
   FROM shop.things;

CREATE VIEW shop.pub_both AS
 SELECT a.id
   FROM (shop.a
     JOIN shop.b USING (id));

\unrestrict abcDEF123
`
	const want = `CREATE VIEW shop.pub_things AS
 SELECT id,
    note
   FROM shop.things;

CREATE VIEW shop.pub_both AS
 SELECT a.id
   FROM (shop.a
     JOIN shop.b USING (id));
`
	require.Equal(t, want, normalize(old))
	require.Equal(t, want, normalize(want), "the dump of a newer version")
}

// Guarantee: the golden comparison sees a Down part that forgets something.
func TestForgottenObjectIsSeen(t *testing.T) {
	t.Parallel()
	url := dbtest.NewEmptyURL(t)
	require.NoError(t, exec1(t.Context(), url, "CREATE SCHEMA left_behind"))
	require.Contains(t, dump(t, url), "left_behind")
}

func exec1(ctx context.Context, url, statements string) error {
	db, err := database.Open(ctx, database.Config{URL: url})
	if err != nil {
		return fmt.Errorf("open: %w", err)
	}
	defer db.Close()
	return db.From(ctx).Exec(statements).Error
}
