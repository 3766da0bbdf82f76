package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/dataops"
)

// Without a running owner the command starts the servers for its own time; twice the same file changes nothing; one bad
// document makes exit code 1 and is told once.
func TestIngest(t *testing.T) {
	t.Parallel()
	sample := t.TempDir()
	written, err := dataops.WriteSample(t.Context(), dataops.SampleSmall, sample, nil)
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
}
