package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"gpatlas/platform/localserver"
	"gpatlas/platform/testkit/dbtest"
)

// gpatlas is the command in another process, without settings of ours.
func gpatlas(t *testing.T, args ...string) (*exec.Cmd, *output) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Args = append([]string{"gpatlas"}, args...)
	out := &output{}
	cmd.Stdout, cmd.Stderr = out, out
	for _, line := range os.Environ() {
		if name, _, _ := strings.Cut(line, "="); name != "DATABASE_URL" && name != "REDIS_URL" && name != "PORT" {
			cmd.Env = append(cmd.Env, line)
		}
	}
	return cmd, out
}

// output gathers what a process writes, readable while it does.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(b)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

func freePort(t *testing.T) string {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { _ = ln.Close() }()
	return ln.Addr().String()
}

// startDev starts `gpatlas dev` without the sample and waits until it says that it is ready. It is killed with its servers when the test ends.
func startDev(t *testing.T, dir, addr string) (*exec.Cmd, *output) {
	t.Helper()
	return startDevAs(t, "gpatlas", dir, addr)
}

// startDevAs is startDev of another program of this binary (see TestMain), with settings of its own.
func startDevAs(t *testing.T, program, dir, addr string, env ...string) (*exec.Cmd, *output) {
	t.Helper()
	cmd, out := gpatlas(t, "dev", "--data-dir", dir, "--addr", addr, "--no-sample")
	cmd.Args[0], cmd.Env = program, append(cmd.Env, env...)
	return ready(t, cmd, out, dir, addr)
}

// ready starts a `gpatlas dev` as startDev does.
func ready(t *testing.T, cmd *exec.Cmd, out *output, dir, addr string) (*exec.Cmd, *output) {
	t.Helper()
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if !running(t, dir) {
			return
		}
		// A test that failed has left servers behind.
		if stack, err := localserver.Start(context.WithoutCancel(t.Context()), localserver.Config{Dir: dir}); err == nil {
			_ = stack.Stop(context.WithoutCancel(t.Context()))
		}
	})
	require.Eventually(t, func() bool { return strings.Contains(out.String(), "GP Atlas is ready on http://"+addr) },
		90*time.Second, 10*time.Millisecond, out)
	return cmd, out
}

// ended waits for a process that was asked to stop. One that does not is made to say what it is doing.
func ended(t *testing.T, cmd *exec.Cmd, out *output) error {
	t.Helper()
	stuck := time.AfterFunc(50*time.Second, func() { _ = cmd.Process.Signal(syscall.SIGQUIT) })
	err := cmd.Wait()
	require.True(t, stuck.Stop(), "it does not stop:\n%s", out)
	return err
}

func get(t *testing.T, url string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, http.NoBody)
	require.NoError(t, err)
	res, err := (&http.Client{Timeout: time.Minute}).Do(req)
	require.NoError(t, err)
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	return res.StatusCode, string(body)
}

func running(t *testing.T, dir string) bool {
	t.Helper()
	_, _, ok, err := localserver.Find(dir)
	require.NoError(t, err)
	return ok
}

// One data folder: served, refused to a second owner, stopped by Ctrl-C, ended by kill -9, started again.
func TestDev(t *testing.T) {
	t.Parallel()
	dir, addr := scratch(t), freePort(t)
	cmd, out := startDev(t, dir, addr)
	status, body := get(t, "http://"+addr+"/health")
	require.Equal(t, http.StatusOK, status, body)
	require.Contains(t, out.String(), "gpatlas ingest --data-dir '"+dir+"' FILE_OR_FOLDER", "what to do on an empty catalog")
	require.Contains(t, out.String(), "http://"+addr+"/docs")

	second, said := gpatlas(t, "dev", "--data-dir", dir, "--addr", freePort(t))
	require.Equal(t, exitFailed, runToEnd(t, second))
	require.Regexp(t, `^gpatlas: data folder \S+ is in use by gpatlas dev \(pid \d+\): stop that process, or choose another folder with --data-dir\n$`, said.String())

	status2, said := gpatlas(t, "migrate", "status", "--data-dir", dir)
	require.Zero(t, runToEnd(t, status2), said)
	require.Regexp(t, `(\d+) of \d+ migrations applied\n$`, said.String())
	require.NotContains(t, said.String(), "pending")

	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	require.NoError(t, ended(t, cmd, out), out)
	require.False(t, running(t, dir), "Ctrl-C stops the servers")
	require.NotContains(t, out.String(), "goroutine")

	cmd, _ = startDev(t, dir, addr)
	require.NoError(t, cmd.Process.Kill())
	require.Error(t, cmd.Wait())
	require.Eventually(t, func() bool { return !running(t, dir) }, time.Minute, 10*time.Millisecond, "a killed process takes its servers along")
	began := time.Now()
	cmd, out = startDev(t, dir, addr)
	t.Logf("ready again after %v", time.Since(began))
	status, body = get(t, "http://"+addr+"/health")
	require.Equal(t, http.StatusOK, status, body)
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	require.NoError(t, ended(t, cmd, out), out)
	require.False(t, running(t, dir))
}

