package osproc_test

import (
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/osproc"
)

func TestProcesses(t *testing.T) {
	t.Parallel()
	require.True(t, osproc.Alive(os.Getpid()))
	require.Contains(t, osproc.CommandLine(os.Getpid()), os.Args[0])
	for _, pid := range []int{0, 1, -1} {
		require.False(t, osproc.Alive(pid), "never a server of ours: %d", pid)
	}
	cmd := exec.CommandContext(t.Context(), "cat")
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	require.True(t, osproc.Alive(cmd.Process.Pid))
	require.NoError(t, in.Close())
	require.Eventually(t, func() bool { return !osproc.Alive(cmd.Process.Pid) }, 10e9, 1e6, "ended and not reaped")
	require.NoError(t, cmd.Wait())
	require.False(t, osproc.Alive(cmd.Process.Pid))
	require.Empty(t, osproc.CommandLine(cmd.Process.Pid))
}
