package ledger_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/billing/internal/account"
	"gpatlas/modules/billing/internal/ledger"
	"gpatlas/platform/apperr"
	"gpatlas/platform/charge"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/clocktest"
)

const deadlocksSQL = "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"

// Unlocks that overlap wait for each other: each account pays for each person once, and none is ended by a deadlock.
func TestOverlappingUnlocks(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const seed = 20261122
	random := rand.New(rand.NewPCG(seed, seed))
	var wait sync.WaitGroup
	var mu sync.Mutex
	paid, tiers := map[int64]charge.Receipt{}, map[int64]map[string]bool{1: {}, 2: {}}
	for n := range 96 {
		id := int64(1 + n%2)
		var persons []string
		for _, p := range random.Perm(30)[:1+random.IntN(20)] { // in no order
			persons = append(persons, fmt.Sprintf("p%02d", p))
			tiers[id][persons[len(persons)-1]] = true
		}
		wait.Go(func() {
			for range 3 {
				receipt, err := b.Charge(as(t.Context(), id, ""), team(persons...))
				if err != nil {
					t.Error(err)
				}
				mu.Lock()
				paid[id] = charge.Receipt{Micros: paid[id].Micros + receipt.Micros, NewUnits: paid[id].NewUnits + receipt.NewUnits}
				mu.Unlock()
			}
		})
	}
	wait.Wait()
	for id, persons := range tiers {
		require.Equal(t, charge.Receipt{Micros: int64(len(persons)) * half, NewUnits: len(persons)}, paid[id])
		require.Len(t, b.Owned(id, "roster"), len(persons))
	}
	require.Equal(t, []int64{0}, list[int64](b, deadlocksSQL, nil))
	b.verified()
}

// A charge waits for the account while its cap is lowered: it is decided by the new cap.
func TestCapIsLoweredWhileAChargeWaits(t *testing.T) {
	t.Parallel()
	for name, item := range map[string]charge.Item{"fee": fee(), "persons": team("p1")} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			b.SetCap(1, new(int64(10*half)))
			answer := make(chan error, 1)
			_, err := b.accounts.Update(t.Context(), 1, b.clock.Now(), func(a *account.Account) error {
				go func() {
					_, err := b.Charge(as(t.Context(), 1, ""), item)
					answer <- err
				}()
				require.Eventually(t, func() bool {
					return list[int64](b, "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'", nil)[0] == 1
				}, time.Minute, 5*time.Millisecond, "the charge waits")
				a.CapMicros = new(int64(half - 1))
				return nil
			})
			require.NoError(t, err)
			err = <-answer
			require.Equal(t, charge.CodeSpendingCap, apperr.From(err).Code, "%v", err)
			require.Zero(t, b.Spent(1))
			require.Empty(t, b.Owned(1, "roster"))
		})
	}
}

// Two meters, of which one has a clock 5 seconds behind, charge around the end of a month (UTC), whatever the database's zone
// is. Each charge counts for one month, and the month never goes back.
func TestMonthChange(t *testing.T) {
	t.Parallel()
	for _, zone := range []string{"Asia/Tokyo", "America/New_York"} {
		t.Run(zone, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			require.NoError(t, b.db.From(t.Context()).Exec("DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET timezone = %L', current_database(), '"+zone+"'); END $$").Error)
			db := b.open(func(c *database.Config) { c.TimeZone = zone })
			meter := func(at string) *ledger.Meter {
				return ledger.NewMeter(db, clocktest.At(at), slog.New(slog.DiscardHandler), ledger.Rules{CallersOnly: true}, ledger.Hooks{})
			}
			b.SetCap(1, new(int64(2*half)))
			pay := func(m *ledger.Meter, item charge.Item, code string) {
				_, err := m.Charge(as(t.Context(), 1, ""), item)
				if code == "" {
					require.NoError(t, err)
				} else {
					require.Equal(t, code, apperr.From(err).Code)
				}
			}
			before := meter("2026-11-30T23:59:59.999Z")
			pay(before, fee(), "")
			pay(before, team("p1"), "")
			pay(before, fee(), charge.CodeSpendingCap)
			require.Equal(t, apperr.KindPaymentRequired, apperr.From(before.Allow(as(t.Context(), 1, ""), fee())).Kind)
			after, behind := meter("2026-12-01T00:00:00Z"), meter("2026-11-30T23:59:55Z")
			require.NoError(t, after.Allow(as(t.Context(), 1, ""), fee()), "a new month has its own cap")
			pay(after, fee(), "")
			pay(behind, team("p2"), "")
			pay(behind, fee(), charge.CodeSpendingCap)
			pay(behind, team("p3"), charge.CodeSpendingCap)
			pay(after, fee(), charge.CodeSpendingCap)
			require.Equal(t, []string{"2026-11-01 1000000", "2026-12-01 1000000"},
				list[string](b, "SELECT period || ' ' || sum(amount_micros) FROM billing.charges GROUP BY period ORDER BY period", nil))
			require.Equal(t, []string{"2026-12-01 1000000"}, list[string](b, "SELECT period || ' ' || spent_micros FROM billing.accounts", nil))
			b.verified()
		})
	}
}

