package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// sleep stands for the command of this name: what a refusal asks to wait for, which is whole seconds, passes on the service's clock
// alone. Fractions are for work that takes its time, and are waited for.
const sleep = `#!/bin/sh
case $1 in
*.*) exec /bin/sleep "$1" ;;
*) echo "$1" >>"$AHEAD" ;;
esac
`

// The script of the documentation does what it says, over a real socket, with mails as files.
func TestAccountsScript(t *testing.T) {
	t.Parallel()
	dir, addr := scratch(t), freePort(t)
	programs := t.TempDir()
	ahead := filepath.Join(programs, "ahead")
	require.NoError(t, os.WriteFile(filepath.Join(programs, "sleep"), []byte(sleep), 0o755))
	cmd, out := startDevAs(t, "gpatlas-ahead", dir, addr, "AHEAD="+ahead)
	script := exec.CommandContext(t.Context(), "sh", filepath.Join("..", "..", "docs", "accounts.sh"), "http://"+addr, filepath.Join(dir, "mail"))
	script.Env = append(os.Environ(), "PATH="+programs+":"+os.Getenv("PATH"), "AHEAD="+ahead)
	said, err := script.CombinedOutput()
	require.NoError(t, err, "%s\n%s", said, out)
	require.Regexp(t, `(?s)ok: registered.*ok: address confirmed.*ok: usage shows.*ok: call 101 refused.*ok: set it.*ok: took it back.*done\n$`, string(said))
	require.FileExists(t, ahead, "it has waited")
	require.Equal(t, rowsOf(t, dir, "accounts.users"), rowsOf(t, dir, "accounts.users WHERE password_hash LIKE '$argon2id$v=19$m=19456,t=2,p=1$%'"))
	require.Equal(t, "1", rowsOf(t, dir, "accounts.users WHERE deleted_at IS NOT NULL"))
	require.NotContains(t, out.String(), "quiet harbour", "no password in the log")
	require.NotContains(t, out.String(), "gpa_live_", "no key in the log")
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	require.NoError(t, ended(t, cmd, out), out)
}
