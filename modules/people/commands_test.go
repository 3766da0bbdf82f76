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
	"gpatlas/modules/people/internal/testkit/fixture"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/overrides"
)

// TestCommand finds, exports and suppresses a person by command.
func TestCommand(t *testing.T) {
	t.Parallel()
	w := fixture.New(t, catalogtest.NewLoader)
	w.Load(t, fixture.Filed("900101", "2020-03-01", []fixture.Person{{Name: "LARKSPUR, ADA", Title: "PARTNER"}, {Name: "MOSSGATE, THEO"}}))
	run := runner(t, w)
	said, err := run("find", "ada larkspur")
	require.NoError(t, err)
	header, row, _ := strings.Cut(said, "\n")
	require.Regexp(t, "^ID +NAME +MANAGER +CRD +TITLE +STANDING +NAMED FROM +NAMED UNTIL$", header)
	uid, rest, _ := strings.Cut(row, "  ")
	require.Equal(t, "Ada Larkspur  Harbor Ridge 900101 LLC  900101  PARTNER  team      2020-03-01  2020-03-01\n", rest)
	said, err = run("export", uid)
	require.NoError(t, err)
	require.Contains(t, said, `"full_name": "Ada Larkspur"`)
	require.Contains(t, said, `"profile": null`)
	require.NoError(t, w.DB.From(t.Context()).Exec(`INSERT INTO people.profiles (person_uid, fields, asked, updated_at)
		VALUES (?, '{"email":{"value":"ada@larkspur.example","source":"pdl","confidence":0.8,"fetched_at":"2026-11-20T09:00:00Z"}}', '{}', now())`, uid).Error)
	said, err = run("export", uid)
	require.NoError(t, err)
	require.Contains(t, said, `"value": "ada@larkspur.example"`)
	said, err = run("suppress", uid, "objected")
	require.NoError(t, err)
	require.Equal(t, uid+" is suppressed (override 1)\n", said)
	said, err = run("find", "Larkspur")
	require.NoError(t, err)
	require.Equal(t, "No person of that name is stored.\n", said)
	_, err = run("export", uid)
	require.Error(t, err)
	_, err = run("suppress", uid)
	require.Error(t, err)
}

// TestMergeAndSplitCommands takes two records for one person, and apart again, by command.
func TestMergeAndSplitCommands(t *testing.T) {
	t.Parallel()
	w := fixture.New(t, catalogtest.NewLoader)
	w.Load(t, fixture.Filed("900101", "2020-03-01", []fixture.Person{{Name: "LARKSPUR, ADA"}}), fixture.Filed("900102", "2021-03-01", []fixture.Person{{Name: "LARKSPUR, ADA"}}))
	run := runner(t, w)
	at := func() map[string]string {
		said, err := run("find", "Ada Larkspur")
		require.NoError(t, err)
		found := map[string]string{}
		for _, row := range strings.Split(strings.TrimSpace(said), "\n")[1:] {
			uid, rest, _ := strings.Cut(row, "  ")
			_, rest, _ = strings.Cut(rest, "LLC  ")
			found[rest[:6]] = uid
		}
		return found
	}
	apart := at()
	require.NotEqual(t, apart["900101"], apart["900102"], "a name alone joins nobody across managers")
	_, err := run("merge", apart["900102"], apart["900101"], "the same signature")
	require.NoError(t, err)
	require.Equal(t, map[string]string{"900101": apart["900101"], "900102": apart["900101"]}, at())
	_, err = run("merge", apart["900102"], apart["900101"], "again")
	require.Error(t, err)
	said, err := run("split", apart["900101"], "900102", "a namesake after all")
	require.NoError(t, err)
	now := at()
	require.Equal(t, apart["900101"]+" is "+now["900102"]+" now at CRD 900102 (override 3)\n", said)
	for _, crd := range []string{"900102", "900109", "abc"} {
		_, err = run("split", apart["900101"], crd, "again")
		require.EqualError(t, err, "Invalid value: "+apart["900101"]+" is not at CRD "+crd+", but at 900101")
	}
	require.Equal(t, now, at())
	require.Equal(t, apart["900101"], now["900101"])
	require.NotEqual(t, now["900101"], now["900102"])
	_, err = run("split", "per_aaaaaaaaaaaaaaaa", "900102", "nobody")
	require.EqualError(t, err, "There is no person per_aaaaaaaaaaaaaaaa: gpatlas people find NAME lists the IDs of a name")
}

// runner runs commands. Overrides are applied and numbered, and stored nowhere.
func runner(t *testing.T, w *fixture.World) func(args ...string) (string, error) {
	t.Helper()
	var last int64
	create := func(ctx context.Context, db *database.DB, clk clock.Clock, by overrides.Overrider, x *overrides.Override) error {
		last++
		x.ID, x.CreatedAt, x.ValidFrom = last, clk.Now(), clk.Now()
		return db.InTx(ctx, func(ctx context.Context) error {
			_, err := by.Apply(ctx, x)
			return err
		})
	}
	return func(args ...string) (string, error) {
		cmd := people.Command(func(_ context.Context, _ string, work func(db *database.DB) error) error { return work(w.DB) }, create, w.Clock,
			func(check cobra.PositionalArgs) cobra.PositionalArgs { return check })
		var out bytes.Buffer
		cmd.SetOut(&out)
		cmd.SetErr(&out)
		cmd.SilenceUsage = true
		cmd.SetArgs(args)
		err := cmd.ExecuteContext(t.Context())
		return out.String(), err
	}
}
