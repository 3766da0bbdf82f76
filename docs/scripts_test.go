package docs_test

import (
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

// A script that needs gpatlas says so before it calls the service.
func TestScriptsNameAMissingProgram(t *testing.T) {
	t.Parallel()
	out, err := exec.CommandContext(t.Context(), "sh", "operating.sh", "http://127.0.0.1:1", "token", "lists", "rows_lost", "no-such-gpatlas --flag").CombinedOutput()
	require.Error(t, err)
	require.Equal(t, "FAILED: no-such-gpatlas is not in the PATH; for gpatlas, run make build first\n", string(out))
}

// A script that does not reach the service says so, and does not blame the sample.
func TestScriptsNameAServiceThatDoesNotAnswer(t *testing.T) {
	t.Parallel()
	out, err := exec.CommandContext(t.Context(), "sh", "operating.sh", "http://127.0.0.1:1", "token", "lists", "rows_lost", "true").CombinedOutput()
	require.Error(t, err)
	require.Equal(t, "FAILED: http://127.0.0.1:1/health does not answer: is gpatlas dev running there?\n", string(out))
}
