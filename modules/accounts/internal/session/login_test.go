package session_test

import (
	"fmt"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/accounts/internal/password"
	"gpatlas/modules/accounts/internal/session"
	"gpatlas/modules/accounts/internal/testkit/sessiontest"
	"gpatlas/platform/apperr"
)

const ada = "ada@larkspur.example"

func kind(err error) apperr.Kind { return apperr.From(err).Kind }

// One device at a time: a sign-in ends all other sessions of the account, and no other account's.
func TestLoginEndsOtherSessions(t *testing.T) {
	t.Parallel()
	b := sessiontest.New(t)
	b.MakeUser(t, ada)
	b.MakeUser(t, "grace@mossgate.example")
	other := b.Login(t, "grace@mossgate.example")
	first := b.Login(t, ada)
	_, err := b.Sessions.VerifySession(t.Context(), first.AccessToken)
	require.NoError(t, err)

	second, who, err := b.Sessions.Login(t.Context(), "\t ADA@Larkspur.example \n", sessiontest.Password, sessiontest.Client())
	require.NoError(t, err, "addresses are compared without regard to case, and without the spaces around them, as in registration")
	require.Equal(t, ada, who.Email)
	require.Equal(t, "free_trial", who.Tier)

	_, err = b.Sessions.VerifySession(t.Context(), first.AccessToken)
	require.Equal(t, apperr.KindUnauthenticated, kind(err), "the first device's next call")
	_, err = b.Sessions.Refresh(t.Context(), first.RefreshToken)
	require.Equal(t, apperr.KindUnauthenticated, kind(err))
	for _, alive := range []session.Tokens{second, other} {
		_, err = b.Sessions.VerifySession(t.Context(), alive.AccessToken)
		require.NoError(t, err)
	}
	require.Equal(t, []string{"login"}, endings(t, b, first.SessionID))
}

func endings(t *testing.T, b *sessiontest.Bench, id string) []string {
	t.Helper()
	var by []string
	require.NoError(t, b.DB.From(t.Context()).Model(&session.Row{}).Where("id = ? AND ended_at IS NOT NULL", id).Pluck("ended_by", &by).Error)
	return by
}

// Of many sign-ins at once one session is left.
func TestParallelLoginsLeaveOneSession(t *testing.T) {
	t.Parallel()
	b := sessiontest.New(t)
	u := b.MakeUser(t, ada)
	errs := make([]error, 9)
	var wg sync.WaitGroup
	for i := range errs {
		wg.Go(func() {
			_, _, errs[i] = b.Sessions.Login(t.Context(), ada, sessiontest.Password, sessiontest.Client())
		})
	}
	wg.Wait()
	for _, err := range errs {
		require.NoError(t, err)
	}
	list, err := b.Sessions.List(t.Context(), u.ID, "")
	require.NoError(t, err)
	require.Len(t, list, 1)
}

// Each failed sign-in costs exactly one hash and has exactly the same response, whatever the reason; so do those beyond the
// limit, also with the right password.
func TestFailuresAreAlike(t *testing.T) {
	t.Parallel()
	hasher := password.NewHasher(sessiontest.Cheap, 0)
	b := sessiontest.NewWith(t, hasher)
	b.MakeUser(t, ada)
	gone := b.MakeUser(t, "gone@mossgate.example")
	require.NoError(t, b.Users.Update(t.Context(), gone.ID, map[string]any{"deleted_at": b.Clock.Now()}))
	b.MakeUser(t, "full@mossgate.example")
	for _, full := range []string{"full@mossgate.example", "nobody-full@mossgate.example"} {
		for range 10 {
			_, _, err := b.Sessions.Login(t.Context(), full, "not the password", session.Client{})
			require.Equal(t, apperr.KindUnauthenticated, kind(err))
		}
	}
	said := map[apperr.Kind]map[string]bool{apperr.KindUnauthenticated: {}, apperr.KindRateLimited: {}}
	for _, c := range []struct {
		name, username, secret string
		want                   apperr.Kind
	}{
		{"wrong password", ada, "not the password", apperr.KindUnauthenticated},
		{"short password", ada, "x", apperr.KindUnauthenticated},
		{"unknown address", "nobody@larkspur.example", sessiontest.Password, apperr.KindUnauthenticated},
		{"deleted, right password", gone.Email, sessiontest.Password, apperr.KindUnauthenticated},
		{"deleted, wrong password", gone.Email, "not the password", apperr.KindUnauthenticated},
		{"no address", "ada", sessiontest.Password, apperr.KindUnauthenticated},
		{"NUL", "ada\x00@larkspur.example", sessiontest.Password, apperr.KindUnauthenticated},
		{"wildcard", "%@larkspur.example", sessiontest.Password, apperr.KindUnauthenticated},
		{"throttled, right password", "full@mossgate.example", sessiontest.Password, apperr.KindRateLimited},
		{"throttled, wrong password", "full@mossgate.example", "not the password", apperr.KindRateLimited},
		{"throttled, unknown", "nobody-full@mossgate.example", sessiontest.Password, apperr.KindRateLimited},
	} {
		before := hasher.Computed()
		_, _, err := b.Sessions.Login(t.Context(), c.username, c.secret, session.Client{})
		require.Equal(t, c.want, kind(err), "%s: %v", c.name, err)
		require.Equal(t, before+1, hasher.Computed(), c.name)
		said[c.want][err.Error()] = true
	}
	for kind, sentences := range said {
		require.Len(t, sentences, 1, "%v: %v", kind, sentences)
	}
}

