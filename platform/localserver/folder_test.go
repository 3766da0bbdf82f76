package localserver_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/localserver"
)

// A folder too deep for sockets, with a space in its name, keeps them in a short folder and is found there again.
func TestDeepFolder(t *testing.T) {
	t.Parallel()
	dir := scratch(t, filepath.Join("Application Support", strings.Repeat("deep/", 20), "data"))
	s := start(t, dir)
	run, err := os.Readlink(filepath.Join(dir, "run"))
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(run) })
	require.Less(t, len(run), 60)
	info, err := os.Stat(run)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o700), info.Mode().Perm())
	require.Equal(t, "1", query(t, s, "SELECT 1"))
	remember(t, s, "there")
	require.NoError(t, s.Stop(t.Context()))

	require.NoError(t, os.RemoveAll(run), "a short folder may vanish with a reboot")
	s = start(t, dir)
	require.Equal(t, "there", recall(t, s))
	require.NoError(t, s.Stop(t.Context()))
}

// Each hindrance is one clear line that says what to do.
func TestHindrances(t *testing.T) {
	t.Parallel()
	closed := scratch(t, "closed")
	require.NoError(t, os.Mkdir(closed, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(closed, "something"), nil, 0o600))
	file := scratch(t, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	old := scratch(t, "old")
	require.NoError(t, os.MkdirAll(filepath.Join(old, "postgres"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(old, "postgres", "PG_VERSION"), []byte("9\n"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(old, "gpatlas.lock"), nil, 0o600))
	foreign := scratch(t, "foreign")
	require.NoError(t, os.Mkdir(foreign, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(foreign, "thesis.txt"), nil, 0o600))

	tests := map[string]struct {
		cfg    localserver.Config
		root   bool // only where this user can meet it
		want   string
		advice string
	}{
		"no folder":           {cfg: localserver.Config{}, want: "no data folder", advice: "--data-dir"},
		"not empty":           {cfg: localserver.Config{Dir: foreign}, want: "data folder " + foreign + " is not empty and was not made by gpatlas", advice: "choose a new or empty folder with --data-dir"},
		"a file in the way":   {cfg: localserver.Config{Dir: file}, want: "cannot create data folder " + file, advice: "--data-dir"},
		"below a file":        {cfg: localserver.Config{Dir: filepath.Join(file, "data")}, want: "cannot create data folder " + file + "/data: not a directory", advice: "--data-dir"},
		"out of reach":        {cfg: localserver.Config{Dir: filepath.Join(closed, "data")}, root: true, want: "has no access to " + closed + " (mode 0700)", advice: "--data-dir, such as /var/lib/gpatlas"},
		"no PostgreSQL":       {cfg: localserver.Config{Dir: scratch(t, "a")}.WithPath("/usr/bin"), want: "PostgreSQL is not installed", advice: "apt-get install postgresql"},
		"no Redis":            {cfg: localserver.Config{Dir: scratch(t, "b")}.WithPath("/nowhere"), want: "redis-server is not installed", advice: "apt-get install redis-server"},
		"another PostgreSQL":  {cfg: localserver.Config{Dir: old}, want: old + " was created by PostgreSQL 9, but version", advice: "install PostgreSQL 9, or choose another"},
		"nobody to run it as": {cfg: localserver.Config{Dir: scratch(t, "c")}.WithUsers("no-such-user"), root: true, want: "refuses to run as root and there is no user no-such-user", advice: "as an ordinary user"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if tt.root && os.Geteuid() != 0 {
				t.Skip("only root meets this")
			}
			s, err := localserver.Start(t.Context(), tt.cfg)
			require.Nil(t, s)
			require.ErrorContains(t, err, tt.want)
			require.ErrorContains(t, err, tt.advice)
			require.NotContains(t, err.Error(), "\n", "one line")
		})
	}
}

// Another user's folder is rejected with a clear error before a server is started.
func TestForeignFolder(t *testing.T) {
	t.Parallel()
	if os.Geteuid() == 0 {
		t.Skip("root may use any folder; TestAsOrdinaryUser runs this")
	}
	_, err := localserver.Start(t.Context(), localserver.Config{Dir: "/etc/gpatlas-test"})
	require.ErrorContains(t, err, "cannot create data folder /etc/gpatlas-test: permission denied: choose another folder with --data-dir")
	_, err = localserver.Start(t.Context(), localserver.Config{Dir: "/etc"})
	require.ErrorContains(t, err, "cannot write to data folder /etc")
}

// Root may name a folder that no other user can enter, when it is new or empty: it is opened for passing, not for listing.
func TestRootOpensAnEmptyFolder(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root's servers run as another user")
	}
	dir := scratch(t, "empty")
	require.NoError(t, os.Mkdir(dir, 0o700))
	s, err := localserver.Start(t.Context(), localserver.Config{Dir: dir, NoDB: true}.WithUsers("nobody"))
	require.NoError(t, err)
	require.Empty(t, s.DatabaseURL())
	_, name := s.Account()
	require.Equal(t, "nobody", name)
	info, err := os.Stat(dir)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o711), info.Mode().Perm())
	require.NoError(t, s.Stop(t.Context()))
}

// A command that waits for another owner's servers fails when they never answer.
func TestOpenGivesUp(t *testing.T) {
	t.Parallel()
	dir := scratch(t, "data")
	s, err := localserver.Start(t.Context(), localserver.Config{Dir: dir, NoDB: true})
	require.NoError(t, err)
	_, err = localserver.Open(t.Context(), localserver.Config{Dir: dir}.WithPatience(100*time.Millisecond))
	require.ErrorContains(t, err, "its servers do not respond: see "+filepath.Join(dir, "log"))
	require.NoError(t, s.Stop(t.Context()))
}

func TestDefaultDir(t *testing.T) {
	t.Parallel()
	env := map[string]string{"HOME": "/home/someone"}
	getenv := func(k string) string { return env[k] }
	dir, err := localserver.DefaultDir(getenv)
	require.NoError(t, err)
	if os.Geteuid() == 0 {
		require.Equal(t, "/var/lib/gpatlas", dir)
		return
	}
	require.Equal(t, "/home/someone/.local/share/gpatlas", dir)
	env["XDG_DATA_HOME"] = "/data"
	dir, err = localserver.DefaultDir(getenv)
	require.NoError(t, err)
	require.Equal(t, "/data/gpatlas", dir)
	clear(env)
	_, err = localserver.DefaultDir(getenv)
	require.ErrorContains(t, err, "--data-dir")
}

// As root the whole suite runs a second time as an ordinary user, which is the other half of the code.
func TestAsOrdinaryUser(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("already an ordinary user")
	}
	bin := scratch(t, "localserver.test")
	// Copied by another process: a child that a parallel test forks while we hold the file open for writing would hold
	// it too, and "text file busy" is what comes of running it then.
	said, err := exec.Command("cp", os.Args[0], bin).CombinedOutput()
	require.NoError(t, err, string(said))
	require.NoError(t, os.Chmod(bin, 0o755))

	const nobody = 65534
	cmd := exec.Command(bin, "-test.v", "-test.timeout=5m", "-test.parallel=2")
	cmd.Dir = "/"
	cmd.Env = append(os.Environ(), "HOME=/nonexistent", "TMPDIR=/tmp", "GOCOVERDIR=/tmp")
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	text, err := cmd.CombinedOutput()
	require.NoError(t, err, string(text))
	require.Contains(t, string(text), "--- PASS: TestKilled")
	require.Contains(t, string(text), "--- PASS: TestForeignFolder")
}
