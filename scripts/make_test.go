package scripts_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Guarantee: `make` alone explains itself, and each target that the documentation promises is there with a line of help.
func TestMakeHelp(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("make"); err != nil {
		t.Skip("make is not there: ", err)
	}
	out, err := exec.CommandContext(t.Context(), "make", "-C", "..", "--no-print-directory").CombinedOutput()
	require.NoError(t, err, string(out))
	for _, target := range []string{
		"help", "build", "run", "test", "race", "test-short", "lint", "fmt", "bench", "fuzz", "migrate", "schema", "generate",
		"verify", "sample", "ci", "clean",
	} {
		require.Regexp(t, `(?m)^  `+regexp.QuoteMeta(target)+` +[A-Z]\w+`, string(out))
	}
}

// Guarantee: the build server runs the tests and the linters as everybody else does.
func TestCIRun(t *testing.T) {
	t.Parallel()
	info, err := os.Stat("../.ci/run")
	require.NoError(t, err)
	require.NotZero(t, info.Mode()&0o100, ".ci/run can be executed")
	text, err := os.ReadFile("../.ci/run")
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(string(text), "#!/usr/bin/env bash\nset -euo pipefail\n"))
	require.True(t, strings.HasSuffix(string(text), "\nmake test\nmake lint\n"))
}

// Guarantee: the tests that the script runs in a special way exist; one that is renamed does not fall out of them unnoticed.
func TestTestsOfTheScript(t *testing.T) {
	t.Parallel()
	script, err := os.ReadFile("test.sh")
	require.NoError(t, err)
	names := regexp.MustCompile(`\bTest[A-Z]\w+`).FindAllString(string(script), -1)
	require.Greater(t, len(names), 4)
	var tests strings.Builder
	for _, folder := range []string{"cmd/gpatlas", "modules/dataops", "web"} {
		files, err := filepath.Glob(filepath.Join("..", folder, "*_test.go"))
		require.NoError(t, err)
		for _, name := range files {
			text, err := os.ReadFile(name)
			require.NoError(t, err)
			tests.Write(text)
		}
	}
	for _, name := range names {
		require.Contains(t, tests.String(), "func "+name+"(t *testing.T)")
	}
}

func TestScriptsParse(t *testing.T) {
	t.Parallel()
	for _, script := range []string{"install.sh", "lint.sh", "fuzz.sh", "test.sh", "verify.sh", "../.ci/run"} {
		out, err := exec.CommandContext(t.Context(), "bash", "-n", script).CombinedOutput()
		require.NoError(t, err, string(out))
	}
}
