package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/dataops"
	"gpatlas/platform/testkit/dbtest"
	"gpatlas/sample"
)

// Without a running owner the command starts the servers for its own time; twice the same file changes nothing; one bad
// document makes exit code 1 and is told once.
func TestIngest(t *testing.T) {
	t.Parallel()
	files := t.TempDir()
	written, err := sample.Write(t.Context(), sample.Options{Dir: files})
	require.NoError(t, err)
	archive := written.Archives[1].Path
	dir := scratch(t)

	var sum dataops.Summary
	ingest := func(wantCode int, args ...string) string {
		t.Helper()
		cmd, _ := gpatlas(t, append([]string{"ingest", "--json", "--data-dir", dir}, args...)...)
		cmd.Stdout, cmd.Stderr = &output{}, &output{}
		require.Equal(t, wantCode, runToEnd(t, cmd), cmd.Stderr)
		sum = dataops.Summary{}
		require.NoError(t, json.Unmarshal([]byte(cmd.Stdout.(*output).String()), &sum), cmd.Stdout)
		return cmd.Stderr.(*output).String()
	}
	for _, args := range [][]string{{"ingest", archive}, {"refresh"}, {"migrate", "up"}, {"migrate", "status"}} { // a mistyped folder gets none
		typo := filepath.Join(dir, "typo")
		none, told := gpatlas(t, append(args, "--data-dir", typo)...)
		require.Equal(t, exitFailed, runToEnd(t, none), told)
		require.Equal(t, "gpatlas: there is no database in "+typo+": set DATABASE_URL or --data-dir, or make one with gpatlas dev\n", told.String())
		require.NoDirExists(t, typo)
	}
	owner, told := startDev(t, dir, freePort(t))
	require.NoError(t, owner.Process.Signal(os.Interrupt))
	require.NoError(t, ended(t, owner, told), told)
	ingest(0, archive)
	require.True(t, sum.Changed)
	require.Positive(t, sum.Advisers.New)
	require.False(t, running(t, dir), "servers that were started for it are stopped")

	bad := filepath.Join(t.TempDir(), "bad.zip")
	require.NoError(t, os.WriteFile(bad, []byte("PK nothing"), 0o600))
	said := ingest(1, archive, bad)
	require.False(t, sum.Changed)
	require.Equal(t, 1, sum.Failed)
	require.NotContains(t, said, "gpatlas:", "what the progress has told is not told again")
	require.NotContains(t, said, "goroutine")

	alone, told := gpatlas(t, "ingest", "--data-dir", dir, bad)
	require.Equal(t, 1, runToEnd(t, alone))
	require.Regexp(t, `^bad\.zip: failed: .*\n$`, told.String(), "no table of zeros")
}

// The command uses configured sources, lists them with their last state, and lets a named check of the quality gate pass.
func TestIngestSource(t *testing.T) {
	t.Parallel()
	lists := map[string]string{"/lists/may.csv": roster(40), "/lists/june.csv": roster(12)}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, lists[r.URL.Path]) }))
	t.Cleanup(server.Close)
	file := filepath.Join(t.TempDir(), "sources.json")
	require.NoError(t, os.WriteFile(file, fmt.Appendf(nil, `{"sources":[{"name":"lists","kind":"list","addresses":["%[1]s/lists/may.csv","%[1]s/lists/june.csv"]}]}`, server.URL), 0o600))
	url := dbtest.NewURL(t)
	run := func(wantCode int, args ...string) string {
		t.Helper()
		cmd, out := gpatlas(t, append([]string{"ingest"}, args...)...)
		cmd.Env = append(cmd.Env, "DATABASE_URL="+url, "DATAOPS_SOURCES_FILE="+file, "DATAOPS_DOWNLOAD_DIR="+filepath.Join(t.TempDir(), "downloads"))
		require.Equal(t, wantCode, runToEnd(t, cmd), out)
		return out.String()
	}
	said := run(1, "--source", "lists")
	require.Contains(t, said, "lists: 2 files, 1 loaded, 0 known\n  stopped: june.csv: stopped by the quality gate: it lists 12 advisers, but may.csv (run 1) listed 40")
	require.Contains(t, said, "--accept universe_shrunk")
	require.NotContains(t, said, "gpatlas:", "what the summary has told is not told again")
	said = run(0, "--source", "lists", "--accept", "universe_shrunk")
	require.Contains(t, said, "june.csv: accepted by the operator at the quality gate: universe_shrunk")
	require.Regexp(t, `(?m)^NAME +SCHEDULE \(UTC\) +LAST SUCCESS +LAST ERROR\nadv-history +by hand +never`, run(0, "--list-sources"))
	require.Regexp(t, `(?m)^lists +by hand +20\d\d-`, run(0, "--list-sources"))
	require.Contains(t, run(0, "--list-sources", "--json"), `"last_success": "20`)
	require.Equal(t, "gpatlas: www.sec.gov accepts only requests that name a contact: set DATAOPS_CONTACT to an email address\n", run(2, "--source", "form-d"))
	require.Contains(t, run(2, "--source", "list"), `gpatlas: there is no source "list"; the sources are adv-history, `)
	require.Contains(t, run(2, "--accept", "everything", file), `"everything" is not a check of the quality gate`)
	require.Contains(t, run(2, "--source", "lists", file), "name documents or sources, not both")
}

// roster is a list of registered advisers.
func roster(n int) string {
	var b strings.Builder
	b.WriteString("Organization CRD#,Legal Name,Latest ADV Filing Date,SEC Current Status\n")
	for i := range n {
		fmt.Fprintf(&b, "%d,FIRM %d LLC,10/02/2026,Approved\n", 700+i, 700+i)
	}
	return b.String()
}
