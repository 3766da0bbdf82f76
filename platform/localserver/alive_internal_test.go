package localserver

import (
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestProcesses(t *testing.T) {
	t.Parallel()
	require.True(t, alive(os.Getpid()))
	require.Contains(t, commandLine(os.Getpid()), os.Args[0])
	for _, pid := range []int{0, 1, -1} {
		require.False(t, alive(pid), "never a server of ours: %d", pid)
	}
	cmd := exec.CommandContext(t.Context(), "cat")
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	require.True(t, alive(cmd.Process.Pid))
	require.NoError(t, in.Close())
	require.Eventually(t, func() bool { return !alive(cmd.Process.Pid) }, 10e9, 1e6, "ended and not reaped")
	require.NoError(t, cmd.Wait())
	require.False(t, alive(cmd.Process.Pid))
	require.Empty(t, commandLine(cmd.Process.Pid))
}
