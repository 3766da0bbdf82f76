package scripts_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// git runs git in the repository's root. A copy of the sources without a repository has nothing to check.
func git(t *testing.T, args ...string) string {
	t.Helper()
	root, err := exec.CommandContext(t.Context(), "git", "-C", "..", "rev-parse", "--is-inside-work-tree").CombinedOutput()
	if err != nil {
		t.Skipf("this is not a git repository: %s", root)
	}
	out, err := exec.CommandContext(t.Context(), "git", append([]string{"-C", ".."}, args...)...).CombinedOutput()
	require.NoError(t, err, string(out))
	return strings.TrimSpace(string(out))
}

// Guarantee: the failures that rapid writes down on one machine are never in the repository, wherever their package is.
// A failure worth keeping becomes an ordinary test.
func TestRapidFailuresAreIgnored(t *testing.T) {
	t.Parallel()
	require.Empty(t, git(t, "ls-files", "--", "*.fail", "*testdata/rapid/*"), "remove these with git rm")
	for _, path := range []string{
		"testdata/rapid/TestX/TestX-1.fail", "modules/accounts/internal/onboarding/testdata/rapid/TestX/TestX-20261122004457-5415.fail",
	} {
		require.Equal(t, path, git(t, "check-ignore", "--no-index", path))
	}
}
