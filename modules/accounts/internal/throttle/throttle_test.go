package throttle_test

import (
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/accounts/internal/testkit/sessiontest"
	"gpatlas/modules/accounts/internal/throttle"
	"gpatlas/platform/apperr"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/testkit/clocktest"
	"gpatlas/platform/testkit/dbtest"
)

func setup(t *testing.T) (*throttle.Service, *clocktest.Clock) {
	t.Helper()
	clk := clocktest.New(sessiontest.Start)
	return throttle.NewService(throttle.NewStore(dbtest.New(t)), clk), clk
}

func take(t *testing.T, s *throttle.Service, uses ...throttle.Use) throttle.Taken {
	t.Helper()
	taken, err := s.Take(t.Context(), uses...)
	require.NoError(t, err)
	return taken
}

// The window slides: each time that is counted gives way when it is as old as the window, neither sooner nor later.
func TestTake(t *testing.T) {
	t.Parallel()
	for _, rule := range []throttle.Rule{throttle.LoginPair, throttle.LoginIP, throttle.LoginEmail, throttle.VerifyMail, throttle.MailIP, throttle.ForgotPassword} {
		t.Run(rule.Kind, func(t *testing.T) {
			t.Parallel()
			s, clk := setup(t)
			ada, grace := throttle.Use{Rule: rule, Subject: "ada"}, throttle.Use{Rule: rule, Subject: "grace"}
			for range rule.Max {
				require.Zero(t, take(t, s, ada).Wait)
				clk.Move(time.Second)
			}
			for range 3 { // what is refused is not counted
				require.Equal(t, rule.Window-time.Duration(rule.Max)*time.Second, take(t, s, ada).Wait)
			}
			require.Zero(t, take(t, s, grace).Wait)
			clk.Set(sessiontest.Start.Add(rule.Window - time.Millisecond))
			require.Equal(t, time.Millisecond, take(t, s, ada).Wait)
			clk.Move(time.Millisecond)
			require.Zero(t, take(t, s, ada).Wait)
			require.Equal(t, time.Second, take(t, s, ada).Wait, "only the first has given way")
		})
	}
}

// If one of several uses is used up none is counted, and the longest wait is returned.
func TestTakeSeveral(t *testing.T) {
	t.Parallel()
	s, clk := setup(t)
	a := throttle.Use{Rule: throttle.Rule{Kind: "login_email", Max: 1, Window: time.Minute}, Subject: "a"}
	b := throttle.Use{Rule: throttle.Rule{Kind: "login_ip", Max: 2, Window: time.Hour}, Subject: "a"}
	require.Zero(t, take(t, s, a, b).Wait)
	require.Equal(t, time.Minute, take(t, s, b, a).Wait)
	require.Zero(t, take(t, s, b).Wait, "the refused one was not counted")
	require.Equal(t, time.Hour, take(t, s, a, b).Wait)
	clk.Move(time.Minute)
	require.Equal(t, 59*time.Minute, take(t, s, a, b).Wait)
	require.Zero(t, take(t, s, a).Wait)
	require.Zero(t, take(t, s).Wait, "nothing to count")
}

func TestForgive(t *testing.T) {
	t.Parallel()
	s, clk := setup(t)
	use := throttle.Use{Rule: throttle.VerifyMail, Subject: "ada"}
	for range 10 {
		taken := take(t, s, use)
		require.Zero(t, taken.Wait)
		require.NoError(t, s.Forgive(t.Context(), taken))
	}
	for range 3 {
		take(t, s, use)
	}
	refused := take(t, s, use)
	require.NotZero(t, refused.Wait)
	require.NoError(t, s.Forgive(t.Context(), refused), "nothing was counted, nothing is given back")
	require.NotZero(t, take(t, s, use).Wait)

	clk.Move(24 * time.Hour)
	swept, err := s.Sweep(t.Context())
	require.NoError(t, err)
	require.Zero(t, swept)
	clk.Move(time.Second)
	swept, err = s.Sweep(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 3, swept)
}