// A password beyond every limit is never hashed.
func TestLongPasswordIsNotHashed(t *testing.T) {
	t.Parallel()
	b := sessiontest.New(t)
	b.MakeUser(t, ada)
	before := b.Passwords.Computed()
	_, _, err := b.Sessions.Login(t.Context(), ada, strings.Repeat("x", 1<<20), sessiontest.Client())
	require.Error(t, err)
	require.Equal(t, before, b.Passwords.Computed())
}

// Ten failures for an address from one place within fifteen minutes, and the eleventh attempt waits; others are not held up.
func TestThrottleByPair(t *testing.T) {
	t.Parallel()
	b := sessiontest.New(t)
	b.MakeUser(t, ada)
	b.MakeUser(t, "grace@mossgate.example")
	login := func(email, secret string) error {
		_, _, err := b.Sessions.Login(t.Context(), email, secret, session.Client{})
		return err
	}
	for i := range 10 {
		require.Equal(t, apperr.KindUnauthenticated, kind(login(ada, "not the password")), "attempt %d", i)
		b.Clock.Move(time.Minute)
		require.NoError(t, func() error {
			_, _, err := b.Sessions.Login(t.Context(), "grace@mossgate.example", sessiontest.Password, session.Client{})
			return err
		}())
	}
	require.Equal(t, apperr.KindRateLimited, kind(login(ada, sessiontest.Password)))
	require.Equal(t, apperr.KindRateLimited, kind(login("ADA@larkspur.example", sessiontest.Password)), "the same address")
	require.NoError(t, login("grace@mossgate.example", sessiontest.Password))

	b.Clock.Set(sessiontest.Start.Add(15*time.Minute - time.Millisecond))
	require.Equal(t, apperr.KindRateLimited, kind(login(ada, sessiontest.Password)), "a millisecond before the first failure is out of the window")
	b.Clock.Move(time.Millisecond)
	require.NoError(t, login(ada, sessiontest.Password))
	require.NoError(t, login(ada, sessiontest.Password), "what succeeds is not counted")
	require.Equal(t, apperr.KindUnauthenticated, kind(login(ada, "not the password")))
	require.Equal(t, apperr.KindRateLimited, kind(login(ada, sessiontest.Password)), "ten again: nine old ones and one new")
}

// from is the client at one of many IP addresses.
func from(i int) session.Client {
	return session.Client{Address: netip.AddrFrom4([4]byte{198, 51, 100, byte(i)})}
}

// Strangers at one place use up only their own ten: the owner, elsewhere, signs in. A hundred failures from many places close
// the address to all, known or not.
func TestThrottleByAddress(t *testing.T) {
	t.Parallel()
	for _, email := range []string{ada, "nobody@larkspur.example"} {
		t.Run(email, func(t *testing.T) {
			t.Parallel()
			b := sessiontest.New(t)
			b.MakeUser(t, ada)
			try := func(secret string, place int) error {
				_, _, err := b.Sessions.Login(t.Context(), email, secret, from(place))
				return err
			}
			refused := map[string]bool{}
			for place := range 10 {
				for range 10 {
					require.Equal(t, apperr.KindUnauthenticated, kind(try("not the password", place)))
				}
				err := try(sessiontest.Password, place)
				require.Equal(t, apperr.KindRateLimited, kind(err), "the eleventh from there, whatever the password")
				refused[err.Error()] = true
				if place < 9 && email == ada {
					require.NoError(t, try(sessiontest.Password, 99), "the owner, after %d failures", 10*(place+1))
				}
			}
			for _, secret := range []string{"not the password", sessiontest.Password} {
				err := try(secret, 99)
				require.Equal(t, apperr.KindRateLimited, kind(err), "a hundred")
				refused[err.Error()] = true
			}
			require.Len(t, refused, 1, "one sentence")
			_, _, err := b.Sessions.Login(t.Context(), "other@mossgate.example", "x", from(0))
			require.Equal(t, apperr.KindUnauthenticated, kind(err), "ten are not fifty")
			b.Clock.Move(15 * time.Minute)
			require.NotEqual(t, apperr.KindRateLimited, kind(try("not the password", 99)))
		})
	}
}

