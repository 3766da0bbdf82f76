package dbtest

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// PgBouncer starts PgBouncer in transaction mode before the database of a URL, with two connections to it, and returns its own URL. Settings
// are lines of its file. It ends with the test.
func PgBouncer(tb testing.TB, url string, settings ...string) string {
	tb.Helper()
	to, err := pgx.ParseConfig(url)
	require.NoError(tb, err)
	addr := freeAddress(tb)
	_, port, err := net.SplitHostPort(addr)
	require.NoError(tb, err)
	dir, err := os.MkdirTemp("", "pgbouncer-")
	require.NoError(tb, err)
	tb.Cleanup(func() { _ = os.RemoveAll(dir) })
	require.NoError(tb, os.Chmod(dir, 0o755)) // PgBouncer does not run as root
	password := ""
	if to.Password != "" {
		password = " password=" + to.Password
	}
	lines := append([]string{
		"[databases]", fmt.Sprintf("pooled = host=%s port=%d dbname=%s user=%s%s", to.Host, to.Port, to.Database, to.User, password),
		"[pgbouncer]", "listen_addr = 127.0.0.1", "listen_port = " + port, "unix_socket_dir =", "auth_type = any",
		"pool_mode = transaction", "default_pool_size = 2", "max_client_conn = 100",
	}, settings...)
	file := filepath.Join(dir, "pgbouncer.ini")
	require.NoError(tb, os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o644))
	cmd := exec.Command(pgbouncer(), file)
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
	if os.Geteuid() == 0 {
		as, err := user.Lookup("postgres")
		require.NoError(tb, err)
		uid, err := strconv.ParseUint(as.Uid, 10, 32)
		require.NoError(tb, err)
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(uid)}
	}
	var said strings.Builder
	cmd.Stdout, cmd.Stderr = &said, &said
	require.NoError(tb, cmd.Start(), "a test needs PgBouncer")
	tb.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	pooled := "postgres://" + to.User + "@" + addr + "/pooled?sslmode=disable"
	require.Eventually(tb, func() bool {
		c, err := pgx.Connect(tb.Context(), pooled)
		if err == nil {
			_ = c.Close(tb.Context())
		}
		return err == nil
	}, redisWait, redisPause, "PgBouncer answers")
	return pooled
}

func pgbouncer() string {
	if bin, err := exec.LookPath("pgbouncer"); err == nil {
		return bin
	}
	return "/usr/sbin/pgbouncer" // Debian's, which is not on everybody's PATH
}

// PgBouncerKeepsStatements reports whether PgBouncer has max_prepared_statements, since 1.21.
func PgBouncerKeepsStatements(tb testing.TB) bool {
	tb.Helper()
	said, err := exec.Command(pgbouncer(), "--version").Output()
	require.NoError(tb, err, "a test needs PgBouncer")
	var major, minor int
	_, err = fmt.Sscanf(string(said), "PgBouncer %d.%d", &major, &minor)
	require.NoError(tb, err, "%s", said)
	return major > 1 || minor >= 21
}

// freeAddress returns a HOST:PORT on which no server listens.
func freeAddress(tb testing.TB) string {
	tb.Helper()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(tb, err)
	defer func() { _ = free.Close() }()
	return free.Addr().String()
}
