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
	_, err = run("suppress", uid, "")
	require.ErrorContains(t, err, "reason")
	said, err = run("suppress", uid, "objected")
	require.NoError(t, err)
	require.Equal(t, uid+" is suppressed: 1 posts removed\n", said)
	require.Equal(t, []string{"person.suppress " + uid + ` {"reason": "objected"}`}, audited(t, w), "the person is not named")
	_, err = run("suppress", uid, "objected")
	require.EqualError(t, err, uid+" is suppressed")
	said, err = run("find", "Larkspur")
	require.NoError(t, err)
	require.Equal(t, "Nobody of that name is kept.\n", said)
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
	_, err := run("merge", apart["900102"], apart["900101"], " ")
	require.ErrorContains(t, err, "reason")
	_, err = run("merge", apart["900102"], apart["900101"], "the same signature")
	require.NoError(t, err)
	require.Equal(t, map[string]string{"900101": apart["900101"], "900102": apart["900101"]}, at())
	_, err = run("merge", apart["900102"], apart["900101"], "again")
	require.Error(t, err)
	_, err = run("split", apart["900101"], "900102", "a namesake after all")
	require.NoError(t, err)
	now := at()
	changes := []string{
		"person.merge " + apart["900102"] + ` {"into": "` + apart["900101"] + `", "reason": "the same signature"}`,
		"person.split " + apart["900101"] + ` {"crd": "900102", "reason": "a namesake after all", "new_uid": "` + now["900102"] + `"}`,
	}
	require.Equal(t, changes, audited(t, w))
	for _, crd := range []string{"900102", "900109", "abc"} {
		_, err = run("split", apart["900101"], crd, "again")
		require.EqualError(t, err, apart["900101"]+" is not at CRD "+crd+", but at 900101")
	}
	require.Equal(t, changes, audited(t, w), "a refused change is not recorded")
	require.Equal(t, now, at())
	require.Equal(t, apart["900101"], now["900101"])
	require.NotEqual(t, now["900101"], now["900102"])
	_, err = run("split", "per_aaaaaaaaaaaaaaaa", "900102", "nobody")
	require.EqualError(t, err, "Nobody has the ID per_aaaaaaaaaaaaaaaa: gpatlas people find NAME lists the IDs of a name")
}

// audited lists the changes that are recorded, in their order.
func audited(t *testing.T, w *fixture.World) []string {
	t.Helper()
	const statement = "SELECT concat_ws(' ', action, subject, before, after) FROM platform.audit WHERE actor_id IS NULL ORDER BY id"
	list, err := database.Values[string](t.Context(), w.DB, "read recorded changes", statement, nil)
	require.NoError(t, err)
	return list
}
