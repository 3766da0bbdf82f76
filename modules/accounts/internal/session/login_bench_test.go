package session_test

import (
	"net/netip"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/accounts/internal/password"
	"gpatlas/modules/accounts/internal/session"
	"gpatlas/modules/accounts/internal/testkit/sessiontest"
	"gpatlas/modules/accounts/internal/throttle"
)

// BenchmarkLoginKinds sets the median times of the kinds of sign-ins that fail against that of a wrong password, with the
// parameters of production. The kinds take turns, so that a change of the machine's pace meets all of them. Run it with
// -benchtime=200x or more: one iteration is one attempt of each kind.
func BenchmarkLoginKinds(b *testing.B) {
	bench := sessiontest.NewWith(b, password.NewHasher(password.OWASP, 1))
	bench.MakeUser(b, ada)
	bench.MakeUser(b, "full@mossgate.example")
	verified, gone := bench.MakeUser(b, "verified@mossgate.example"), bench.MakeUser(b, "gone@mossgate.example")
	require.NoError(b, bench.Users.Update(b.Context(), verified.ID, map[string]any{"email_verified_at": bench.Clock.Now()}))
	require.NoError(b, bench.Users.Update(b.Context(), gone.ID, map[string]any{"deleted_at": bench.Clock.Now()}))
	kinds := []struct{ name, username, secret string }{
		{"wrong", ada, "not the password"},
		{"unknown", "nobody@larkspur.example", "not the password"},
		{"verified", verified.Email, "not the password"},
		{"deleted", gone.Email, sessiontest.Password},
		{"throttled", "full@mossgate.example", "not the password"},
		{"throttled-unknown", "nobody-full@mossgate.example", "not the password"},
	}
	took, worked := make([][]time.Duration, len(kinds)), make([][]time.Duration, len(kinds))
	for round := 0; b.Loop(); round++ {
		bench.Clock.Move(16 * time.Minute) // only those who are meant to be throttled are
		for _, full := range kinds[4:] {
			fill(b, bench, full.username)
		}
		for i := range kinds {
			k := kinds[(i+round)%len(kinds)]
			began, work := time.Now(), processorTime(b)
			_, _, err := bench.Sessions.Login(b.Context(), k.username, k.secret, session.Client{})
			at := (i + round) % len(kinds)
			took[at] = append(took[at], time.Since(began))
			worked[at] = append(worked[at], processorTime(b)-work)
			require.Error(b, err)
		}
	}
	for i := range kinds {
		b.ReportMetric(sessiontest.Median(took[i])/sessiontest.Median(took[0]), kinds[i].name+"/wrong")
		b.ReportMetric(sessiontest.Median(worked[i])/sessiontest.Median(worked[0]), kinds[i].name+"/wrong-cpu")
	}
	b.ReportMetric(sessiontest.Median(took[5])/sessiontest.Median(took[4]), "throttled-unknown/throttled")
	b.ReportMetric(sessiontest.Median(took[0])*1000, "wrong-ms")
}

// processorTime is what this process has used of the processors: other processes on the machine disturb it less.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// fill uses an address's failures up without hashing.
func fill(b *testing.B, bench *sessiontest.Bench, username string) {
	b.Helper()
	for range 10 {
		taken, err := bench.Throttle.Take(b.Context(), throttle.SignIn(username, netip.Addr{})...)
		require.NoError(b, err)
		require.Zero(b, taken.Wait)
	}
}

// BenchmarkVerifySession is what the recognition of a session adds to a request.
func BenchmarkVerifySession(b *testing.B) {
	bench := sessiontest.New(b)
	bench.MakeUser(b, ada)
	tokens := bench.Login(b, ada)
	for b.Loop() {
		if _, err := bench.Sessions.VerifySession(b.Context(), tokens.AccessToken); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkHash is one hash with the parameters of production.
func BenchmarkHash(b *testing.B) {
	h := password.NewHasher(password.OWASP, 1)
	for b.Loop() {
		if _, err := h.Check(b.Context(), "", "not the password"); err != nil {
			b.Fatal(err)
		}
	}
	if h.Computed() == 0 {
		b.Fatal("nothing was hashed")
	}
}
