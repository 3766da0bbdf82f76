package localserver_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"gpatlas/platform/localserver"
)

const helperEnv = "GPATLAS_TEST_HOLD"

// TestMain is also the helper that holds a stack until it is killed.
func TestMain(m *testing.M) {
	if dir := os.Getenv(helperEnv); dir != "" {
		hold(dir)
	}
	os.Exit(m.Run())
}

func hold(dir string) {
	stack, err := localserver.Start(context.Background(), localserver.Config{Dir: dir, Command: "holder"})
	if err != nil {
		fmt.Println("failed:", err)
		os.Exit(1)
	}
	fmt.Println("ready", stack.Dir())
	select {}
}

// holder starts a stack in another process and returns that process, running.
func holder(t *testing.T, dir string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), helperEnv+"="+dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	line := make([]byte, 512)
	n, err := io.ReadAtLeast(out, line, 6)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(string(line[:n]), "ready"), string(line[:n]))
	return cmd
}

// scratch is a data folder that the servers' user can reach, which t.TempDir is not for root.
func scratch(t *testing.T, name string) string {
	t.Helper()
	base, err := os.MkdirTemp("", "gps")
	require.NoError(t, err)
	require.NoError(t, os.Chmod(base, 0o755))
	t.Cleanup(func() {
		// Whatever a failed test left running is found by its folder and stopped before that goes.
		dir := filepath.Join(base, name)
		if _, _, running, err := localserver.Find(dir); err == nil && running {
			if s, err := localserver.Start(context.WithoutCancel(t.Context()), localserver.Config{Dir: dir}); err == nil {
				_ = s.Stop(context.WithoutCancel(t.Context()))
			}
		}
		require.NoError(t, os.RemoveAll(base))
	})
	return filepath.Join(base, name)
}

func start(t *testing.T, dir string) *localserver.Stack {
	t.Helper()
	stack, err := localserver.Start(t.Context(), localserver.Config{Dir: dir, Command: "test"})
	require.NoError(t, err)
	t.Cleanup(func() { _ = stack.Stop(context.WithoutCancel(t.Context())) })
	return stack
}

func query(t *testing.T, s *localserver.Stack, sql string) string {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), s.DatabaseURL())
	require.NoError(t, err)
	defer func() { _ = conn.Close(context.WithoutCancel(t.Context())) }()
	rows, err := conn.Query(t.Context(), sql)
	require.NoError(t, err)
	defer rows.Close()
	var out strings.Builder
	for rows.Next() {
		values, err := rows.Values()
		require.NoError(t, err)
		_, _ = fmt.Fprint(&out, values...)
	}
	require.NoError(t, rows.Err())
	return out.String()
}

func remember(t *testing.T, s *localserver.Stack, value string) {
	t.Helper()
	opts, err := redis.ParseURL(s.RedisURL())
	require.NoError(t, err)
	c := redis.NewClient(opts)
	defer func() { _ = c.Close() }()
	require.NoError(t, c.Set(t.Context(), "kept", value, 0).Err())
}

func recall(t *testing.T, s *localserver.Stack) string {
	t.Helper()
	opts, err := redis.ParseURL(s.RedisURL())
	require.NoError(t, err)
	c := redis.NewClient(opts)
	defer func() { _ = c.Close() }()
	return c.Get(t.Context(), "kept").Val()
}

