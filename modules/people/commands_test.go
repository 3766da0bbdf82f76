package people_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogtest"
	"gpatlas/modules/people"
	"gpatlas/modules/people/internal/fixture"
	"gpatlas/platform/database"
)

// TestCommand finds, exports and suppresses a person by command.
func TestCommand(t *testing.T) {
	t.Parallel()
	w := fixture.New(t, catalogtest.NewLoader)
	w.Load(t, fixture.Filed("900101", "2020-03-01", []fixture.Person{{Name: "LARKSPUR, ADA", Title: "PARTNER"}, {Name: "MOSSGATE, THEO"}}))
	run := func(args ...string) (string, error) {
		cmd := people.Command(func(_ context.Context, _ string, work func(db *database.DB) error) error { return work(w.DB) }, w.Clock,
			func(check cobra.PositionalArgs) cobra.PositionalArgs { return check })
		var out bytes.Buffer
		cmd.SetOut(&out)
		cmd.SetErr(&out)
		cmd.SilenceUsage = true
		cmd.SetArgs(args)
		err := cmd.ExecuteContext(t.Context())
		return out.String(), err
	}
	said, err := run("find", "ada larkspur")
	require.NoError(t, err)
	uid, rest, _ := strings.Cut(said, "  ")
	require.Equal(t, "Ada Larkspur  Harbor Ridge 900101 LLC (CRD 900101)  PARTNER  team, 2020-03-01 to 2020-03-01\n", rest)
	said, err = run("export", uid)
	require.NoError(t, err)
	require.Contains(t, said, `"full_name": "Ada Larkspur"`)
	_, err = run("suppress", uid, "")
	require.ErrorContains(t, err, "reason")
	said, err = run("suppress", uid, "objected")
	require.NoError(t, err)
	require.Equal(t, uid+" is suppressed: 1 posts removed\n", said)
	said, err = run("find", "Larkspur")
	require.NoError(t, err)
	require.Equal(t, "Nobody of that name is kept.\n", said)
	_, err = run("export", uid)
	require.Error(t, err)
	_, err = run("suppress", uid)
	require.Error(t, err)
}