// Callers whose address is not known are one place: they do not escape the limit of a place.
func TestThrottleOfUnknownPlaces(t *testing.T) {
	t.Parallel()
	b := sessiontest.New(t)
	b.MakeUser(t, ada)
	for i := range 50 {
		_, _, err := b.Sessions.Login(t.Context(), fmt.Sprintf("nobody%d@mossgate.example", i), "x", session.Client{})
		require.Equal(t, apperr.KindUnauthenticated, kind(err))
	}
	_, _, err := b.Sessions.Login(t.Context(), ada, sessiontest.Password, session.Client{})
	require.Equal(t, apperr.KindRateLimited, kind(err))
	b.Login(t, ada)
}

// Fifty failures from an address, whatever accounts they are about; an IPv6 address counts with its /64.
func TestThrottleByIP(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ first, same, other string }{
		{"203.0.113.7", "::ffff:203.0.113.7", "203.0.113.8"},
		{"2001:db8:1:2::1", "2001:db8:1:2:ffff::9", "2001:db8:1:3::1"},
	} {
		t.Run(c.first, func(t *testing.T) {
			t.Parallel()
			b := sessiontest.New(t)
			b.MakeUser(t, ada)
			login := func(email, secret, from string) error {
				_, _, err := b.Sessions.Login(t.Context(), email, secret, session.Client{Address: netip.MustParseAddr(from)})
				return err
			}
			for i := range 50 {
				require.Equal(t, apperr.KindUnauthenticated, kind(login(string(rune('a'+i%26))+strings.Repeat("x", i)+"@mossgate.example", "not the password", c.first)))
			}
			require.Equal(t, apperr.KindRateLimited, kind(login(ada, sessiontest.Password, c.first)))
			require.Equal(t, apperr.KindRateLimited, kind(login(ada, sessiontest.Password, c.same)))
			require.NoError(t, login(ada, sessiontest.Password, c.other))
			b.Clock.Move(15 * time.Minute)
			require.NoError(t, login(ada, sessiontest.Password, c.first))
		})
	}
}

// Guesses sent at once do not slip through between the count and the deed.
func TestParallelGuessesAreThrottled(t *testing.T) {
	t.Parallel()
	b := sessiontest.New(t)
	b.MakeUser(t, ada)
	kinds := make([]apperr.Kind, 30)
	var wg sync.WaitGroup
	for i := range kinds {
		wg.Go(func() {
			_, _, err := b.Sessions.Login(t.Context(), ada, "not the password", session.Client{})
			kinds[i] = kind(err)
		})
	}
	wg.Wait()
	count := map[apperr.Kind]int{}
	for _, k := range kinds {
		count[k]++
	}
	require.Equal(t, map[apperr.Kind]int{apperr.KindUnauthenticated: 10, apperr.KindRateLimited: 20}, count)
}

// A hash made with other parameters is replaced at the next sign-in, and the password still holds; the same where several
// do so at once.
func TestLoginHashesAnew(t *testing.T) {
	t.Parallel()
	b := sessiontest.NewWith(t, password.NewHasher(password.Params{MemoryKiB: 16, Passes: 2, Threads: 1}, 0))
	u := b.MakeUser(t, ada)
	old := password.NewHasher(sessiontest.Cheap, 0)
	hash, err := old.Hash(t.Context(), sessiontest.Password)
	require.NoError(t, err)
	require.NoError(t, b.Users.Update(t.Context(), u.ID, map[string]any{"password_hash": hash}))
	_, _, err = b.Sessions.Login(t.Context(), ada, "not the password", sessiontest.Client())
	require.Error(t, err)
	require.Equal(t, hash, stored(t, b), "a failure writes nothing")
	var wg sync.WaitGroup
	errs := make([]error, 5)
	for i := range errs {
		wg.Go(func() {
			_, _, errs[i] = b.Sessions.Login(t.Context(), ada, sessiontest.Password, sessiontest.Client())
		})
	}
	wg.Wait()
	for _, err := range errs {
		require.NoError(t, err)
	}
	require.Contains(t, stored(t, b), "$m=16,t=2,p=1$")
	anew := stored(t, b)
	b.Login(t, ada)
	require.Equal(t, anew, stored(t, b), "hashed anew only once")
}

func stored(t *testing.T, b *sessiontest.Bench) string {
	t.Helper()
	u, err := b.Users.FindByEmail(t.Context(), ada)
	require.NoError(t, err)
	return u.PasswordHash
}

// An unavailable database reveals nothing about accounts: 503, and it is not counted as a failure.
func TestLoginWithoutDatabase(t *testing.T) {
	t.Parallel()
	b := sessiontest.New(t)
	b.MakeUser(t, ada)
	tokens := b.Login(t, ada)
	b.DB.Close()
	_, _, err := b.Sessions.Login(t.Context(), ada, sessiontest.Password, sessiontest.Client())
	require.Equal(t, apperr.KindUnavailable, kind(err), "%v", err)
	_, err = b.Sessions.VerifySession(t.Context(), tokens.AccessToken)
	require.Equal(t, apperr.KindUnavailable, kind(err), "%v", err)
	_, err = b.Sessions.Refresh(t.Context(), tokens.RefreshToken)
	require.Equal(t, apperr.KindUnavailable, kind(err), "%v", err)
}
