package scripts_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// machine is a make-believe computer for install.sh: a PATH that holds only what we put there, and a root folder.
type machine struct {
	t    *testing.T
	root string // its /
	bin  string // its PATH
	log  string // what was run
}

// newMachine has the plain tools, a suitable Go, and the given user id; nothing of what install.sh installs.
func newMachine(t *testing.T, system, uid string) *machine {
	t.Helper()
	root := t.TempDir()
	m := &machine{t: t, root: root, bin: filepath.Join(root, "bin"), log: filepath.Join(root, "log")}
	require.NoError(t, os.Mkdir(m.bin, 0o755))
	for _, tool := range []string{"bash", "sh", "env", "sed", "sort", "head", "dirname", "mkdir", "chmod", "rm", "tee", "cat"} {
		path, err := exec.LookPath(tool)
		require.NoError(t, err)
		require.NoError(t, os.Symlink(path, filepath.Join(m.bin, tool)))
	}
	m.program("go", `if [ "$1" = install ]; then echo "go $* $GOFLAGS" >>`+m.log+`; mkdir -p "$GOBIN"; echo >"$GOBIN/stripe-mock"; chmod +x "$GOBIN/stripe-mock"; fi
echo go1.26.9`)
	m.program("uname", "echo "+system)
	require.NoError(t, os.MkdirAll(filepath.Join(root, "bin", "axe-core-4.14.1"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(root, "bin", "axe-core-4.14.1", "axe.min.js"), nil, 0o600))
	m.program("id", "echo "+uid)
	return m
}

func (m *machine) program(name, script string) {
	m.t.Helper()
	require.NoError(m.t, os.WriteFile(filepath.Join(m.bin, name), []byte("#!/bin/sh\n"+script+"\n"), 0o755))
}

// packages gives the machine an apt-get or brew that writes down how it was called and what the guards were, and whose
// packages really appear.
func (m *machine) packages(name string) {
	m.program(name, `echo "`+name+` $*" >>`+m.log+`
case "$*" in *install*) ;; *) exit 0 ;; esac
cat `+m.root+`/etc/postgresql-common/createcluster.d/gpatlas-install.conf >>`+m.log+` 2>/dev/null
`+m.root+`/usr/sbin/policy-rc.d >>`+m.log+` 2>/dev/null; echo "policy $?" >>`+m.log+`
case "$*" in *postgresql*)
  mkdir -p `+m.root+`/usr/lib/postgresql/15/bin
  echo >`+m.root+`/usr/lib/postgresql/15/bin/initdb; chmod +x `+m.root+`/usr/lib/postgresql/15/bin/initdb ;;
esac
case "$*" in *redis*) echo >`+m.bin+`/redis-server; chmod +x `+m.bin+`/redis-server ;; esac
exit 0`)
}

// install runs the script and gives its output, its failure, and the log.
func (m *machine) install(args ...string) (output, log string, err error) {
	m.t.Helper()
	cmd := exec.CommandContext(m.t.Context(), "bash", append([]string{"./install.sh"}, args...)...)
	cmd.Env = []string{"PATH=" + m.bin, "GPATLAS_INSTALL_ROOT=" + m.root}
	out, err := cmd.CombinedOutput()
	text, readErr := os.ReadFile(m.log)
	if !os.IsNotExist(readErr) {
		require.NoError(m.t, readErr)
	}
	return string(out), string(text), err
}

// Guarantee: on a bare Debian everything missing is named and installed, nothing is started meanwhile, both guards are
// gone afterwards, and the second run does nothing.
func TestInstallDebianAsRoot(t *testing.T) {
	t.Parallel()
	m := newMachine(t, "Linux", "0")
	m.packages("apt-get")
	out, log, err := m.install("--test")
	require.NoError(t, err, out)
	require.Contains(t, out, "installing with apt-get: postgresql redis-server gcc libc6-dev procps make curl jq haproxy nginx pgbouncer\n")
	require.Contains(t, log, "install -o DPkg::Lock::Timeout=300 -y -qq --no-install-recommends postgresql redis-server gcc libc6-dev procps make curl jq haproxy nginx pgbouncer\n")
	require.Contains(t, log, "--no-install-recommends chromium fonts-dejavu-core\n")
	require.Contains(t, log, "go install github.com/stripe/stripe-mock@v0.203.0 -mod=mod\n")
	require.Contains(t, log, "create_main_cluster = false\npolicy 101\n")
	require.NoFileExists(t, filepath.Join(m.root, "etc/postgresql-common/createcluster.d/gpatlas-install.conf"))
	require.NoFileExists(t, filepath.Join(m.root, "usr/sbin/policy-rc.d"))

	out, again, err := m.install()
	require.NoError(t, err, out)
	require.Equal(t, "install: everything is there\n", out)
	require.Equal(t, log, again)
	out, again, err = m.install("--test")
	require.NoError(t, err, out)
	require.Equal(t, 1, strings.Count(again, "stripe-mock"), "it is built once")
}

// Guarantee: without --test stripe-mock is not built; where it cannot be built, the rest is there all the same.
func TestInstallWithoutStripeMock(t *testing.T) {
	t.Parallel()
	m := newMachine(t, "Linux", "0")
	for _, there := range []string{"initdb", "postgres", "redis-server", "cc", "ps", "make", "curl", "jq", "haproxy", "nginx", "pgbouncer", "chromium"} {
		m.program(there, "")
	}
	out, log, err := m.install()
	require.NoError(t, err, out)
	require.NotContains(t, log, "stripe-mock")
	m.program("go", `[ "$1" != install ] || exit 1; echo go1.26.9`)
	out, _, err = m.install("--test")
	require.NoError(t, err, out)
	require.Contains(t, out, "install: there is no stripe-mock: the tests of Stripe's client fail\n")
}

// Guarantee: an axe-core that cannot be fetched, or is another than was pinned, is not used, and the rest is there all the same.
func TestInstallWithoutAxe(t *testing.T) {
	t.Parallel()
	m := newMachine(t, "Linux", "0")
	for _, there := range []string{"initdb", "postgres", "redis-server", "cc", "ps", "make", "jq", "haproxy", "nginx", "pgbouncer", "chromium"} {
		m.program(there, "")
	}
	for _, tool := range []string{"sha256sum", "tar"} {
		path, err := exec.LookPath(tool)
		require.NoError(t, err)
		require.NoError(t, os.Symlink(path, filepath.Join(m.bin, tool)))
	}
	file := filepath.Join(m.root, "bin", "axe-core-4.14.1", "axe.min.js")
	require.NoError(t, os.Remove(file))
	for _, curl := range []string{"exit 22", `while [ "$1" != -o ]; do shift; done; echo other >"$2"`} {
		m.program("curl", curl)
		out, _, err := m.install("--test")
		require.NoError(t, err, out)
		require.Contains(t, out, "install: there is no axe-core: pages are not tried with it\n")
		require.NoFileExists(t, file)
	}
}

// Guarantee: a system that has no Chromium to install can run the tests all the same; one that has some browser gets no other.
func TestInstallWithoutChromium(t *testing.T) {
	t.Parallel()
	m := newMachine(t, "Linux", "0")
	for _, there := range []string{"initdb", "postgres", "redis-server", "cc", "ps", "make", "curl", "jq", "haproxy", "nginx", "pgbouncer"} {
		m.program(there, "")
	}
	m.program("apt-get", `case "$*" in *chromium*) echo "E: no chromium" >&2; exit 100 ;; esac`)
	out, _, err := m.install("--test")
	require.NoError(t, err, out)
	require.Contains(t, out, "E: no chromium\n")
	require.Contains(t, out, "install: there is no Chromium: tests of the pages in a browser are skipped\n")
	require.NoFileExists(t, filepath.Join(m.root, "usr/sbin/policy-rc.d"))
	m.program("google-chrome", "")
	out, _, err = m.install("--test")
	require.NoError(t, err, out)
	require.Equal(t, "install: everything is there\n", out)
}

// Guarantee: a policy-rc.d that stands already is used and left alone; what is there is not installed again.
func TestInstallOnlyWhatIsMissing(t *testing.T) {
	t.Parallel()
	m := newMachine(t, "Linux", "0")
	m.packages("apt-get")
	m.program("redis-server", "")
	policy := filepath.Join(m.root, "usr/sbin/policy-rc.d")
	require.NoError(t, os.MkdirAll(filepath.Dir(policy), 0o755))
	require.NoError(t, os.WriteFile(policy, []byte("#!/bin/sh\nexit 104\n"), 0o755))
	out, log, err := m.install()
	require.NoError(t, err, out)
	require.Contains(t, out, "installing with apt-get: postgresql\n")
	require.Contains(t, log, "policy 104")
	require.FileExists(t, policy)
}

// Guarantee: an ordinary user's sudo is used; systemd's services are switched off only where we brought them.
func TestInstallDebianWithSudo(t *testing.T) {
	t.Parallel()
	m := newMachine(t, "Linux", "1000")
	m.packages("apt-get")
	m.program("sudo", `echo "sudo $*" >>`+m.log+`; [ "$1" != -n ] || shift; exec "$@"`)
	m.program("true", "")
	m.program("systemctl", `echo "systemctl $*" >>`+m.log)
	require.NoError(t, os.MkdirAll(filepath.Join(m.root, "run/systemd/system"), 0o755))
	out, log, err := m.install("--test")
	require.NoError(t, err, out)
	require.Contains(t, log, "sudo -n env DEBIAN_FRONTEND=noninteractive apt-get install")
	for _, service := range []string{"redis-server", "haproxy", "nginx", "pgbouncer"} {
		require.Contains(t, log, "systemctl disable --now "+service)
	}
}

// Guarantee: what it cannot do is one line that says what to do instead, and nothing is left half done.
func TestInstallCannot(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		system, uid string
		change      func(m *machine)
		want        string
	}{
		"no rights": {
			"Linux", "1000", func(m *machine) { m.packages("apt-get") },
			"install: needs root to install postgresql redis-server; as root: apt-get install postgresql redis-server\n",
		},
		"sudo wants a password": {
			"Linux", "1000", func(m *machine) { m.packages("apt-get"); m.program("sudo", "exit 1") },
			"install: needs root to install postgresql redis-server; as root: apt-get install postgresql redis-server\n",
		},
		"another system": {
			"Linux", "0", func(*machine) {},
			"install: knows apt-get (Debian, Ubuntu) and Homebrew only; install what these are called here: postgresql redis-server\n",
		},
		"no Homebrew": {
			"Darwin", "501", func(*machine) {},
			"install: needs Homebrew to install postgresql@17 redis: see https://brew.sh\n",
		},
		"Homebrew as root": {
			"Darwin", "0", func(m *machine) { m.packages("brew") },
			"install: Homebrew refuses root; as an ordinary user: brew install postgresql@17 redis\n",
		},
		"no Go": {
			"Linux", "0", func(m *machine) { require.NoError(m.t, os.Remove(filepath.Join(m.bin, "go"))) },
			"install: Go 1.26.0 or newer is needed and there is no go on PATH: see https://go.dev/doc/install\n",
		},
		"an old Go": {
			"Linux", "0", func(m *machine) { m.program("go", "echo go1.9.7") },
			"install: Go 1.26.0 or newer is needed, this is 1.9.7: see https://go.dev/doc/install\n",
		},
		"a Go that cannot fetch its successor": {
			"Linux", "0", func(m *machine) { m.program("go", "echo no network >&2; exit 1") },
			"install: Go 1.26.0 or newer is needed: see https://go.dev/doc/install (go says: no network)\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMachine(t, c.system, c.uid)
			m.t = t
			c.change(m)
			out, log, err := m.install()
			require.Error(t, err)
			require.Equal(t, c.want, out)
			require.NotContains(t, log, " install ")
		})
	}
}

