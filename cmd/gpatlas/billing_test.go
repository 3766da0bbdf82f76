package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// The script of the documentation does what it says, over a real socket, with the sample and with mails as files. The ledger
// that it leaves behind verifies.
func TestBillingScript(t *testing.T) {
	t.Parallel()
	dir, addr := scratch(t), freePort(t)
	cmd, out := gpatlas(t, "dev", "--data-dir", dir, "--addr", addr) // with the sample
	ready(t, cmd, out, dir, addr)
	script := exec.CommandContext(t.Context(), "sh", filepath.Join("..", "..", "docs", "billing.sh"), "http://"+addr, filepath.Join(dir, "mail"))
	said, err := script.CombinedOutput()
	require.NoError(t, err, "%s\n%s", said, out)
	require.Regexp(t, `(?s)ok: signed in.*ok: a quote.*ok: a limit.*ok: metrics.*ok: sent again.*ok: a test key.*ok: a cap of 10.*done\n$`, string(said))
	require.NotContains(t, string(said), "note:", "no Stripe key is configured")
	require.Equal(t, "1", rowsOf(t, dir, "accounts.users WHERE deleted_at IS NOT NULL"))
	verify, verified := gpatlas(t, "billing", "verify", "--data-dir", dir)
	require.NoError(t, verify.Run(), verified)
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	require.NoError(t, ended(t, cmd, out), out)
}
