package ledger_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/billing/internal/account"
	"gpatlas/modules/billing/internal/ledger"
	"gpatlas/platform/apperr"
	"gpatlas/platform/charge"
)

// Without Stripe anonymous callers are served free of charge, and nobody is refused for a debt.
func TestWithoutStripe(t *testing.T) {
	t.Parallel()
	b := setup(t, func(r *ledger.Rules, _ *ledger.Hooks) { *r = ledger.Rules{} })
	before := b.Visits()
	require.NoError(t, b.Allow(t.Context(), fee()))
	receipt, err := b.Charge(t.Context(), team("p1"))
	require.NoError(t, err)
	require.Zero(t, receipt)
	quote, err := b.Quote(t.Context(), team("p1"))
	require.NoError(t, err)
	require.Zero(t, quote)
	require.Equal(t, before, b.Visits(), "a free answer needs no database")
	item := fee()
	item.UnitMicros = 1_000_000_000
	receipt, err = b.Charge(as(t.Context(), 1, ""), item)
	require.NoError(t, err)
	require.EqualValues(t, 1_000_000_000, receipt.Micros)
	b.verified()
}

// An account that nothing stands behind spends no more than the limit in a month.
func TestUnbackedLimit(t *testing.T) {
	t.Parallel()
	b := setup(t, func(r *ledger.Rules, _ *ledger.Hooks) { r.UnbackedMicros = new(int64(2 * half)) })
	ctx := as(t.Context(), 1, "")
	for range 2 {
		_, err := b.Charge(ctx, fee())
		require.NoError(t, err)
	}
	refused := func(item charge.Item) {
		_, err := b.Charge(ctx, item)
		require.Equal(t, charge.CodeUnbacked, apperr.From(err).Code)
		require.EqualValues(t, half, apperr.From(err).AmountMicros)
		require.ErrorContains(t, err, "An account without a subscription can spend $1.00 a month and has spent $1.00: the charge of $0.50 does not fit. Subscribe to go on")
	}
	refused(fee())
	refused(team("p1"))
	require.Equal(t, charge.CodeUnbacked, apperr.From(b.Allow(ctx, fee())).Code)
	b.change(1, func(a *account.Account) { a.Backed = true })
	_, err := b.Charge(ctx, team("p1"))
	require.NoError(t, err)
	b.Advance(charge.MaxStateAge)
	require.NoError(t, b.Allow(ctx, fee()))
	b.verified()
}

// What the ledger says of a charge.
func TestLines(t *testing.T) {
	t.Parallel()
	b := setup(t)
	bulk := team("p3", "p1", "p2", "p1")
	bulk.BulkMicros = 400_000
	bulk.Execution = "0190a5b2-7c41-4d6e-9a3f-000000000001"
	plain := fee()
	plain.CRD, plain.Subject = "", ""
	for _, c := range []struct {
		mode string
		item charge.Item
	}{{"live", fee()}, {"", plain}, {"live", bulk}, {"live", bulk}, {"live", team("p1")}, {"test", bulk}, {"test", bulk}, {"test", fee()}} {
		item := c.item
		if c.mode == "test" && item.Execution != "" {
			item.Execution = "0190a5b2-7c41-4d6e-9a3f-000000000002"
		}
		_, err := b.Charge(as(t.Context(), 1, c.mode), item)
		require.NoError(t, err)
	}
	require.Equal(t, []string{
		"2026-11-01 12:00 key get-gp-regulatory 900001 900001 - 1 500000 500000 live",
		"2026-11-01 12:00 session get-gp-regulatory  - - 1 500000 500000 live",
		"2026-11-01 12:00 key get-gp-team 900001 900001 roster 3 400000 1200000 live",
		"2026-11-01 12:00 key get-gp-team 900001 900001 - 3 400000 0 test",
		"2026-11-01 12:00 key get-gp-regulatory 900001 900001 - 1 500000 0 test",
	}, list[string](b, `SELECT concat_ws(' ', period, to_char(at AT TIME ZONE 'UTC', 'HH24:MI'), CASE WHEN key_id IS NULL THEN 'session' ELSE 'key' END, operation, subject,
		coalesce(crd, '-'), coalesce(product, '-'), quantity, unit_micros, amount_micros, mode) FROM billing.charges ORDER BY id`, nil))
	b.verified()
}
