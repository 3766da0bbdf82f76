package web_test

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/web/webtest"
)

// hostVariable tells a copy of the test's own program to be the server that startHost asks for.
const hostVariable = "GPATLAS_TEST_HOST"

// host is a server in a process of its own, so that what its requests cost can be told from what the tests do.
type host struct {
	t       *testing.T
	url     string
	command *exec.Cmd
	stdin   io.WriteCloser
}

// startHost starts the fake module's server in a new process.
func startHost(t *testing.T) *host {
	t.Helper()
	command := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestHostProcess$", "-test.count=1")
	command.Env = append(os.Environ(), hostVariable+"=1")
	command.Stderr = t.Output()
	stdin, err := command.StdinPipe()
	require.NoError(t, err)
	stdout, err := command.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, command.Start())
	url, err := bufio.NewReader(stdout).ReadString('\n')
	require.NoError(t, err)
	return &host{t: t, url: strings.TrimSpace(url), command: command, stdin: stdin}
}

// end stops the process and gives the greatest amount of memory that it had, in bytes.
func (h *host) end() int64 {
	h.t.Helper()
	require.NoError(h.t, h.stdin.Close())
	require.NoError(h.t, h.command.Wait())
	usage, ok := h.command.ProcessState.SysUsage().(*syscall.Rusage)
	require.True(h.t, ok)
	if runtime.GOOS == "darwin" {
		return usage.Maxrss
	}
	return usage.Maxrss << 10
}

// TestHostProcess is the process of startHost; run as a test it has nothing to do.
func TestHostProcess(t *testing.T) { //nolint:paralleltest // it is the only one in its process
	if os.Getenv(hostVariable) == "" {
		return
	}
	url := webtest.Serve(t, webtest.App(t, webtest.Options(t, (&fake{}).manifest())))
	_, err := os.Stdout.WriteString(url + "\n")
	require.NoError(t, err)
	_, _ = io.Copy(io.Discard, os.Stdin) // until it is closed
}
