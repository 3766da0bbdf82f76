package onboarding_test

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"gpatlas/modules/accounts/internal/onboarding"
	"gpatlas/modules/accounts/internal/testkit/sessiontest"
	"gpatlas/modules/accounts/internal/user"
	"gpatlas/platform/apperr"
)

func step(n int) onboarding.Patch { return onboarding.Patch{Step: &n} }

func done(v bool) onboarding.Patch { return onboarding.Patch{Completed: &v} }

// The rows of the contract's table: steps only increase, step 3 completes, completed stays.
func TestOnboarding(t *testing.T) {
	t.Parallel()
	b := sessiontest.New(t)
	s := onboarding.NewService(b.Users, b.Clock)
	one := 1
	no := false
	for name, c := range map[string]struct {
		patches []onboarding.Patch
		want    user.Onboarding
	}{
		"1 to 2":              {[]onboarding.Patch{step(2)}, user.Onboarding{Step: 2}},
		"2 to 3":              {[]onboarding.Patch{step(2), step(3)}, user.Onboarding{Step: 3, Completed: true}},
		"1 to 3":              {[]onboarding.Patch{step(3)}, user.Onboarding{Step: 3, Completed: true}},
		"not back":            {[]onboarding.Patch{step(2), step(1)}, user.Onboarding{Step: 2}},
		"again":               {[]onboarding.Patch{step(2), step(2)}, user.Onboarding{Step: 2}},
		"completed":           {[]onboarding.Patch{done(true)}, user.Onboarding{Step: 3, Completed: true}},
		"completed, with 1":   {[]onboarding.Patch{{Step: &one, Completed: new(true)}}, user.Onboarding{Step: 3, Completed: true}},
		"not completed":       {[]onboarding.Patch{done(false)}, user.Onboarding{Step: 1}},
		"completed for good":  {[]onboarding.Patch{step(3), {Step: &one, Completed: &no}, done(false), step(2)}, user.Onboarding{Step: 3, Completed: true}},
		"not completed, at 2": {[]onboarding.Patch{step(2), done(false)}, user.Onboarding{Step: 2}},
	} {
		u := b.MakeUser(t, "grace@mossgate.example")
		var got user.Record
		for _, p := range c.patches {
			var err error
			got, err = s.Advance(t.Context(), u.ID, p)
			require.NoError(t, err, name)
		}
		require.Equal(t, c.want, got.Onboarding, name)
		me, err := s.Me(t.Context(), u.ID)
		require.NoError(t, err)
		require.Equal(t, got, me, name)
		require.NoError(t, b.DB.From(t.Context()).Delete(u).Error)
	}
	u := b.MakeUser(t, "ada@larkspur.example")
	for _, wrong := range []onboarding.Patch{{}, step(0), step(4), step(-1)} {
		_, err := s.Advance(t.Context(), u.ID, wrong)
		require.Equal(t, apperr.KindInvalid, apperr.From(err).Kind)
	}
	require.NoError(t, b.Users.Update(t.Context(), u.ID, map[string]any{"deleted_at": b.Clock.Now()}))
	_, err := s.Advance(t.Context(), u.ID, step(2))
	require.Equal(t, apperr.KindUnauthenticated, apperr.From(err).Kind, "deleted")
	_, err = s.Me(t.Context(), u.ID)
	require.Equal(t, apperr.KindUnauthenticated, apperr.From(err).Kind, "deleted")
}

// Whatever is sent in whatever order: the step is the highest so far, and completed is whether 3 or true was among it.
func TestOnboardingNeverGoesBack(t *testing.T) {
	t.Parallel()
	b := sessiontest.New(t)
	s := onboarding.NewService(b.Users, b.Clock)
	u := b.MakeUser(t, "ada@larkspur.example")
	rapid.Check(t, func(rt *rapid.T) {
		require.NoError(rt, b.Users.Update(t.Context(), u.ID, map[string]any{"onboarding_step": 1, "onboarding_completed": false}))
		want := user.Onboarding{Step: 1}
		for range rapid.IntRange(1, 8).Draw(rt, "patches") {
			var p onboarding.Patch
			if rapid.Bool().Draw(rt, "has step") {
				p.Step = new(rapid.IntRange(1, 3).Draw(rt, "step"))
				want.Step = max(want.Step, *p.Step)
			}
			if p.Step == nil || rapid.Bool().Draw(rt, "has completed") {
				p.Completed = new(rapid.Bool().Draw(rt, "completed"))
				want.Completed = want.Completed || *p.Completed
			}
			if want.Completed = want.Completed || want.Step == 3; want.Completed {
				want.Step = 3
			}
			got, err := s.Advance(t.Context(), u.ID, p)
			require.NoError(rt, err)
			require.Equal(rt, want, got.Onboarding)
		}
	})
}

// Steps that arrive at once, in whatever order, end at the highest.
func TestParallelSteps(t *testing.T) {
	t.Parallel()
	b := sessiontest.New(t)
	s := onboarding.NewService(b.Users, b.Clock)
	u := b.MakeUser(t, "ada@larkspur.example")
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			_, err := s.Advance(t.Context(), u.ID, step(1+i%3))
			require.NoError(t, err)
		})
	}
	wg.Wait()
	me, err := s.Me(t.Context(), u.ID)
	require.NoError(t, err)
	require.Equal(t, user.Onboarding{Step: 3, Completed: true}, me.Onboarding)
}

// A trial ends at its instant, also before the daily job has written so.
func TestTrialEndsInTheRecord(t *testing.T) {
	t.Parallel()
	b := sessiontest.New(t)
	s := onboarding.NewService(b.Users, b.Clock)
	u := b.MakeUser(t, "ada@larkspur.example")
	require.NoError(t, b.Users.Update(t.Context(), u.ID, map[string]any{"trial_ends_at": b.Clock.Now().Add(time.Minute)}))
	for _, plan := range []string{"pro", "free"} {
		got, err := s.Me(t.Context(), u.ID)
		require.NoError(t, err)
		require.Equal(t, plan, got.SubscriptionPlan)
		b.Clock.Move(time.Minute)
	}
}
