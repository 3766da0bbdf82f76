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
	commands := t.TempDir()
	require.NoError(t, os.Symlink(os.Args[0], filepath.Join(commands, "gpatlas")))
	script := exec.CommandContext(t.Context(), "sh", filepath.Join("..", "..", "docs", "notifications.sh"), "http://"+addr, dir)
	script.Env = append(slices.Clone(cmd.Env), "PATH="+commands+string(os.PathListSeparator)+os.Getenv("PATH"))
	said, err := script.CombinedOutput()
	require.NoError(t, err, "%s\n%s", said, out)
	require.Regexp(t, `(?s)ok: signed in.*ok: watching.*ok: a new filing.*ok: the digest.*ok: a second.*ok: the link.*ok: looking.*ok: one click.*done\n$`, string(said))
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	require.NoError(t, ended(t, cmd, out), out)
}
