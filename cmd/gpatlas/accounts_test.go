package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// The script of the documentation does what it says, over a real socket, with mails as files.
func TestAccountsScript(t *testing.T) {
	t.Parallel()
	dir, addr := scratch(t), freePort(t)
	cmd, out := startDev(t, dir, addr)
	script := exec.CommandContext(t.Context(), "sh", filepath.Join("..", "..", "docs", "accounts.sh"), "http://"+addr, filepath.Join(dir, "mail"))
	said, err := script.CombinedOutput()
	require.NoError(t, err, "%s\n%s", said, out)
	require.Regexp(t, `(?s)ok: registered.*ok: address confirmed.*ok: usage shows.*ok: call 101 refused.*ok: set it.*ok: took it back.*done\n$`, string(said))
	require.NotContains(t, out.String(), "quiet harbour", "no password in the log")
	require.NotContains(t, out.String(), "gpa_live_", "no key in the log")
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	require.NoError(t, ended(t, cmd, out), out)
}