// A start that is killed while it loads the sample leaves a part of it; the next one completes it, to the figures computed by hand.
func TestSampleIsCompleted(t *testing.T) {
	t.Parallel()
	dir, addr := scratch(t), freePort(t)
	cmd, out := gpatlas(t, "dev", "--data-dir", dir, "--addr", addr)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	require.Eventually(t, func() bool { return exists(filepath.Join(dir, "sample.unfinished")) }, time.Minute, 10*time.Millisecond, out)
	status, body := get(t, "http://"+addr+"/v1/gps") // the address is held, and reports why it has no answers yet
	require.Equal(t, http.StatusServiceUnavailable, status)
	require.JSONEq(t, `{"detail":"The service is starting. Try again in a few seconds."}`, body)
	second, said := gpatlas(t, "dev", "--data-dir", scratch(t), "--addr", addr)
	require.Equal(t, exitFailed, runToEnd(t, second))
	require.Contains(t, said.String(), "address "+addr+" is in use")
	require.NoError(t, cmd.Process.Kill())
	_ = cmd.Wait()

	cmd, out = gpatlas(t, "dev", "--data-dir", dir, "--addr", addr)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	require.Eventually(t, func() bool { return strings.Contains(out.String(), "is ready on") }, 90*time.Second, 20*time.Millisecond, out)
	require.NoFileExists(t, filepath.Join(dir, "sample.unfinished"))
	require.NoDirExists(t, filepath.Join(dir, "sample"))
	require.Equal(t, "300", rowsOf(t, dir, "catalog.advisers"))
	require.NotEqual(t, "0", rowsOf(t, dir, "people.postings"), "recorded job boards are loaded, too")
	require.Equal(t, "15", rowsOf(t, dir, "people.lps"), "and LPs")
	checkFigures(t, "http://"+addr)
	_, body = get(t, "http://"+addr+"/v1/gps/"+shownGP+"/enrichment-info")
	require.Contains(t, body, `{"name":"invented","fields":["email","phone"`)
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	require.NoError(t, ended(t, cmd, out), out)
}

func rowsOf(t *testing.T, dir, table string) string {
	t.Helper()
	return askOf(t, dir, "SELECT count(*)::text FROM "+table)
}

// textOf is the content of a table, to compare.
func textOf(t *testing.T, dir, table string) string {
	t.Helper()
	return askOf(t, dir, "SELECT string_agg(r::text, chr(10)) FROM (SELECT * FROM "+table+") AS r")
}

func askOf(t *testing.T, dir, statement string) string {
	t.Helper()
	url, _, ok, err := localserver.Find(dir)
	require.NoError(t, err)
	require.True(t, ok)
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	defer func() { _ = conn.Close(t.Context()) }()
	var text string
	require.NoError(t, conn.QueryRow(t.Context(), statement).Scan(&text))
	return text
}

func runToEnd(t *testing.T, cmd *exec.Cmd) int {
	t.Helper()
	if err := cmd.Run(); err != nil {
		_, ok := errors.AsType[*exec.ExitError](err)
		require.True(t, ok, err)
	}
	return cmd.ProcessState.ExitCode()
}

// Two with different folders and ports do not know of each other; the second one's port is free again when it ends.
func TestTwoSideBySide(t *testing.T) {
	t.Parallel()
	one, two := scratch(t), scratch(t)
	a, b := freePort(t), freePort(t)
	first, firstOut := startDev(t, one, a)
	second, out := startDev(t, two, b)
	require.NoError(t, second.Process.Signal(os.Interrupt))
	require.NoError(t, ended(t, second, out), out)
	status, body := get(t, "http://"+a+"/health")
	require.Equal(t, http.StatusOK, status, body)
	require.NoError(t, first.Process.Signal(os.Interrupt))
	require.NoError(t, ended(t, first, firstOut), firstOut)
}

// The second Ctrl-C does not wait for an orderly stop, and the servers are gone all the same.
func TestSecondInterruptForces(t *testing.T) {
	t.Parallel()
	dir, addr := scratch(t), freePort(t)
	cmd, out := startDev(t, dir, addr)
	conn, err := net.Dial("tcp", addr) // a request that never ends keeps an orderly stop waiting
	require.NoError(t, err)
	defer func() { _ = conn.Close() }()
	_, err = io.WriteString(conn, "GET /health HTTP/1.1\r\nHost: x\r\n")
	require.NoError(t, err)
	first := time.Now()
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	require.Eventually(t, func() bool { return strings.Contains(out.String(), "again to force it") }, time.Minute, 5*time.Millisecond, out)
	require.Eventually(t, func() bool { return time.Since(first) > sameRequest+100*time.Millisecond }, time.Minute, 5*time.Millisecond)
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	began := time.Now()
	_ = ended(t, cmd, out) // its code depends on how far the first one had come
	require.Less(t, time.Since(began), 10*time.Second, out)
	require.False(t, running(t, dir))
}