// Guarantee: a failing package manager is a failure, and the guards do not outlive it.
func TestInstallFails(t *testing.T) {
	t.Parallel()
	m := newMachine(t, "Linux", "0")
	m.program("apt-get", "echo E: out of paper >&2; exit 100")
	out, _, err := m.install()
	require.Error(t, err)
	require.Contains(t, out, "E: out of paper\n")
	require.Contains(t, out, "install: apt-get could not install postgresql redis-server; its own words are above\n")
	require.NoFileExists(t, filepath.Join(m.root, "usr/sbin/policy-rc.d"))
	require.NoFileExists(t, filepath.Join(m.root, "etc/postgresql-common/createcluster.d/gpatlas-install.conf"))
}

func TestInstallMac(t *testing.T) {
	t.Parallel()
	m := newMachine(t, "Darwin", "501")
	m.packages("brew")
	m.program("cc", "")
	m.program("ps", "")
	out, log, err := m.install("--test")
	require.NoError(t, err, out)
	require.Contains(t, log, "brew install --quiet postgresql@17 redis make curl jq haproxy nginx pgbouncer\n")
}

// Guarantee: a Go that announces a download before its version is understood; newer is fine.
func TestInstallGoVersions(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{
		"after a download": "echo 'go: downloading go1.26.0 (linux/amd64)' >&2; echo go1.26.0",
		"newer":            "echo go1.30",
		"much newer":       "echo go2.0.1",
		"of a distributor": "echo 'go1.26.1-X:nodwarf5'",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMachine(t, "Linux", "1000")
			m.program("go", script)
			for _, there := range []string{"initdb", "postgres", "redis-server"} {
				m.program(there, "")
			}
			out, _, err := m.install()
			require.NoError(t, err, out)
			require.Equal(t, "install: everything is there\n", out)
		})
	}
}

func TestInstallUsage(t *testing.T) {
	t.Parallel()
	m := newMachine(t, "Linux", "0")
	out, _, err := m.install("--everything")
	require.Error(t, err)
	require.True(t, strings.HasPrefix(out, "usage: "), out)
}