// One folder through its whole life: first start, a second owner refused, a borrower, a clean stop, a warm start.
func TestStartAndStop(t *testing.T) {
	t.Parallel()
	dir := scratch(t, "data")
	s := start(t, dir)
	query(t, s, "CREATE TABLE kept (v text)")
	query(t, s, "INSERT INTO kept VALUES ('first')")
	remember(t, s, "first")
	require.Equal(t, "on", query(t, s, "SHOW fsync"))
	require.Equal(t, "UTF8", query(t, s, "SHOW server_encoding"))
	require.Empty(t, query(t, s, "SHOW listen_addresses"), "no TCP port is opened")
	info, err := os.Stat(filepath.Join(dir, "postgres"))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o700), info.Mode().Perm())
	uid, _ := s.Account()
	require.Equal(t, uid, info.Sys().(*syscall.Stat_t).Uid)
	require.NotZero(t, uid, "the servers never run as root")

	_, err = localserver.Start(t.Context(), localserver.Config{Dir: dir})
	require.EqualError(t, err, fmt.Sprintf("data folder %s is in use by test (pid %d): stop that process, or choose another folder with --data-dir", dir, os.Getpid()))

	db, cache, running, err := localserver.Find(dir)
	require.NoError(t, err)
	require.True(t, running)
	require.Equal(t, []string{s.DatabaseURL(), s.RedisURL()}, []string{db, cache})

	guest, err := localserver.Open(t.Context(), localserver.Config{Dir: dir})
	require.NoError(t, err)
	require.True(t, guest.Borrowed())
	require.Equal(t, "first", query(t, guest, "SELECT v FROM kept"))
	require.NoError(t, guest.Stop(t.Context()))
	pg, cacheID := s.Pids()
	require.True(t, localserver.Alive(pg) && localserver.Alive(cacheID), "a borrower leaves the servers running")

	require.NoError(t, s.Stop(t.Context()))
	require.NoError(t, s.Stop(t.Context()), "stopping twice is harmless")
	require.False(t, localserver.Alive(pg) || localserver.Alive(cacheID))
	_, _, running, err = localserver.Find(dir)
	require.NoError(t, err)
	require.False(t, running)

	began := time.Now()
	s = start(t, dir)
	t.Logf("warm start: %v", time.Since(began))
	require.Equal(t, "first", query(t, s, "SELECT v FROM kept"))
	require.Equal(t, "first", recall(t, s))
	require.NoError(t, s.Stop(t.Context()))
}

func TestTwoFoldersSideBySide(t *testing.T) {
	t.Parallel()
	a, b := start(t, scratch(t, "one")), start(t, scratch(t, "two"))
	require.NotEqual(t, a.DatabaseURL(), b.DatabaseURL())
	query(t, a, "CREATE TABLE mine ()")
	require.Equal(t, "0", query(t, b, "SELECT count(*) FROM pg_class WHERE relname = 'mine'"))
	require.NoError(t, a.Stop(t.Context()))
	require.Equal(t, "1", query(t, b, "SELECT 1"))
	require.NoError(t, b.Stop(t.Context()))
}

