package main

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestMain is teststack itself in the processes that command starts: its end is what these tests are about.
func TestMain(m *testing.M) {
	if os.Args[0] == "teststack" {
		main()
	}
	os.Exit(m.Run())
}

// command is teststack in an environment that has no servers yet.
func command(args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Args[0] = "teststack"
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); !strings.HasPrefix(name, "TEST_") && name != "TMPDIR" && name != "GOTMPDIR" {
			cmd.Env = append(cmd.Env, v)
		}
	}
	return cmd
}

var socketFolder = regexp.MustCompile(`host=([^&']+)`)

// folder is the cluster's folder that a printed TEST_DATABASE_URL names.
func folder(t *testing.T, text string) string {
	t.Helper()
	m := socketFolder.FindStringSubmatch(text)
	require.NotNil(t, m, "no TEST_DATABASE_URL in %q", text)
	return strings.ReplaceAll(m[1], "%2F", "/")
}

// requireGone waits for the servers to have stopped and their folder to be gone.
func requireGone(t *testing.T, dir string) {
	t.Helper()
	require.Eventually(t, func() bool {
		_, err := os.Stat(dir)
		return os.IsNotExist(err)
	}, time.Minute, 20*time.Millisecond, dir)
	out, err := exec.Command("ps", "-eww", "-o", "args=").Output()
	require.NoError(t, err)
	require.NotContains(t, string(out), dir)
}

func TestCommand(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		args []string
		code int
	}{
		"success":              {[]string{"--", "sh", "-c", `echo "$TEST_DATABASE_URL $TEST_REDIS_URL"`}, 0},
		"the command's code":   {[]string{"sh", "-c", `echo "$TEST_DATABASE_URL $TEST_REDIS_URL"; exit 7`}, 7},
		"the command's signal": {[]string{"sh", "-c", `echo "$TEST_DATABASE_URL $TEST_REDIS_URL"; kill -9 $$`}, 137},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var stdout, stderr bytes.Buffer
			cmd := command(c.args...)
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			_ = cmd.Run()
			require.Equal(t, c.code, cmd.ProcessState.ExitCode(), stderr.String())
			require.Contains(t, stdout.String(), "redis://127.0.0.1:")
			_, err := os.Stat(folder(t, stdout.String()))
			require.True(t, os.IsNotExist(err), "the folder is gone before teststack ends")
		})
	}
}

func TestGivenServersAreUsed(t *testing.T) {
	t.Parallel()
	cmd := command("--", "sh", "-c", `echo "$TEST_DATABASE_URL $TEST_REDIS_URL"`)
	cmd.Env = append(cmd.Env, "TEST_DATABASE_URL=postgres://there", "TEST_REDIS_URL=redis://here")
	out, err := cmd.Output()
	require.NoError(t, err)
	require.Equal(t, "postgres://there redis://here\n", string(out))
}

// Guarantee: a command's temporary files are in memory, where there is room, anybody may write them, and they go with the command.
func TestScratch(t *testing.T) {
	t.Parallel()
	var fs syscall.Statfs_t
	room := syscall.Statfs("/dev/shm", &fs) == nil && fs.Bavail*uint64(fs.Bsize) >= 5<<30
	out, err := command("--", "sh", "-c", `touch "$TMPDIR/file" && stat -c %a "$TMPDIR" && echo "$GOTMPDIR:$TMPDIR"`).Output()
	if !room {
		t.Skip("/dev/shm has too little room here")
	}
	require.NoError(t, err)
	require.Regexp(t, `^1777\n/tmp:/dev/shm/gpatlas-test-\d+\n$`, string(out))
	require.NoDirExists(t, strings.TrimSpace(strings.SplitAfter(string(out), ":")[1]))
	given := command("--", "sh", "-c", `echo "$GOTMPDIR:$TMPDIR"`)
	given.Env = append(given.Env, "TMPDIR=/tmp")
	out, err = given.Output()
	require.NoError(t, err)
	require.Equal(t, ":/tmp\n", string(out))
}

func TestNoSuchCommand(t *testing.T) {
	t.Parallel()
	cmd := command("--", "no-such-command-anywhere")
	out, err := cmd.CombinedOutput()
	require.Error(t, err)
	require.Equal(t, failed, cmd.ProcessState.ExitCode())
	require.Contains(t, string(out), "no-such-command-anywhere")
}

// Guarantee: however teststack ends, its servers end with it.
func TestEnd(t *testing.T) {
	t.Parallel()
	for name, sig := range map[string]syscall.Signal{
		"interrupted": syscall.SIGINT, "terminated": syscall.SIGTERM, "killed": syscall.SIGKILL,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd := command()
			stdout, err := cmd.StdoutPipe()
			require.NoError(t, err)
			require.NoError(t, cmd.Start())
			line, err := bufio.NewReader(stdout).ReadString('\n')
			require.NoError(t, err)
			dir := folder(t, line)
			require.DirExists(t, dir)
			require.NoError(t, cmd.Process.Signal(sig))
			_ = cmd.Wait()
			requireGone(t, dir)
		})
	}
}

// Guarantee: a signal reaches the command, and its code is ours.
func TestSignalIsPassedOn(t *testing.T) {
	t.Parallel()
	cmd := command("--", "sh", "-c", `trap 'exit 42' TERM; echo ready; while :; do sleep 0.05; done`)
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	_, err = bufio.NewReader(stdout).ReadString('\n')
	require.NoError(t, err)
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	_ = cmd.Wait()
	require.Equal(t, 42, cmd.ProcessState.ExitCode())
}
