package main

import (
	"bufio"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/testkit/dbtest"
)

// Signals within a second of the first are the same request; later ones are meant.
func TestSignalCounter(t *testing.T) {
	t.Parallel()
	var i signalCounter
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, c := range []struct {
		after time.Duration
		want  int
	}{{0, 1}, {10 * time.Millisecond, 1}, {999 * time.Millisecond, 1}, {time.Second, 2}, {1100 * time.Millisecond, 3}} {
		require.Equal(t, c.want, i.add(at.Add(c.after)), c.after)
	}
}

// Two SIGTERMs and a Ctrl-C at once stop in order.
func TestTwoSignalsAtOnceAreOne(t *testing.T) {
	t.Parallel()
	dir, addr := scratch(t), freePort(t)
	cmd, out := startDev(t, dir, addr)
	for _, s := range []os.Signal{syscall.SIGTERM, syscall.SIGTERM, os.Interrupt} {
		require.NoError(t, cmd.Process.Signal(s))
	}
	require.NoError(t, ended(t, cmd, out), out)
	require.Contains(t, out.String(), "again to force it")
	require.NotContains(t, out.String(), "by force")
	require.False(t, running(t, dir))
}

// `gpatlas dev | head`: when the reader goes, before the greeting or after it, the service ends, and its servers with it.
func TestDevEndsWithItsReader(t *testing.T) {
	t.Parallel()
	for name, until := range map[string]string{"before the greeting": "", "after the greeting": "Ctrl-C stops everything"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := scratch(t)
			cmd, out := gpatlas(t, "dev", "--data-dir", dir, "--addr", "127.0.0.1:0", "--no-sample")
			read, write, err := os.Pipe()
			require.NoError(t, err)
			cmd.Stdout = write
			require.NoError(t, cmd.Start())
			t.Cleanup(func() { _ = cmd.Process.Kill() })
			require.NoError(t, write.Close())
			lines := bufio.NewScanner(read)
			for until != "" && lines.Scan() && !strings.Contains(lines.Text(), until) {
			}
			require.NoError(t, read.Close())
			require.NoError(t, ended(t, cmd, out), out)
			require.False(t, running(t, dir), "no servers are left behind")
			require.NotContains(t, out.String(), "broken pipe")
		})
	}
}

// A command that prints ends silently, as others do, when nobody reads on.
func TestACommandEndsWithItsReader(t *testing.T) {
	t.Parallel()
	cmd, out := gpatlas(t, "openapi")
	read, write, err := os.Pipe()
	require.NoError(t, err)
	require.NoError(t, read.Close())
	cmd.Stdout = write
	require.Equal(t, exitUnread, runToEnd(t, cmd))
	require.NoError(t, write.Close())
	require.Empty(t, out.String())
}

// Each command prints one line with the remedy if the database has no schema or Redis cannot be reached.
func TestServersAreNotReady(t *testing.T) {
	t.Parallel()
	const key = "ACCOUNTS_JWT_KEYS=k1:MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
	empty, migrated, redisURL := dbtest.NewEmptyURL(t), dbtest.NewURL(t), dbtest.RedisURL(t)
	run := func(databaseURL, redisURL string, args ...string) string {
		t.Helper()
		cmd, out := gpatlas(t, args...)
		cmd.Env = append(cmd.Env, key, "MAIL_DIR="+scratch(t), "DATABASE_URL="+databaseURL, "REDIS_URL="+redisURL)
		require.Equal(t, exitFailed, runToEnd(t, cmd), "%s: %s", args, out)
		return out.String()
	}
	document := t.TempDir() + "/roster.csv"
	require.NoError(t, os.WriteFile(document, []byte(roster(2)), 0o600))
	for _, args := range [][]string{
		{"web", "--addr", "127.0.0.1:0"}, {"worker"}, {"refresh"}, {"ingest", document}, {"ingest", "--list-sources"}, {"admin", "grant", "ada@larkspur.example"},
	} {
		require.Equal(t, "gpatlas: the database has no schema; run gpatlas migrate up\n", run(empty, redisURL, args...), "%s", args)
	}
	const away = "gpatlas: cannot reach Redis at 127.0.0.1:1: nothing is listening there: start Redis, or correct REDIS_URL\n"
	require.Equal(t, away, run(migrated, "redis://127.0.0.1:1/0", "worker"))
	dev := run(migrated, "redis://127.0.0.1:1/0", "dev", "--addr", "127.0.0.1:0", "--data-dir", scratch(t))
	named, rest, _ := strings.Cut(dev, "\n")
	require.Regexp(t, `^Using the database of DATABASE_URL: \S+ at /\S+$`, named, "dev names the database that it writes to")
	require.Equal(t, away, rest)

	cmd, out := gpatlas(t, "migrate", "down", "99")
	cmd.Env = append(cmd.Env, "DATABASE_URL="+migrated)
	require.Equal(t, exitUsage, runToEnd(t, cmd), "a mistyped version must not take everything back")
	require.Equal(t, "gpatlas: there is no migration 99: see gpatlas migrate status\n", out.String())
}

// A web process starts without Redis, and says so in one line.
func TestWebStartsWithoutRedis(t *testing.T) {
	t.Parallel()
	cmd, out := gpatlas(t, "web", "--addr", freePort(t))
	cmd.Env = append(cmd.Env, "ACCOUNTS_JWT_KEYS=k1:MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=", "ACCOUNTS_PUBLIC_APP_URL=http://app.example",
		"WEB_INTERNAL_ADDR=", "DATABASE_URL="+dbtest.NewURL(t), "REDIS_URL=redis://127.0.0.1:1/0")
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	require.Eventually(t, func() bool { return strings.Contains(out.String(), `"msg":"started"`) }, time.Minute, glance, out)
	require.Equal(t, 1, strings.Count(out.String(), "Redis is unavailable: requests pass without limits until it returns"), out)
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	require.NoError(t, ended(t, cmd, out), out)
}