// While PostgreSQL is stopped searches go on from memory, details say that they cannot be had, and health tells.
func TestSearchOutlivesTheDatabase(t *testing.T) {
	t.Parallel()
	stack, err := localserver.Start(t.Context(), localserver.Config{Dir: scratch(t), NoRedis: true}) // gpatlas dev would start its own again
	require.NoError(t, err)
	t.Cleanup(func() { _ = stack.Stop(context.WithoutCancel(t.Context())) })
	addr := freePort(t)
	cmd, out := startDevAs(t, "gpatlas", scratch(t), addr, "DATABASE_URL="+stack.DatabaseURL())
	base := "http://" + addr
	require.NoError(t, stack.Stop(t.Context()))
	require.Eventually(t, func() bool {
		status, body := get(t, base+"/health")
		return status == http.StatusServiceUnavailable && strings.Contains(body, `"status":"unhealthy"`) && strings.Contains(body, `"database":"unreachable"`)
	}, time.Minute, 20*time.Millisecond)
	for path, want := range map[string]int{
		"/v1/gps?min_aum=1&sort=aum": http.StatusOK, "/v1/funds?q=growth": http.StatusOK, "/v1/search?q=ca": http.StatusOK,
		"/v1/search/autocomplete?q=ca": http.StatusOK, "/v1/stats": http.StatusOK, "/v1/strategies": http.StatusOK,
		"/v1/locations": http.StatusOK, "/status": http.StatusOK, "/v1/gps/700001": http.StatusServiceUnavailable,
	} {
		status, body := get(t, base+path)
		require.Equal(t, want, status, "%s: %s", path, body)
	}
	_, body := get(t, base+"/status")
	require.Contains(t, body, `"age_seconds":`)
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	require.NoError(t, ended(t, cmd, out), out)
}

// Private servers that are killed are started again, and the running process uses them by itself.
func TestDevStartsItsServersAgain(t *testing.T) {
	t.Parallel()
	dir, addr := scratch(t), freePort(t)
	cmd, out := startDevAs(t, "gpatlas", dir, addr, "WEB_INTERNAL_TOKEN=0123456789abcdef")
	for name, file := range map[string]string{"PostgreSQL": "postgres/postmaster.pid", "Redis": "redis/redis.pid"} {
		text, err := os.ReadFile(filepath.Join(dir, file))
		require.NoError(t, err)
		pid, err := strconv.Atoi(strings.Fields(string(text))[0])
		require.NoError(t, err)
		require.NoError(t, syscall.Kill(pid, syscall.SIGKILL))
		require.Eventually(t, func() bool { return strings.Contains(out.String(), name+" ended unexpectedly (signal: killed): see ") }, time.Minute, 10*time.Millisecond, out)
	}
	require.Eventually(t, func() bool {
		status, _ := get(t, "http://"+addr+"/health")
		return status == http.StatusOK && readiness(t, addr) == http.StatusOK
	}, time.Minute, 20*time.Millisecond, out)
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	require.NoError(t, ended(t, cmd, out), out)
	require.False(t, running(t, dir))
}

// readiness asks a process that was given a token for its internal pages.
func readiness(t *testing.T, addr string) int {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+addr+"/_internal/ready", http.NoBody)
	require.NoError(t, err)
	req.Header.Set("Authorization", "Bearer 0123456789abcdef")
	res, err := (&http.Client{Timeout: time.Minute}).Do(req)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	return res.StatusCode
}

// A process that runs jobs is not ready while Redis is unavailable, though it answers searches.
func TestDevIsNotReadyWithoutRedis(t *testing.T) {
	t.Parallel()
	server := dbtest.RedisServer(t)
	addr := freePort(t)
	cmd, out := startDevAs(t, "gpatlas", scratch(t), addr, "REDIS_URL="+server.RedisURL(), "WEB_INTERNAL_TOKEN=0123456789abcdef")
	require.Equal(t, http.StatusOK, readiness(t, addr))
	require.NoError(t, server.Stop(t.Context()))
	require.Eventually(t, func() bool { return readiness(t, addr) == http.StatusServiceUnavailable }, time.Minute, 20*time.Millisecond, out)
	status, body := get(t, "http://"+addr+"/v1/search?q=ca")
	require.Equal(t, http.StatusOK, status, body)
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	require.NoError(t, ended(t, cmd, out), out)
}
