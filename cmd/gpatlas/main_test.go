package main

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"

	"gpatlas/modules/accounts/testkit/accountstest"
)

func TestMain(m *testing.M) {
	testscript.Main(suite{m}, map[string]func(){"gpatlas": cheap, "gpatlas-ahead": ahead})
}

// suite is the tests of the package, and what they share.
type suite struct{ *testing.M }

// Run runs the tests.
func (s suite) Run() int {
	code := s.M.Run()
	if err := sampleDB.Drop(); err != nil {
		_, _ = fmt.Fprintln(os.Stderr, err)
		return max(code, 1)
	}
	return code
}

// cheap is main with passwords that cost little to hash; those of ahead cost what they do in production.
func cheap() {
	accountstest.CheapPasswords()
	main()
}

// ahead is main by a clock that is ahead of the machine's by as many seconds as the lines of the file AHEAD add up to.
func ahead() {
	os.Exit(run(aheadBy(os.Getenv("AHEAD")), os.Args[1:], os.Environ(), os.Stdin, os.Stdout, os.Stderr))
}

type aheadBy string

func (file aheadBy) Now() time.Time {
	text, _ := os.ReadFile(string(file)) // none, and the clock is the machine's
	now := time.Now().UTC()
	for line := range strings.FieldsSeq(string(text)) {
		seconds, _ := strconv.Atoi(line)
		now = now.Add(time.Duration(seconds) * time.Second)
	}
	return now
}

// TestScripts holds the command line to what a person at a terminal sees.
func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			gpatlas, err := exec.LookPath("gpatlas")
			if err != nil {
				return err
			}
			e.Setenv("GPATLAS", gpatlas)
			e.Setenv("DATA", scratch(t))
			return nil
		},
		Condition: func(cond string) (bool, error) { return cond == "root" && os.Geteuid() == 0, nil },
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"takeport": takePort,
			"closed": func(ts *testscript.TestScript, _ bool, args []string) {
				ts.Check(os.Mkdir(args[0], 0o700))
				ts.Check(os.WriteFile(filepath.Join(args[0], "something"), nil, 0o600))
			},
			"exitcode": exitCode,
		},
		RequireExplicitExec: true,
	})
}

// scratch names a data folder that the servers' user can reach and that does not exist yet.
func scratch(t *testing.T) string {
	t.Helper()
	base, err := os.MkdirTemp("", "gpc")
	require.NoError(t, err)
	require.NoError(t, os.Chmod(base, 0o755))
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(base)) })
	return filepath.Join(base, "data")
}

// takePort listens on a free port and puts its address into a variable.
func takePort(ts *testscript.TestScript, _ bool, args []string) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	ts.Defer(func() { _ = ln.Close() })
	ts.Setenv(args[0], ln.Addr().String())
}

// exitCode runs a program and wants its exit code to be the first argument.
func exitCode(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	cmd := exec.Command(ts.Getenv("GPATLAS"), args[2:]...)
	for _, name := range []string{"PATH", "HOME", "DATABASE_URL", "REDIS_URL"} {
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	out, _ := cmd.CombinedOutput() // its code is the answer
	if got := cmd.ProcessState.ExitCode(); got != want {
		ts.Fatalf("%s: exit code %d, want %d: %s", strings.Join(args[1:], " "), got, want, out)
	}
}