// A rule that counts by place counts a subject in each separately; clearing it clears all of its own, and no others.
func TestPlacesAndClear(t *testing.T) {
	t.Parallel()
	s, _ := setup(t)
	use := func(subject, place string) throttle.Use {
		return throttle.Use{Rule: throttle.LoginPair, Subject: subject, Place: place}
	}
	fill := func(u throttle.Use) {
		for range u.Rule.Max {
			require.Zero(t, take(t, s, u).Wait)
		}
		require.NotZero(t, take(t, s, u).Wait)
	}
	all := throttle.Use{Rule: throttle.LoginEmail, Subject: "ada"}
	for _, u := range []throttle.Use{use("ada", "192.0.2.1"), use("ada", "192.0.2.2"), use("grace", "192.0.2.1"), all} {
		fill(u)
	}
	require.NoError(t, s.Clear(t.Context(), throttle.LoginPair, "ada"))
	require.Zero(t, take(t, s, use("ada", "192.0.2.1")).Wait)
	require.Zero(t, take(t, s, use("ada", "192.0.2.2")).Wait)
	require.NotZero(t, take(t, s, use("grace", "192.0.2.1")).Wait)
	require.NotZero(t, take(t, s, all).Wait, "another rule")
	require.NoError(t, s.ClearSignIns(t.Context(), " Ada "))
	require.Zero(t, take(t, s, all).Wait)
}

// What an even rule refuses is written down and counts for nothing: the oldest that was let through decides the wait.
func TestEvenRefusals(t *testing.T) {
	t.Parallel()
	s, clk := setup(t)
	use := throttle.Use{Rule: throttle.ForgotPassword, Subject: "ada"}
	require.True(t, use.Rule.Even)
	for range use.Rule.Max {
		require.Zero(t, take(t, s, use).Wait)
	}
	for range 5 {
		clk.Move(time.Minute)
		refused := take(t, s, use)
		require.NotZero(t, refused.Wait)
		require.NoError(t, s.Forgive(t.Context(), refused))
	}
	require.Equal(t, 55*time.Minute, take(t, s, use).Wait)
	clk.Move(55 * time.Minute)
	require.Zero(t, take(t, s, use).Wait)
	clk.Move(25 * time.Hour)
	swept, err := s.Sweep(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 3+6+1, swept)
}

// Concurrent attempts never exceed the rules, and uses in another order do not deadlock.
func TestParallelTakes(t *testing.T) {
	t.Parallel()
	s, _ := setup(t)
	a := throttle.Use{Rule: throttle.LoginPair, Subject: "ada"}
	b := throttle.Use{Rule: throttle.LoginIP, Subject: "203.0.113.7"}
	passed := make([]bool, 40)
	var wg sync.WaitGroup
	for i := range passed {
		wg.Go(func() {
			uses := []throttle.Use{a, b}
			if i%2 == 1 {
				uses = []throttle.Use{b, a}
			}
			taken, err := s.Take(t.Context(), uses...)
			require.NoError(t, err)
			passed[i] = taken.Wait == 0
		})
	}
	wg.Wait()
	count := 0
	for _, p := range passed {
		if p {
			count++
		}
	}
	require.Equal(t, throttle.LoginPair.Max, count)
}

// The subject of a count is not stored.
func TestSubjectIsHashed(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	s := throttle.NewService(throttle.NewStore(db), clocktest.New(sessiontest.Start))
	take(t, s, throttle.Use{Rule: throttle.LoginEmail, Subject: "ada@larkspur.example"}, throttle.Use{Rule: throttle.LoginPair, Subject: "ada", Place: "203.0.113.7"})
	var rows []throttle.Attempt
	require.NoError(t, db.From(t.Context()).Find(&rows).Error)
	require.Len(t, rows, 2)
	for _, row := range rows {
		require.Len(t, row.Subject, 32)
	}
	db.Close()
	_, err := s.Take(t.Context(), throttle.Use{Rule: throttle.LoginEmail, Subject: "ada"})
	require.Equal(t, apperr.KindUnavailable, apperr.From(err).Kind)
}

// A refusal has Retry-After, and its message reveals nothing else.
func TestTooMany(t *testing.T) {
	t.Parallel()
	err := throttle.TooMany(90*time.Second, "100% too often")
	require.Equal(t, apperr.KindRateLimited, apperr.From(err).Kind)
	require.Equal(t, "100% too often", apperr.From(err).Message)
	waiter, ok := errors.AsType[httpapi.Waiter](err)
	require.True(t, ok)
	require.Equal(t, 90*time.Second, waiter.RetryAfter())
}
