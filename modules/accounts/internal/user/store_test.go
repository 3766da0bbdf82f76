package user_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/accounts/accountsapi"
	"gpatlas/modules/accounts/internal/testkit/sessiontest"
	"gpatlas/modules/accounts/internal/user"
	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
)

const ada = "Ada@Larkspur.example"

// An address belongs to one account, however it is written and however many ask at once; a transaction that finds it in
// use goes on.
func TestInsert(t *testing.T) {
	t.Parallel()
	b := sessiontest.New(t)
	made := make([]bool, 12)
	var wg sync.WaitGroup
	for i := range made {
		wg.Go(func() {
			u := &user.User{
				Email: ada, EmailKey: user.Key(ada), FullName: "Ada", PasswordHash: "x", Tier: "free_trial", SubscriptionPlan: "pro",
				APITier: "starter", OnboardingStep: 1, CreatedAt: b.Clock.Now(), UpdatedAt: b.Clock.Now(),
			}
			require.NoError(t, b.DB.InTx(t.Context(), func(ctx context.Context) error {
				var err error
				if made[i], err = b.Users.Insert(ctx, u); err != nil {
					return err
				}
				return b.DB.From(ctx).Exec("SELECT 1").Error
			}))
			require.Equal(t, made[i], u.ID != 0)
		})
	}
	wg.Wait()
	won := 0
	for _, m := range made {
		if m {
			won++
		}
	}
	require.Equal(t, 1, won)
	u, err := b.Users.FindByEmail(t.Context(), "ADA@LARKSPUR.EXAMPLE")
	require.NoError(t, err)
	require.Equal(t, ada, u.Email, "as registered")
}

func TestDirectory(t *testing.T) {
	t.Parallel()
	b := sessiontest.New(t)
	u := b.MakeUser(t, ada)
	d := user.NewDirectory(b.Users, b.Clock)
	want := accountsapi.Account{
		ID: u.ID, Email: ada, Tier: "free_trial", SubscriptionPlan: "pro", APITier: "starter",
		TrialEndsAt: sessiontest.Start.AddDate(0, 0, 14), CreatedAt: sessiontest.Start,
	}
	got, found, err := d.FindAccount(t.Context(), u.ID)
	require.NoError(t, err)
	require.True(t, found)
	require.Equal(t, want, got)
	b.Clock.Set(want.TrialEndsAt)
	got, _, err = d.FindAccount(t.Context(), u.ID)
	require.NoError(t, err)
	require.Equal(t, "free", got.SubscriptionPlan, "the trial is over, although the job has not written so yet")

	for range 2 {
		require.NoError(t, d.SetPlan(t.Context(), u.ID, "enterprise", "scale"))
		got, _, err = d.FindAccount(t.Context(), u.ID)
		require.NoError(t, err)
		want.Tier, want.SubscriptionPlan, want.APITier, want.TrialEndsAt = "enterprise", "enterprise", "scale", time.Time{}
		require.Equal(t, want, got)
	}
	require.NoError(t, d.SetPlan(t.Context(), u.ID, "starter", ""))
	require.NoError(t, d.SetPlan(t.Context(), u.ID, "", "growth"))
	got, _, err = d.FindAccount(t.Context(), u.ID)
	require.NoError(t, err)
	want.Tier, want.SubscriptionPlan, want.APITier = "starter", "starter", "growth"
	require.Equal(t, want, got, "one does not change the other")
	require.NoError(t, b.Users.Update(t.Context(), u.ID, map[string]any{"email_verified_at": b.Clock.Now()}))
	got, _, err = d.FindAccount(t.Context(), u.ID)
	require.NoError(t, err)
	want.EmailVerified, want.FullName = true, "Ada Larkspur"
	require.Equal(t, want, got, "the name counts once the address is confirmed")
	require.NoError(t, b.Users.Update(t.Context(), u.ID, map[string]any{"email": "ada@birch.EDU"}))
	got, _, err = d.FindAccount(t.Context(), u.ID)
	require.NoError(t, err)
	require.True(t, got.Educational)
	for _, wrong := range [][2]string{{"gold", "scale"}, {"pro", "huge"}, {"", "huge"}, {"gold", ""}, {"", ""}} {
		require.Error(t, d.SetPlan(t.Context(), u.ID, wrong[0], wrong[1]))
	}
	for _, plan := range auth.Plans {
		require.NoError(t, d.SetPlan(t.Context(), u.ID, plan, ""))
	}
	for _, tier := range auth.Tiers {
		require.NoError(t, d.SetPlan(t.Context(), u.ID, "", tier))
	}
	require.Equal(t, apperr.KindNotFound, apperr.From(d.SetPlan(t.Context(), u.ID+1, "pro", "scale")).Kind)

	require.NoError(t, b.Users.Update(t.Context(), u.ID, map[string]any{"deleted_at": b.Clock.Now()}))
	_, found, err = d.FindAccount(t.Context(), u.ID)
	require.NoError(t, err)
	require.False(t, found, "deleted")
	require.NoError(t, d.SetPlan(t.Context(), u.ID, "free", "starter"), "the end of its subscription is still told")
	_, found, err = d.FindAccount(t.Context(), u.ID+1)
	require.NoError(t, err)
	require.False(t, found)
}

// A database that becomes unavailable in the middle is Unavailable; errors for the caller pass unchanged.
func TestInTx(t *testing.T) {
	t.Parallel()
	b := sessiontest.New(t)
	said := apperr.New(apperr.KindConflict, "the connection is closed")
	require.Equal(t, said, b.DB.InTx(t.Context(), func(context.Context) error { return said }))
	b.DB.Close()
	err := b.DB.InTx(t.Context(), func(context.Context) error { return nil })
	require.Equal(t, apperr.KindUnavailable, apperr.From(err).Kind)
}
