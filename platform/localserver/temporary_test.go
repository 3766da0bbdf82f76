package localserver_test

import (
	"bufio"
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
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

func TestTemporaryPostgres(t *testing.T) {
	t.Parallel()
	server, err := localserver.TemporaryPostgres(t.Context())
	require.NoError(t, err)
	c, err := pgx.Connect(t.Context(), server.DatabaseURL())
	require.NoError(t, err)
	for setting, want := range map[string]string{"fsync": "off", "listen_addresses": "", "server_encoding": "UTF8"} {
		var got string
		require.NoError(t, c.QueryRow(t.Context(), "SELECT current_setting($1)", setting).Scan(&got))
		require.Equal(t, want, got, setting)
	}
	var upper string
	require.NoError(t, c.QueryRow(t.Context(), "SELECT upper('é')").Scan(&upper))
	require.Equal(t, "É", upper)
	dir := server.Dir()
	info, err := os.Stat(filepath.Join(dir, "run"))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o700), info.Mode().Perm(), "no other user gets in")
	require.NoError(t, server.Stop(t.Context()), "with a client still connected")
	require.NoDirExists(t, dir)
	require.NoError(t, server.Stop(t.Context()))
}

func TestTemporaryRedis(t *testing.T) {
	t.Parallel()
	server, err := localserver.TemporaryRedis(t.Context())
	require.NoError(t, err)
	options, err := redis.ParseURL(strings.TrimSuffix(server.RedisURL(), "0") + "1000")
	require.NoError(t, err)
	c := redis.NewClient(options)
	t.Cleanup(func() { _ = c.Close() })
	require.NoError(t, c.Set(t.Context(), "k", "v", 0).Err())
	for setting, want := range map[string]string{"save": "", "appendonly": "no", "bind": "127.0.0.1"} {
		require.Equal(t, want, c.ConfigGet(t.Context(), setting).Val()[setting], setting)
	}
	dir := server.Dir()
	require.NoError(t, server.Stop(t.Context()))
	require.NoDirExists(t, dir)
	_, err = net.Dial("tcp", server.RedisAddr())
	require.Error(t, err)
	require.NoError(t, server.Stop(t.Context()))
}

// Guarantee: a server ends with the process that started it, whatever ends that process.
func TestServerEndsWithItsProcess(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"exit", "panic", "kill"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			helper, dirs := startHelper(t, how)
			if how == "kill" {
				require.NoError(t, helper.Process.Kill())
			}
			_ = helper.Wait()
			requireGone(t, dirs)
		})
	}
}

// Guarantee: when the supervisor is killed as well, the next start finds what is left, stops it and removes it, and does
// not touch the folder of a living process.
func TestSweep(t *testing.T) {
	t.Parallel()
	living, err := localserver.TemporaryRedis(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { _ = living.Stop(context.WithoutCancel(t.Context())) })
	helper, dirs := startHelper(t, "kill")
	servers := []int{number(t, filepath.Join(dirs[0], "postgres", "postmaster.pid")), number(t, filepath.Join(dirs[1], "redis", "redis.pid"))}
	for _, pid := range servers {
		killSupervisor(t, pid)
	}
	for _, pid := range servers {
		require.NoError(t, syscall.Kill(pid, 0), "the server outlives its supervisor")
	}
	require.NoError(t, helper.Process.Kill())
	_ = helper.Wait()
	require.Eventually(t, func() bool { // until the last keeper is reaped
		localserver.Sweep(t.Context())
		_, err := os.Stat(dirs[0])
		_, err2 := os.Stat(dirs[1])
		return os.IsNotExist(err) && os.IsNotExist(err2)
	}, time.Minute, 50*time.Millisecond)
	requireGone(t, dirs)
	c := redis.NewClient(&redis.Options{Addr: living.RedisAddr()})
	t.Cleanup(func() { _ = c.Close() })
	require.NoError(t, c.Ping(t.Context()).Err())
}

// Guarantee: a server is not swept away when only its address is kept.
func TestOnlyTheAddressIsKept(t *testing.T) {
	t.Parallel()
	addr := func() string {
		server, err := localserver.TemporaryRedis(t.Context())
		require.NoError(t, err)
		return server.RedisAddr()
	}()
	runtime.GC()
	runtime.GC() // finalizers have run
	localserver.Sweep(t.Context())
	c := redis.NewClient(&redis.Options{Addr: addr})
	t.Cleanup(func() { _ = c.Close() })
	require.NoError(t, c.Ping(t.Context()).Err())
}

// killSupervisor kills what a server shares its group with, but for the server and its children.
func killSupervisor(t *testing.T, server int) {
	t.Helper()
	group, err := syscall.Getpgid(server)
	require.NoError(t, err)
	out, err := exec.CommandContext(t.Context(), "ps", "-eo", "pid=,pgid=,ppid=").Output()
	require.NoError(t, err)
	for line := range strings.Lines(string(out)) {
		f := strings.Fields(line)
		if own := strconv.Itoa(server); len(f) == 3 && f[1] == strconv.Itoa(group) && f[0] != own && f[2] != own {
			pid, err := strconv.Atoi(f[0])
			require.NoError(t, err)
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}

// TestHelper is the process that the tests above end; alone it does nothing.
func TestHelper(t *testing.T) { //nolint:paralleltest // the only test of its process
	how := os.Getenv("TESTSERVER_HELPER")
	if how == "" {
		require.Empty(t, how)
		return
	}
	p, err := localserver.TemporaryPostgres(t.Context())
	require.NoError(t, err)
	r, err := localserver.TemporaryRedis(t.Context())
	require.NoError(t, err)
	_, _ = os.Stdout.WriteString("folders " + p.Dir() + " " + r.Dir() + "\n")
	switch how {
	case "panic":
		panic("on purpose")
	case "exit":
		os.Exit(3)
	case "kill":
		select {}
	}
}

// startHelper runs TestHelper in a process of its own and gives the folders of its two servers.
func startHelper(t *testing.T, how string) (*exec.Cmd, []string) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestHelper$", "-test.v")
	cmd.Env = append(os.Environ(), "TESTSERVER_HELPER="+how)
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	lines := bufio.NewScanner(stdout)
	for lines.Scan() {
		if rest, ok := strings.CutPrefix(lines.Text(), "folders "); ok {
			return cmd, strings.Fields(rest)
		}
	}
	_ = cmd.Wait()
	require.Fail(t, "the helper named no folders")
	return nil, nil
}

func number(t *testing.T, path string) int {
	t.Helper()
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	n, err := strconv.Atoi(strings.Fields(string(b))[0])
	require.NoError(t, err)
	return n
}

// requireGone waits until folders and all processes that name them are gone.
func requireGone(t *testing.T, dirs []string) {
	t.Helper()
	for _, dir := range dirs {
		require.Eventually(t, func() bool {
			_, err := os.Stat(dir)
			return os.IsNotExist(err)
		}, time.Minute, 20*time.Millisecond, dir)
	}
	require.Eventually(t, func() bool { // the shell that removed a folder ends a moment later
		out, err := exec.CommandContext(t.Context(), "ps", "-eww", "-o", "args=").Output()
		return err == nil && !slices.ContainsFunc(dirs, func(dir string) bool { return strings.Contains(string(out), dir) })
	}, time.Minute, 20*time.Millisecond)
}
