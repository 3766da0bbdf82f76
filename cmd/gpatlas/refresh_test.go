package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/database"
	"gpatlas/platform/testkit/dbtest"
)

// What is derived otherwise than the release's rules say is put right and told; the second time there is nothing to do.
func TestRefresh(t *testing.T) {
	t.Parallel()
	url := dbtest.NewURL(t)
	run := func(args ...string) string {
		t.Helper()
		cmd, out := gpatlas(t, args...)
		cmd.Env = append(cmd.Env, "DATABASE_URL="+url)
		require.Zero(t, runToEnd(t, cmd), out)
		return out.String()
	}
	list := filepath.Join(t.TempDir(), "ia.csv")
	require.NoError(t, os.WriteFile(list, []byte(roster(3)), 0o600))
	run("ingest", list)
	require.Equal(t, "nothing changed\n", run("refresh"))

	db, err := database.Open(t.Context(), database.Config{URL: url})
	require.NoError(t, err)
	t.Cleanup(db.Close)
	spoil := func(where string) {
		t.Helper()
		require.NoError(t, db.From(t.Context()).Exec(`UPDATE catalog.advisers SET name_stem = 'as an earlier release had it' WHERE `+where).Error)
	}
	spoil("crd = '700'")
	require.Equal(t, "1 adviser or fund changed\n", run("refresh"))
	spoil("true")
	require.Equal(t, "3 advisers and funds changed\n", run("refresh"))
	require.Equal(t, "nothing changed\n", run("refresh"))
}
