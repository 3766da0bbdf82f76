package ledger_test

import (
	"context"
	"log/slog"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/billing/internal/account"
	"gpatlas/modules/billing/internal/ledger"
	"gpatlas/platform/auth"
	"gpatlas/platform/charge"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/clocktest"
	"gpatlas/platform/testkit/dbtest"
)

const (
	start = "2026-11-22T12:00:00Z"
	keyID = "1f0e8a65-90b1-4d5c-9b53-5f7b1b0c9d21"
)

// bench is a meter on a database of its own. db is another handle than the meter's.
type bench struct {
	*ledger.Meter

	tb       testing.TB
	db, own  *database.DB
	clock    *clocktest.Clock
	accounts *account.Store
	made     atomic.Int64
}

func setup(tb testing.TB, options ...func(*ledger.Rules, *ledger.Hooks)) *bench {
	tb.Helper()
	b := &bench{tb: tb, db: dbtest.New(tb), clock: clocktest.At(start)}
	b.own, b.accounts = b.open(func(*database.Config) {}), account.NewStore(b.db)
	rules, hooks := ledger.Rules{CallersOnly: true}, ledger.Hooks{}
	for _, option := range options {
		option(&rules, &hooks)
	}
	b.Meter = ledger.NewMeter(b.own, b.clock, slog.New(slog.DiscardHandler), rules, hooks)
	return b
}

// open is another handle on the bench's database.
func (b *bench) open(change func(*database.Config)) *database.DB {
	b.tb.Helper()
	c := database.Config{URL: dbtest.URL(b.tb, b.db), MaxConns: 20}
	change(&c)
	db, err := database.Open(b.tb.Context(), c)
	require.NoError(b.tb, err)
	b.tb.Cleanup(db.Close)
	return db
}

// Account gives an account that has no row yet.
func (b *bench) Account() int64 { return b.made.Add(1) }

// change changes an account as another process does.
func (b *bench) change(userID int64, change func(a *account.Account)) {
	b.tb.Helper()
	_, err := b.accounts.Update(context.WithoutCancel(b.tb.Context()), userID, b.clock.Now(), func(a *account.Account) error { change(a); return nil })
	require.NoError(b.tb, err)
}

// SetCap sets a spending cap.
func (b *bench) SetCap(userID int64, micros *int64) {
	b.change(userID, func(a *account.Account) { a.CapMicros = micros })
}

// SetOneClick sets how an account buys.
func (b *bench) SetOneClick(userID int64, enabled bool, thresholdMicros int64) {
	b.change(userID, func(a *account.Account) { a.OneClickEnabled, a.OneClickThresholdMicros = enabled, thresholdMicros })
}

// Spent is the sum of the ledger, which must be what the account says.
func (b *bench) Spent(userID int64) int64 {
	b.tb.Helper()
	sum := b.number("SELECT coalesce(sum(amount_micros), 0)::bigint FROM billing.charges WHERE user_id = @user", userID)
	require.Equal(b.tb, sum, b.number("SELECT coalesce(sum(spent_micros), 0)::bigint FROM billing.accounts WHERE user_id = @user", userID))
	return sum
}

// Owned are the units of a product that an account owns.
func (b *bench) Owned(userID int64, product string) []string {
	b.tb.Helper()
	units := list[string](b, "SELECT unit FROM billing.entitlements WHERE user_id = @user AND product = @product", database.Args{"user": userID, "product": product})
	slices.Sort(units)
	return units
}

// Advance moves the clock.
func (b *bench) Advance(d time.Duration) { b.clock.Move(d) }

// Visits is how many connections the meter has taken.
func (b *bench) Visits() int { return int(b.own.Pool().Stat().AcquireCount()) }

// Break takes the meter's database away.
func (b *bench) Break() { b.own.Close() }

func (b *bench) number(statement string, userID int64) int64 {
	b.tb.Helper()
	return list[int64](b, statement, database.Args{"user": userID})[0]
}

func list[T any](b *bench, statement string, args database.Args) []T {
	b.tb.Helper()
	rows, err := database.Values[T](context.WithoutCancel(b.tb.Context()), b.db, "", statement, args)
	require.NoError(b.tb, err)
	if rows == nil {
		rows = []T{}
	}
	return rows
}

// as is a request of an account; mode is that of its key, "" for a session.
func as(ctx context.Context, userID int64, mode string) context.Context {
	caller := &auth.Principal{Kind: auth.Session, UserID: userID}
	if mode != "" {
		caller = &auth.Principal{Kind: auth.Key, UserID: userID, KeyID: keyID, Mode: mode}
	}
	return auth.With(ctx, caller)
}

const half = 500_000

func fee() charge.Item {
	return charge.Item{Operation: "get-gp-regulatory", Subject: "900001", CRD: "900001", Per: charge.PerRequest, UnitMicros: half, RequestID: "req-1"}
}

func team(units ...string) charge.Item {
	return charge.Item{
		Operation: "get-gp-team", Subject: "900001", CRD: "900001", Product: "roster", Units: units, Per: charge.PerPerson, UnitMicros: half, RequestID: "req-1",
	}
}
