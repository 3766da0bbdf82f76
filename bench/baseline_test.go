package bench_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/localserver"
)

// firstOfBilling is the file with which billing began.
const firstOfBilling = "modules/billing/module.go"

// buildBeforeBilling builds the service as it was in the commit before there was billing: see treeBefore.
func buildBeforeBilling(ctx context.Context, tb testing.TB) (commit, binary string, err error) {
	tb.Helper()
	commit, dir, err := treeBefore(ctx, tb, firstOfBilling)
	if err != nil {
		return "", "", err
	}
	binary = filepath.Join(dir, "gpatlas")
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-o", binary, "./cmd/gpatlas")
	cmd.Dir, cmd.Env = dir, environ()
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", "", fmt.Errorf("go build: %w: %s", err, out)
	}
	return commit, binary, nil
}

// treeBefore writes the tree of the commit before one that added a file, from the repository's history. It fails where there is none, as in an
// archive of the tree.
func treeBefore(ctx context.Context, tb testing.TB, file string) (commit, dir string, err error) {
	tb.Helper()
	output := func(name string, args ...string) (string, error) {
		cmd := exec.CommandContext(ctx, name, args...)
		cmd.Dir = ".."
		out, err := cmd.CombinedOutput()
		if err != nil {
			return "", fmt.Errorf("%s: %w: %s", name, err, out)
		}
		return strings.TrimSpace(string(out)), nil
	}
	first, err := output("git", "log", "--diff-filter=A", "--format=%H", "--", file)
	if err != nil {
		return "", "", err
	}
	first = lastLine(first)
	if first == "" {
		return "", "", errors.New("the history does not have " + file)
	}
	if commit, err = output("git", "rev-parse", "--short", first+"^"); err != nil {
		return "", "", err
	}
	dir = scratch(tb)
	if _, err := output("sh", "-c", `git archive "$1" | tar -x -C "$2"`, "sh", commit, dir); err != nil {
		return "", "", err
	}
	return commit, dir, nil
}

// startWeb starts a web process over the servers of a data folder, as production does, and gives its address.
func startWeb(ctx context.Context, tb testing.TB, binary, dataDir string) (addr string) {
	tb.Helper()
	databaseURL, redisURL, running, err := localserver.Find(dataDir)
	require.NoError(tb, err)
	require.True(tb, running)
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(tb, err)
	addr = ln.Addr().String()
	require.NoError(tb, ln.Close())
	cmd, said := exec.Command(binary, "web", "--addr", addr), &tail{}
	cmd.Stdout, cmd.Stderr = said, said
	cmd.Env = append(environ(), "DATABASE_URL="+databaseURL, "REDIS_URL="+redisURL, "WEB_INTERNAL_ADDR=127.0.0.1:0", "WEB_ACCESS_LOG=errors",
		"ACCOUNTS_JWT_KEYS=k1:"+strings.Repeat("QUJD", 11), "ANONYMOUS_LIMITS=off")
	require.NoError(tb, cmd.Start())
	tb.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
	})
	waiting, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	require.NoError(tb, firstAnswer(waiting, addr), "%s", said)
	return addr
}