// The parent is killed outright: its servers end with it. Its supervisors are killed, too: the next start stops what they
// left running. Then everything is killed outright, and a stranger gets the dead server's number: PostgreSQL recovers.
func TestKilled(t *testing.T) {
	t.Parallel()
	dir := scratch(t, "data")
	parent := holder(t, dir)
	defer func() { _ = parent.Process.Kill() }()
	_, err := localserver.Start(t.Context(), localserver.Config{Dir: dir})
	require.ErrorContains(t, err, "in use by holder (pid "+strconv.Itoa(parent.Process.Pid)+")")
	require.NoError(t, parent.Process.Kill())
	require.Error(t, parent.Wait())
	require.Eventually(t, func() bool { return !exists(filepath.Join(dir, "postgres", "postmaster.pid")) }, time.Minute, 10*time.Millisecond)

	s := start(t, dir)
	query(t, s, "CREATE TABLE kept (v text)")
	query(t, s, "INSERT INTO kept VALUES ('before the crash')")
	remember(t, s, "kept")
	require.NoError(t, s.Stop(t.Context()))

	parent = holder(t, dir)
	left := []int{number(t, filepath.Join(dir, "postgres", "postmaster.pid")), number(t, filepath.Join(dir, "redis", "redis.pid"))}
	require.NoError(t, syscall.Kill(parent.Process.Pid, syscall.SIGSTOP)) // it would start them again
	for _, pid := range left {
		killSupervisor(t, pid)
	}
	require.NoError(t, parent.Process.Kill())
	require.Error(t, parent.Wait())
	require.True(t, localserver.Alive(left[0]) && localserver.Alive(left[1]))
	s = start(t, dir)
	require.False(t, localserver.Alive(left[0]) || localserver.Alive(left[1]))
	require.Equal(t, "before the crash", query(t, s, "SELECT v FROM kept"))
	require.Equal(t, "kept", recall(t, s))
	require.NoError(t, s.Stop(t.Context()))

	parent = holder(t, dir)
	s2, err := localserver.Open(t.Context(), localserver.Config{Dir: dir})
	require.NoError(t, err)
	query(t, s2, "INSERT INTO kept VALUES ('; after')")
	pg, cache := s2.Pids()
	for _, pid := range []int{parent.Process.Pid, pg, cache} {
		require.NoError(t, syscall.Kill(pid, syscall.SIGKILL))
	}
	require.Error(t, parent.Wait())
	stranger := exec.Command("sleep", "60")
	require.NoError(t, stranger.Start())
	defer func() { _ = stranger.Process.Kill(); _ = stranger.Wait() }()
	retarget(t, filepath.Join(dir, "postgres", "postmaster.pid"), pg, stranger.Process.Pid)

	s = start(t, dir)
	require.Equal(t, "before the crash; after", query(t, s, "SELECT string_agg(v, '') FROM kept"))
	require.True(t, localserver.Alive(stranger.Process.Pid), "a process that merely has the number is left alone")
	require.NoError(t, s.Stop(t.Context()))
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func retarget(t *testing.T, path string, from, to int) {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Contains(t, string(text), strconv.Itoa(from))
	require.NoError(t, os.WriteFile(path, []byte(strings.Replace(string(text), strconv.Itoa(from), strconv.Itoa(to), 1)), 0o600))
}

// A command without a running owner starts servers for its own time, and does not take them from under another's feet.
func TestOpenForItsOwnTime(t *testing.T) {
	t.Parallel()
	dir := scratch(t, "data")
	first, err := localserver.Open(t.Context(), localserver.Config{Dir: dir})
	require.NoError(t, err)
	require.False(t, first.Borrowed())
	second, err := localserver.Open(t.Context(), localserver.Config{Dir: dir})
	require.NoError(t, err)
	require.True(t, second.Borrowed())

	stopped := make(chan error, 1)
	go func() { stopped <- first.Stop(context.WithoutCancel(t.Context())) }()
	require.Equal(t, "1", query(t, second, "SELECT 1"))
	select {
	case err := <-stopped:
		t.Fatal("stopped while borrowed", err)
	default:
	}
	pg, _ := second.Pids()
	require.NoError(t, second.Stop(t.Context()))
	require.NoError(t, <-stopped)
	require.False(t, localserver.Alive(pg))
}

// A server that ends is started again at the same address, however it ended; Stop stops the new one.
func TestServersAreStartedAgain(t *testing.T) {
	t.Parallel()
	dir := scratch(t, "data")
	s := start(t, dir)
	remember(t, s, "first")
	query(t, s, "CREATE TABLE kept (v text)")
	back := func(kill syscall.Signal, pid func() int) {
		t.Helper()
		before := pid()
		require.NoError(t, syscall.Kill(before, kill))
		require.Eventually(t, func() bool { now := pid(); return now != 0 && now != before }, 30*time.Second, 10*time.Millisecond)
	}
	pg := func() int { pid, _ := s.Ready(); return pid }
	redis := func() int { _, pid := s.Ready(); return pid }
	back(syscall.SIGKILL, pg)
	require.Equal(t, "0", query(t, s, "SELECT count(*) FROM kept"))
	back(syscall.SIGINT, pg) // PostgreSQL's fast shutdown
	require.Equal(t, "0", query(t, s, "SELECT count(*) FROM kept"))
	back(syscall.SIGTERM, redis)
	require.Equal(t, "first", recall(t, s))
	require.Empty(t, s.Failed())
	last := pg()
	require.NoError(t, s.Stop(t.Context()))
	require.False(t, localserver.Alive(last))
	_, _, running, err := localserver.Find(dir)
	require.NoError(t, err)
	require.False(t, running)
}

// A server that cannot be started again is reported in one line.
func TestServerThatCannotBeStartedAgain(t *testing.T) {
	t.Parallel()
	dir := scratch(t, "data")
	s := start(t, dir)
	conf, err := os.OpenFile(filepath.Join(dir, "postgres", "postgresql.conf"), os.O_APPEND|os.O_WRONLY, 0o600)
	require.NoError(t, err)
	_, err = conf.WriteString("\nport = none\n")
	require.NoError(t, err)
	require.NoError(t, conf.Close())
	pg, _ := s.Pids()
	require.NoError(t, syscall.Kill(pg, syscall.SIGKILL))
	select {
	case err := <-s.Failed():
		require.Regexp(t, `^PostgreSQL ended unexpectedly \(.*\): see .*/postgres.log; it cannot be started again: PostgreSQL did not start: .* \(more in .*/postgres.log\)$`, err.Error())
	case <-time.After(30 * time.Second):
		t.Fatal("not reported")
	}
}
