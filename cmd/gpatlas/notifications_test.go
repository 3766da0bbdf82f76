package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// The script of the documentation does what it says, over a real socket: a filing that is loaded becomes a digest, whose links
// lead somewhere, and one click ends the digests. The commands that it calls are this program's.
func TestNotificationsScript(t *testing.T) {
	t.Parallel()
	dir, addr := scratch(t), freePort(t)
	cmd, out := gpatlas(t, "dev", "--data-dir", dir, "--addr", addr) // with the sample
	ready(t, cmd, out, dir, addr)
	commands, broken := t.TempDir(), t.TempDir()
	program := filepath.Join(commands, "gpatlas")
	require.NoError(t, os.Symlink(os.Args[0], program))
	require.NoError(t, os.WriteFile(filepath.Join(broken, "gpatlas"), []byte("#!/bin/sh\n[ \"$1\" != ingest ] && exec "+program+" \"$@\"\n"), 0o755))
	run := func(commands string) (string, error) {
		script := exec.CommandContext(t.Context(), "sh", filepath.Join("..", "..", "docs", "notifications.sh"), "http://"+addr, dir)
		script.Env = append(slices.Clone(cmd.Env), "PATH="+commands+string(os.PathListSeparator)+os.Getenv("PATH"))
		said, err := script.CombinedOutput()
		return string(said), err
	}
	const others = "catalog.pub_gp WHERE crd <> '999999901' ORDER BY crd"
	harmless := func(runs string) {
		t.Helper()
		require.Equal(t, "0", rowsOf(t, dir, "accounts.users WHERE is_admin"))
		require.Equal(t, runs, rowsOf(t, dir, "accounts.users WHERE deleted_at IS NOT NULL"))
		require.Equal(t, runs, rowsOf(t, dir, "accounts.users"))
	}
	said, err := run(broken)
	require.Error(t, err)
	require.Regexp(t, `(?s)ok: signed in.*FAILED: ingest`, said)
	harmless("1")
	before := textOf(t, dir, others)
	said, err = run(commands)
	require.NoError(t, err, "%s\n%s", said, out)
	harmless("2")
	require.Equal(t, before, textOf(t, dir, others), "no other GP is changed")
	require.Regexp(t, `(?s)ok: signed in.*ok: watching.*ok: a new filing.*ok: the digest.*ok: a second.*ok: the link.*ok: looking.*ok: one click.*done\n$`, said)
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	require.NoError(t, ended(t, cmd, out), out)
}

// Where the sample is not loaded, it does nothing: it loads invented filings.
func TestNotificationsScriptNeedsTheSample(t *testing.T) {
	t.Parallel()
	dir, addr := scratch(t), freePort(t)
	commands := t.TempDir()
	require.NoError(t, os.Symlink(os.Args[0], filepath.Join(commands, "gpatlas")))
	cmd, out := startDev(t, dir, addr)
	script := exec.CommandContext(t.Context(), "sh", filepath.Join("..", "..", "docs", "notifications.sh"), "http://"+addr, dir)
	script.Env = append(slices.Clone(cmd.Env), "PATH="+commands+string(os.PathListSeparator)+os.Getenv("PATH"))
	said, err := script.CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(said), "does not have the sample")
	require.Equal(t, "0", rowsOf(t, dir, "accounts.users"))
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	require.NoError(t, ended(t, cmd, out), out)
}
