package bench_test

import (
	"bufio"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// child is a server in a process of its own.
type child struct {
	addr     string      // host:port
	internal string      // host:port of the internal pages, of a service
	metrics  chan string // where it says that they are
	cmd      *exec.Cmd
	said     *tail
	end      func() // stops it in order; once is enough
}

// start runs a server and waits until it says where it is ready. It is stopped in order when the test ends.
func start(tb testing.TB, cmd *exec.Cmd, within time.Duration) *child {
	tb.Helper()
	c := &child{cmd: cmd, said: &tail{}, metrics: make(chan string, 1)}
	cmd.Stderr = c.said
	stdout, err := cmd.StdoutPipe()
	require.NoError(tb, err)
	require.NoError(tb, cmd.Start())
	ended, heard := make(chan struct{}), make(chan string, 1)
	go func() {
		defer close(ended)
		lines := bufio.NewScanner(stdout)
		for lines.Scan() {
			if found := readyOn.FindStringSubmatch(lines.Text()); found != nil {
				heard <- found[1]
			} else if found := metricsOn.FindStringSubmatch(lines.Text()); found != nil {
				c.metrics <- found[1]
			}
		}
		_ = cmd.Wait()
	}()
	c.end = sync.OnceFunc(func() { c.stop(tb, ended) })
	tb.Cleanup(c.end)
	select {
	case c.addr = <-heard:
	case <-ended:
		require.FailNow(tb, "the server has ended", "%s: %s", cmd.Path, c.said)
	case <-time.After(within):
		require.FailNow(tb, "the server is not ready", "%s, after %s: %s", cmd.Path, within, c.said)
	}
	return c
}

var (
	readyOn   = regexp.MustCompile(`ready on http://(\S+)$`)
	metricsOn = regexp.MustCompile(`metrics +http://(\S+)/_internal/metrics$`)
)

func (c *child) stop(tb testing.TB, ended <-chan struct{}) {
	tb.Helper()
	_ = c.cmd.Process.Signal(syscall.SIGTERM) // make passes this one on to what it runs
	select {
	case <-ended:
	case <-time.After(60 * time.Second):
		_ = c.cmd.Process.Kill()
		<-ended
		tb.Errorf("%s did not stop: %s", c.cmd.Path, c.said)
	}
}

// startCeiling starts this program again as a server of fixed answers.
func startCeiling(tb testing.TB, held int, sizes []int) *child {
	tb.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Args = []string{ceilingName, strconv.Itoa(held)}
	for _, size := range sizes {
		cmd.Args = append(cmd.Args, strconv.Itoa(size))
	}
	cmd.Env = environ()
	_, err := cmd.StdinPipe() // held open for as long as we live
	require.NoError(tb, err)
	return start(tb, cmd, 20*time.Second)
}

// startService starts `gpatlas dev` on a data folder, without the sample.
func startService(tb testing.TB, binary, dataDir string) *child {
	tb.Helper()
	cmd := exec.Command(binary, devArgs(dataDir)...)
	cmd.Env = environ()
	c := start(tb, cmd, 5*time.Minute)
	select {
	case c.internal = <-c.metrics:
	case <-time.After(5 * time.Second):
		require.FailNow(tb, "the service does not say where its metrics are")
	}
	return c
}

func devArgs(dataDir string) []string {
	return []string{"dev", "--no-sample", "--data-dir", dataDir, "--addr", "127.0.0.1:0"}
}

// environ is ours without the service's own settings: what is measured are the defaults.
func environ() []string {
	var kept []string
	for _, line := range os.Environ() {
		if !ownSetting.MatchString(line) {
			kept = append(kept, line)
		}
	}
	return kept
}

var ownSetting = regexp.MustCompile(`^(WEB|DATABASE|REDIS|JOBS|LOG|OTEL|CATALOG|DATAOPS|ANALYTICS|ACCOUNTS|BILLING|MAIL|NOTIFICATIONS|PEOPLE|TEST_DATABASE|TEST_REDIS)_|^(PORT|ACCESS_POLICY|ANONYMOUS_LIMITS|GOGC|GOMEMLIMIT|GOMAXPROCS|GODEBUG|MAKEFLAGS|MAKELEVEL|MFLAGS)=`)

// build builds the service's binary as it stands.
func build(ctx context.Context, tb testing.TB, into string) string {
	tb.Helper()
	binary := filepath.Join(into, "gpatlas")
	run(ctx, tb, exec.CommandContext(ctx, "go", "build", "-trimpath", "-o", binary, "../cmd/gpatlas"))
	return binary
}

// run runs a command to its end and gives what it wrote.
func run(ctx context.Context, tb testing.TB, cmd *exec.Cmd) string {
	tb.Helper()
	var out strings.Builder
	said := &tail{}
	cmd.Stdout, cmd.Stderr = &out, said
	if cmd.Env == nil {
		cmd.Env = environ()
	}
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 90 * time.Second
	err := cmd.Run()
	require.NoError(tb, ctx.Err(), "interrupted")
	require.NoError(tb, err, "%s: %s", cmd, said)
	return out.String()
}

// tail keeps the end of what a process says, for when something is wrong.
type tail struct {
	mu   sync.Mutex
	text []byte
}

var _ io.Writer = (*tail)(nil)

// Write keeps the last 4 KiB.
func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, b...)
	t.text = t.text[max(0, len(t.text)-4096):]
	return len(b), nil
}

// String is what has been kept.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.text)
}
