// Package sessiontest prepares accounts and sessions for tests: on a real database, with a clock that the test sets and with
// cheap hashes.
package sessiontest

import (
	"log/slog"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/accounts/internal/password"
	"gpatlas/modules/accounts/internal/session"
	"gpatlas/modules/accounts/internal/throttle"
	"gpatlas/modules/accounts/internal/token"
	"gpatlas/modules/accounts/internal/user"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/clocktest"
	"gpatlas/platform/testkit/dbtest"
)

// Password is the password of every account that MakeUser makes.
const Password = "three herons cross the pond" //nolint:gosec // of accounts in test databases

// Start is the initial time of a Bench's clock.
var Start = time.Date(2026, 11, 20, 9, 30, 0, 0, time.UTC)

// Cheap are parameters for hashes whose cost does not matter.
var Cheap = password.Params{MemoryKiB: 8, Passes: 1, Threads: 1}

// Bench has the services that accounts and sessions consist of.
type Bench struct {
	DB        *database.DB
	Clock     *clocktest.Clock
	Users     *user.Store
	Passwords *password.Hasher
	Throttle  *throttle.Service
	Signer    *token.Signer
	Sessions  *session.Service
	Schools   user.Schools
}

// New sets up a Bench on a database of its own, with the default school.
func New(tb testing.TB) *Bench {
	tb.Helper()
	return NewWith(tb, password.NewHasher(Cheap, 0))
}

// NewWith is New with another hasher.
func NewWith(tb testing.TB, hasher *password.Hasher) *Bench {
	tb.Helper()
	db, clk := dbtest.New(tb), clocktest.New(Start)
	keys, err := token.ParseKeys(token.GenerateKeys(Start))
	require.NoError(tb, err)
	b := &Bench{
		DB: db, Clock: clk, Users: user.NewStore(db), Passwords: hasher,
		Throttle: throttle.NewService(throttle.NewStore(db), clk), Signer: token.NewSigner(keys, clk),
		Schools: user.Schools{{Slug: "bschool", Name: "Business School", Domain: "mba{year}.bschool.edu"}},
	}
	b.Sessions = session.NewService(db, clk, slog.New(slog.NewTextHandler(tb.Output(), nil)), hasher, b.Throttle, b.Signer)
	return b
}

// MakeUser makes an account of an address; its password is Password.
func (b *Bench) MakeUser(tb testing.TB, email string) *user.User {
	tb.Helper()
	hash, err := b.Passwords.Hash(tb.Context(), Password)
	require.NoError(tb, err)
	now := b.Clock.Now()
	a := user.Assign(email, b.Schools, now)
	u := &user.User{
		Email: email, EmailKey: user.Key(email), FullName: "Ada Larkspur", PasswordHash: hash, Tier: a.Tier, School: a.School,
		GraduationYear: a.GraduationYear, SubscriptionPlan: a.SubscriptionPlan, APITier: a.APITier, TrialEndsAt: a.TrialEndsAt,
		OnboardingStep: 1, CreatedAt: now, UpdatedAt: now,
	}
	inserted, err := b.Users.Insert(tb.Context(), u)
	require.NoError(tb, err)
	require.True(tb, inserted, "the address is in use")
	return u
}

// Client is the client of a sign-in.
func Client() session.Client {
	return session.Client{Address: netip.MustParseAddr("203.0.113.7"), UserAgent: "curl/8.5.0"}
}

// Login signs in to an account that MakeUser has made.
func (b *Bench) Login(tb testing.TB, email string) session.Tokens {
	tb.Helper()
	tokens, _, err := b.Sessions.Login(tb.Context(), email, Password, Client())
	require.NoError(tb, err)
	return tokens
}

// Median is the median of some times, in seconds.
func Median(list []time.Duration) float64 {
	sorted := slices.Sorted(slices.Values(list))
	return sorted[len(sorted)/2].Seconds()
}