// The bulk price of 1 to 1,000 persons adds up to the micro-dollar.
func TestBulkChargesAddUp(t *testing.T) {
	t.Parallel()
	b := setup(t)
	next, persons := 0, []string{}
	var want int64
	for n := 1; n <= 1000; n += 37 {
		for range n {
			next++
			persons = append(persons, fmt.Sprintf("p%06d", next))
		}
		item := team(persons[max(0, len(persons)-n-5):]...) // and five that are owned
		item.UnitMicros, item.BulkMicros = 750_000, 600_000
		price := int64(n) * 600_000
		if n == 1 {
			price = 750_000
		}
		quote, err := b.Quote(as(t.Context(), 1, ""), item)
		require.NoError(t, err)
		require.Equal(t, charge.Quote{Micros: price, Owned: len(item.Units) - n}, quote)
		receipt, err := b.Charge(as(t.Context(), 1, ""), item)
		require.NoError(t, err)
		require.Equal(t, charge.Receipt{Micros: price, NewUnits: n}, receipt)
		want += price
	}
	require.Equal(t, want, b.Spent(1))
	require.Equal(t, want, list[int64](b, "SELECT sum(amount_micros)::bigint FROM billing.entitlements", nil)[0])
	b.verified()
}

// The hooks hear of thresholds once a month each, and of purchases in their transaction.
func TestHooks(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var alerted []int64
	var bought []ledger.Bought
	var failure error
	b := setup(t, func(_ *ledger.Rules, h *ledger.Hooks) {
		h.Alerted = func(_ context.Context, userID int64) {
			mu.Lock()
			defer mu.Unlock()
			alerted = append(alerted, userID)
		}
		h.Bought = func(_ context.Context, p ledger.Bought) error {
			bought = append(bought, p)
			return failure
		}
	})
	b.change(1, func(a *account.Account) {
		a.CapMicros, a.Thresholds = new(int64(10*half)), account.Percents{0, 50, 80, 100}
	})
	var wait sync.WaitGroup
	for range 20 {
		wait.Go(func() { _, _ = b.Charge(as(t.Context(), 1, ""), fee()) })
	}
	wait.Wait()
	alerts := func() []int64 {
		return list[int64](b, "SELECT threshold FROM billing.alerts WHERE queued_at IS NULL ORDER BY period, threshold", nil)
	}
	require.Equal(t, []int64{0, 50, 80, 100}, alerts())
	require.Equal(t, []int64{1, 1, 1, 1}, alerted, "after the charges that reached one")
	require.Empty(t, bought, "fees are no purchases")
	b.SetCap(1, new(int64(100*half)))
	_, err := b.Charge(as(t.Context(), 1, ""), team("p1"))
	require.NoError(t, err)
	require.Len(t, alerted, 4, "each once a month, whatever the cap")
	require.Equal(t, []ledger.Bought{{UserID: 1, ChargeID: 11, Item: team("p1"), Receipt: charge.Receipt{Micros: half, NewUnits: 1}}}, bought)
	_, err = b.Charge(as(t.Context(), 1, ""), team("p1"))
	require.NoError(t, err)
	b.change(1, func(a *account.Account) { a.EmailReceipts = false })
	_, err = b.Charge(as(t.Context(), 1, ""), team("p2"))
	require.NoError(t, err)
	require.Len(t, bought, 1, "nothing was bought, or no receipt is wanted")
	failure = errors.New("no")
	_, err = b.Charge(as(t.Context(), 2, ""), team("p1"))
	require.ErrorIs(t, err, failure)
	require.Empty(t, b.Owned(2, "roster"))
	b.clock.Set(clocktest.Instant("2026-12-01T00:00:00Z"))
	b.SetCap(1, new(int64(half)))
	_, err = b.Charge(as(t.Context(), 1, ""), fee())
	require.NoError(t, err)
	require.Len(t, alerts(), 8, "another month")
	require.Len(t, alerted, 5, "once for a charge")
	b.verified()
}
