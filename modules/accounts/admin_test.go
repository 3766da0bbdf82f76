package accounts_test

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"gpatlas/modules/accounts"
	"gpatlas/modules/accounts/internal/testkit/sessiontest"
	"gpatlas/platform/apperr"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/clocktest"
)

// Grant and Revoke change existing accounts, once; a session is affected at its next request.
func TestGrantAndRevoke(t *testing.T) {
	t.Parallel()
	b := sessiontest.New(t)
	b.MakeUser(t, "ada@larkspur.example")
	other := b.MakeUser(t, "grace@mossgate.example")
	tokens := b.Login(t, "ada@larkspur.example")
	admin := func() bool {
		p, err := b.Sessions.VerifySession(t.Context(), tokens.AccessToken)
		require.NoError(t, err)
		return p.Admin
	}
	for _, step := range []struct {
		set            func(context.Context, *database.DB, string) (bool, error)
		email          string
		changed, after bool
	}{
		{grant, " ADA@larkspur.example\n", true, true},
		{grant, "ada@larkspur.example", false, true},
		{revoke, "ada@larkspur.example", true, false},
		{revoke, "ada@larkspur.example", false, false},
	} {
		changed, err := step.set(t.Context(), b.DB, step.email)
		require.NoError(t, err)
		require.Equal(t, step.changed, changed)
		require.Equal(t, step.after, admin())
	}
	untouched, err := b.Users.FindByID(t.Context(), other.ID)
	require.NoError(t, err)
	require.False(t, untouched.IsAdmin)

	require.NoError(t, b.Users.Update(t.Context(), other.ID, map[string]any{"deleted_at": b.Clock.Now()}))
	for email, want := range map[string]apperr.Kind{
		"grace@mossgate.example": apperr.KindNotFound, "nobody@larkspur.example": apperr.KindNotFound, "ada": apperr.KindInvalid, "": apperr.KindInvalid,
		"%": apperr.KindInvalid, "ada\x00@larkspur.example": apperr.KindInvalid,
	} {
		_, err := grant(t.Context(), b.DB, email)
		require.Equal(t, want, apperr.From(err).Kind, "%q: %v", email, err)
	}
}

func grant(ctx context.Context, db *database.DB, email string) (bool, error) {
	return accounts.Grant(ctx, db, clocktest.New(sessiontest.Start), email)
}

func revoke(ctx context.Context, db *database.DB, email string) (bool, error) {
	return accounts.Revoke(ctx, db, clocktest.New(sessiontest.Start), email)
}

func TestAdminCommand(t *testing.T) {
	t.Parallel()
	b := sessiontest.New(t)
	b.MakeUser(t, "ada@larkspur.example")
	errUsage := errors.New("usage")
	run := func(args ...string) (string, string, error) {
		var out bytes.Buffer
		dir := "not opened"
		cmd := accounts.AdminCommand(func(_ context.Context, dataDir string, work func(*database.DB) error) error {
			dir = dataDir
			return work(b.DB)
		}, b.Clock, func(check cobra.PositionalArgs) cobra.PositionalArgs {
			return func(cmd *cobra.Command, args []string) error {
				if check(cmd, args) != nil {
					return errUsage
				}
				return nil
			}
		})
		cmd.SilenceErrors, cmd.SilenceUsage = true, true
		cmd.SetArgs(args)
		cmd.SetOut(&out)
		cmd.SetErr(&out)
		err := cmd.ExecuteContext(t.Context())
		return out.String(), dir, err
	}
	for _, c := range []struct {
		args      []string
		said, dir string
	}{
		{[]string{"grant", "ada@larkspur.example"}, "ada@larkspur.example is an administrator now\n", ""},
		{[]string{"grant", "ada@larkspur.example", "--data-dir", "/x"}, "ada@larkspur.example was an administrator already\n", "/x"},
		{[]string{"revoke", "ada@larkspur.example"}, "ada@larkspur.example is no longer an administrator\n", ""},
		{[]string{"revoke", "ada@larkspur.example"}, "ada@larkspur.example was not an administrator\n", ""},
	} {
		said, dir, err := run(c.args...)
		require.NoError(t, err)
		require.Equal(t, c.said, said)
		require.Equal(t, c.dir, dir)
	}
	said, dir, err := run()
	require.NoError(t, err)
	require.Contains(t, said, "gpatlas admin grant")
	require.Equal(t, "not opened", dir)
	for _, wrong := range [][]string{{"grant"}, {"grant", "a@x.example", "b@x.example"}, {"crown", "ada@larkspur.example"}} {
		_, dir, err := run(wrong...)
		require.ErrorIs(t, err, errUsage, wrong)
		require.Equal(t, "not opened", dir)
	}
	_, _, err = run("grant", "nobody@larkspur.example")
	require.ErrorContains(t, err, "There is no account with the email address nobody@larkspur.example")
}
