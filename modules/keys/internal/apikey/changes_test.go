package apikey_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/keys/internal/apikey"
	"gpatlas/modules/keys/internal/secret"
	"gpatlas/modules/keys/internal/testkit/fixture"
	"gpatlas/platform/auth"
)

// changes are what may happen to an account in another process, in this order, and the resulting principal of its key; nil: the
// key is invalid.
var changes = []struct {
	name, sql string
	want      func(p *auth.Principal) bool
}{
	{"granted", "UPDATE accounts.users SET is_admin = true WHERE id = $1", func(p *auth.Principal) bool { return p.Admin }},
	{"revoked", "UPDATE accounts.users SET is_admin = false WHERE id = $1", func(p *auth.Principal) bool { return !p.Admin }},
	{"downgraded", "UPDATE accounts.users SET api_tier = 'starter' WHERE id = $1", func(p *auth.Principal) bool { return p.APITier == "starter" }},
	{"upgraded", "UPDATE accounts.users SET api_tier = 'scale' WHERE id = $1", func(p *auth.Principal) bool { return p.APITier == "growth" }},
	{"free plan", "UPDATE accounts.users SET subscription_plan = 'free' WHERE id = $1", func(p *auth.Principal) bool { return p.Plan == auth.PlanFree }},
	{"API tier ended", "UPDATE accounts.users SET api_tier = 'starter' WHERE id = $1", func(p *auth.Principal) bool { return p.FreeTier }},
	{"API tier bought", "UPDATE accounts.users SET api_tier = 'scale' WHERE id = $1", func(p *auth.Principal) bool { return !p.FreeTier && p.Plan == auth.PlanFree }},
	{"subscribed", "UPDATE accounts.users SET subscription_plan = 'pro' WHERE id = $1", func(p *auth.Principal) bool { return p.Plan == "pro" }},
	{"trial over", "UPDATE accounts.users SET trial_ends_at = '2026-11-20T09:00:00Z' WHERE id = $1", func(p *auth.Principal) bool { return p.Plan == auth.PlanFree }},
	{"trial ended", "UPDATE accounts.users SET trial_ends_at = NULL WHERE id = $1", func(p *auth.Principal) bool { return p.Plan == "pro" }},
	{"not confirmed", "UPDATE accounts.users SET email_verified_at = NULL WHERE id = $1", func(p *auth.Principal) bool { return p.Unverified }},
	{"confirmed", "UPDATE accounts.users SET email_verified_at = now() WHERE id = $1", func(p *auth.Principal) bool { return !p.Unverified }},
	{"deleted", "UPDATE accounts.users SET deleted_at = now() WHERE id = $1", nil},
}

// is asks whether the key is what it should be by now.
func (b *bench) is(t *testing.T, key string, want func(p *auth.Principal) bool) bool {
	t.Helper()
	p, err := b.verifier.VerifyKey(t.Context(), key)
	if want == nil {
		return err != nil
	}
	require.NoError(t, err)
	return want(p)
}

func (b *bench) growthKey(t *testing.T, user int64) string {
	t.Helper()
	k, err := b.service.Create(t.Context(), apikey.CreateInput{UserID: user, Name: "x", Tier: "growth", Mode: secret.Live})
	require.NoError(t, err)
	return k.Key
}

// Another process hears of every change of an account, whoever makes it, although its clock stands still; keys of other
// accounts go on.
func TestOtherProcessesHearOfChanges(t *testing.T) {
	t.Parallel()
	here := setup(t)
	there := on(here.db, here.clock)
	there.verifier.Start(t.Context())
	t.Cleanup(func() { require.NoError(t, there.verifier.Stop(context.WithoutCancel(t.Context()))) })
	listening(t, here.db)
	user := fixture.Account{APITier: "scale"}.Insert(t, here.db, "ada")
	key := here.growthKey(t, user)
	_, err := there.verifier.VerifyKey(t.Context(), key)
	require.NoError(t, err)
	for _, c := range changes {
		fixture.Exec(t, here.db, c.sql, user)
		require.Eventually(t, func() bool { return there.is(t, key, c.want) }, time.Minute, time.Millisecond, c.name)
	}
}

// While announcements cannot be heard, a change takes effect within a second.
func TestChangesThatCannotBeHeard(t *testing.T) {
	t.Parallel()
	b := setup(t) // its verifier is not started: it hears nothing
	user := fixture.Account{APITier: "scale"}.Insert(t, b.db, "ada")
	key := b.growthKey(t, user)
	_, err := b.verifier.VerifyKey(t.Context(), key)
	require.NoError(t, err)
	for _, c := range changes {
		fixture.Exec(t, b.db, c.sql, user)
		b.clock.Move(time.Second)
		require.True(t, b.is(t, key, c.want), c.name)
	}
	other := fixture.Account{}.Insert(t, b.db, "grace")
	k := b.make(t, other)
	_, err = b.verifier.VerifyKey(t.Context(), k.Key)
	require.NoError(t, err)
	fixture.Exec(t, b.db, "UPDATE keys.api_keys SET revoked_at = now() WHERE id = $1", k.ID)
	b.clock.Move(time.Second)
	requireRefused(t, b.verifier, k.Key)
}

// An administrator's rights end with the next request, whether or not announcements are received, and are not granted while
// they cannot be checked.
func TestAdministratorsAreAskedAbout(t *testing.T) {
	t.Parallel()
	b := setup(t)
	user := fixture.Account{APITier: "scale", Admin: true}.Insert(t, b.db, "ada")
	key := b.growthKey(t, user)
	admin := func(p *auth.Principal) bool { return p.Admin }
	require.True(t, b.is(t, key, admin))
	fixture.Exec(t, b.db, "UPDATE accounts.users SET is_admin = false WHERE id = $1", user)
	require.False(t, b.is(t, key, admin), "the clock stands still")
	fixture.Exec(t, b.db, "UPDATE accounts.users SET is_admin = true WHERE id = $1", user)
	b.clock.Move(time.Second)
	require.True(t, b.is(t, key, admin))
	b.db.Close()
	require.False(t, b.is(t, key, admin), "the key goes on, without the rights")
}

// A trial ends to the second, also for a key that is remembered.
func TestTrialEndsWhileAKeyIsRemembered(t *testing.T) {
	t.Parallel()
	b := setup(t)
	v := apikey.NewVerifier(apikey.NewStore(b.db), b.clock, slog.New(slog.DiscardHandler))
	v.Start(t.Context())
	t.Cleanup(func() { require.NoError(t, v.Stop(context.WithoutCancel(t.Context()))) })
	listening(t, b.db)
	ends := b.clock.Now().Add(3 * time.Second)
	k := b.make(t, fixture.Account{TrialEndsAt: &ends}.Insert(t, b.db, "ada"))
	for _, plan := range []string{"pro", "pro", auth.PlanFree} {
		p, err := v.VerifyKey(t.Context(), k.Key)
		require.NoError(t, err)
		require.Equal(t, plan, p.Plan)
		b.clock.Move(1500 * time.Millisecond)
	}
}
