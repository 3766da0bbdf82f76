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
	out, err := exec.CommandContext(t.Context(), "make", "-C", "..", "--no-print-directory").CombinedOutput()
	require.NoError(t, err, string(out))
	for _, target := range []string{
		"help", "build", "run", "test", "scenarios", "clients", "race", "test-short", "lint", "sizes", "fmt", "bench", "fuzz", "migrate", "schema", "generate",
		"verify", "sample", "ci", "clean",
	} {
		require.Regexp(t, `(?m)^  `+regexp.QuoteMeta(target)+` +[A-Z]\w+`, string(out))
	}
}

// Guarantee: the build server runs the tests, those of the whole service, the generators of clients, the race detector and the linters.
func TestCIRun(t *testing.T) {
	t.Parallel()
	info, err := os.Stat("../.ci/run")
	require.NoError(t, err)
	require.NotZero(t, info.Mode()&0o100, ".ci/run can be executed")
	text, err := os.ReadFile("../.ci/run")
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(string(text), "#!/usr/bin/env bash\nset -euo pipefail\n"))
	require.True(t, strings.HasSuffix(string(text), "\nmake test\nmake scenarios\nmake clients\nmake race\nmake lint\nmake test-cluster SHORT=1\n"))
}

// Guarantee: the tests that the script runs in a special way exist; one that is renamed does not fall out of them unnoticed.
func TestTestsOfTheScript(t *testing.T) {
	t.Parallel()
	script, err := os.ReadFile("race.sh")
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
	for _, script := range []string{"install.sh", "lint.sh", "fuzz.sh", "race.sh", "sizes.sh", "verify.sh", "words.sh", "../.ci/run"} {
		out, err := exec.CommandContext(t.Context(), "bash", "-n", script).CombinedOutput()
		require.NoError(t, err, string(out))
	}
}

// Guarantee: the lint step names the file and line of a changed comment with an unclear word, and no others.
func TestWords(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	script, err := os.ReadFile("words.sh")
	require.NoError(t, err)
	require.NoError(t, os.Mkdir(filepath.Join(dir, "scripts"), 0o755))
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755))
	}
	run := func(name string, args ...string) string {
		cmd := exec.CommandContext(t.Context(), name, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "BASE=HEAD~1")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
		return string(out)
	}
	commit := func() {
		run("git", "add", ".")
		run("git", "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-m", "a")
	}
	run("git", "init", "-q")
	write("scripts/words.sh", string(script))
	write("a.go", "package a\n\n// Old tells nothing.\n")
	commit()
	write("a.go", "package a\n\n// Old tells nothing.\nvar told = 1\n\n// B says whether it is open.\nvar b = `nobody`\n")
	commit()
	require.Equal(t, "words: a.go:6: // B says whether it is open.\n", run("scripts/words.sh"))
}
