package docs_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// scratch is the folder of a copy of the tree, in which commands can be tried.
type scratch string

// copyTree copies what git would commit.
func copyTree(t *testing.T) scratch {
	t.Helper()
	list, err := exec.CommandContext(t.Context(), "git", "-C", "..", "ls-files", "-z", "--cached", "--others", "--exclude-standard").Output()
	require.NoError(t, err, "git lists the files to copy")
	s := scratch(t.TempDir())
	names := strings.Split(strings.TrimRight(string(list), "\x00"), "\x00")
	require.Greater(t, len(names), 500)
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join("..", name))
		if os.IsNotExist(err) { // removed, and not committed yet
			continue
		}
		require.NoError(t, err)
		s.write(t, name, string(text))
	}
	return s
}

func (s scratch) write(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join(string(s), name)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
}

func (s scratch) read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(string(s), name))
	require.NoError(t, err)
	return string(text)
}

// run runs commands of the shell and gives what they say. With -trimpath, which the Makefile sets too, go does not care in
// which folder it compiles: the packages that are not changed are in the build cache.
func (s scratch) run(t *testing.T, commands string) (string, error) {
	t.Helper()
	command := exec.CommandContext(t.Context(), "bash", "-euo", "pipefail", "-c", commands)
	command.Dir = string(s)
	command.Env = append(os.Environ(), "GOFLAGS="+os.Getenv("GOFLAGS")+" -trimpath")
	out, err := command.CombinedOutput()
	return string(out), err
}
