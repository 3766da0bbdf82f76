package ledger_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"gpatlas/modules/billing/internal/account"
	"gpatlas/modules/billing/internal/ledger"
	"gpatlas/platform/apperr"
	"gpatlas/platform/testkit/clocktest"
)

func (b *bench) books() *ledger.Books {
	return ledger.NewBooks(b.db, b.clock, slog.New(slog.DiscardHandler), nil)
}

// verified wants the ledger to have no fault.
func (b *bench) verified() {
	b.tb.Helper()
	faults, err := b.books().Verify(context.WithoutCancel(b.tb.Context()))
	require.NoError(b.tb, err)
	require.Empty(b.tb, faults)
}

// history is two accounts with charges of every kind in two months.
func (b *bench) history() {
	b.tb.Helper()
	ctx := b.tb.Context()
	charge := func(userID int64, mode string) {
		keyed := team("p1", "p2", "p3")
		keyed.Execution = fmt.Sprintf("0190a5b2-7c41-4d6e-9a3f-%012d", b.clock.Now().Unix()+userID)
		profile := team("p1", "p2", "p3")
		profile.Product, profile.Per, profile.UnitMicros = "profile", "request", 1_000_000 // a third of a dollar each, and a micro-dollar more
		for _, item := range []func() error{
			func() error { _, err := b.Charge(as(ctx, userID, mode), fee()); return err },
			func() error { _, err := b.Charge(as(ctx, userID, mode), keyed); return err },
			func() error { _, err := b.Charge(as(ctx, userID, mode), keyed); return err },
			func() error { _, err := b.Charge(as(ctx, userID, mode), profile); return err },
		} {
			require.NoError(b.tb, item())
		}
	}
	for range 2 {
		charge(1, "live")
		charge(2, "test")
		b.clock.Move(20 * 24 * time.Hour)
	}
	_, _, err := b.books().Adjust(ctx, 1, -250_000, "charged twice")
	require.NoError(b.tb, err)
	b.verified()
}

// Each planted fault is found, and named with its account and month.
func TestVerifyFindsPlantedFaults(t *testing.T) {
	t.Parallel()
	const free = "ALTER TABLE billing.charges DISABLE TRIGGER USER; "
	for _, c := range []struct{ plant, want string }{
		{
			"UPDATE billing.accounts SET spent_micros = spent_micros + 1 WHERE user_id = 1",
			"1 2027-01 -249999 micro-dollars are spent, and the ledger says -250000",
		},
		{
			"DELETE FROM billing.accounts WHERE user_id = 1",
			"1 2026-11 3000000 micro-dollars are charged, and the month of the account is unknown",
		},
		{
			"UPDATE billing.accounts SET period = '2026-10-01', spent_micros = 0 WHERE user_id = 1",
			"1 2026-12 500000 micro-dollars are charged, and the month of the account is 2026-10-01",
		},
		{
			free + "DELETE FROM billing.charges WHERE operation = 'adjustment'",
			"spent, and the ledger says",
		},
		{
			"DELETE FROM billing.entitlements WHERE product = 'roster' AND unit = 'p1'",
			"counts 3 units for 1500000 micro-dollars, and 2 units for 1000000 are owned by it",
		},
		{
			"UPDATE billing.entitlements SET amount_micros = amount_micros + 1 WHERE product = 'profile' AND unit = 'p1'",
			"counts 3 units for 1000000 micro-dollars, and 3 units for 1000001 are owned by it",
		},
		{
			"INSERT INTO billing.entitlements VALUES (1, 'roster', 'p9', 424242, 0)",
			"1 - roster p9 is owned by charge 424242, which does not count it",
		},
		{
			"INSERT INTO billing.entitlements SELECT 1, 'roster', 'p9', min(id), 0 FROM billing.charges",
			"1 2026-11 roster p9 is owned by charge 1, which does not count it",
		},
		{
			"INSERT INTO billing.entitlements SELECT 2, 'roster', 'p9', charge_id, 0 FROM billing.entitlements LIMIT 1",
			"2 - roster p9 is owned by charge",
		},
		{
			"UPDATE billing.executions SET amount_micros = 1 WHERE user_id = 1 AND charge_id IS NOT NULL",
			"has a receipt of 1 micro-dollars for 3 units, and its charge says otherwise",
		},
		{
			"UPDATE billing.executions SET new_units = 2 WHERE user_id = 1 AND charge_id IS NULL",
			"has a receipt of 0 micro-dollars for 2 units, and its charge says otherwise",
		},
		{
			"UPDATE billing.executions SET charge_id = 424242 WHERE user_id = 1 AND charge_id IS NOT NULL",
			"has a receipt of 1500000 micro-dollars for 3 units, and its charge says otherwise",
		},
		{
			free + "UPDATE billing.charges SET product = 'roster' WHERE mode = 'test' AND quantity = 3",
			"is of a test key, and costs 0 micro-dollars or entitles to something",
		},
		{
			free + "UPDATE billing.charges SET at = at + interval '2 months' WHERE id = 1",
			"1 2026-11 charge 1 was made at 2027-01-22 12:00:00",
		},
		{
			free + "UPDATE billing.charges SET at = at - interval '960 hours' WHERE id = 1",
			"1 2026-11 charge 1 was made at 2026-10-13 12:00:00",
		},
		{
			free + "UPDATE billing.charges SET amount_micros = 99000000 WHERE product IS NULL AND mode = 'live' AND amount_micros > 0 AND period = '2026-11-01'",
			"is of 99000000 micro-dollars, and says 1 times",
		},
		{
			free + "UPDATE billing.charges SET quantity = 3 WHERE product IS NULL AND mode = 'live' AND period = '2026-11-01'",
			"and says 3 times",
		},
		{
			"INSERT INTO billing.collections (user_id, period, amount_micros, at) VALUES (1, '2026-11-01', 1, now())",
			"1 2026-11 1 micro-dollars are collected, and the ledger says 3000000",
		},
		{
			"INSERT INTO billing.charges (id, period, at, user_id, operation, subject, quantity, unit_micros, amount_micros, mode, request_id) VALUES (1, '2027-01-01', now(), 1, '', '', 1, 0, 0, 'live', '')",
			"1 2026-11 2 charges have the number 1",
		},
	} {
		t.Run(c.plant, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			b.history()
			require.NoError(t, b.db.From(t.Context()).Exec(c.plant).Error)
			faults, err := b.books().Verify(t.Context())
			require.NoError(t, err)
			var said []string
			for _, f := range faults {
				month := "-"
				if f.Period != nil {
					month = f.Period.Format("2006-01")
				}
				said = append(said, fmt.Sprint(f.UserID, " ", month, " ", f.Fault))
			}
			require.Contains(t, strings.Join(said, "\n"), c.want)
		})
	}
}

// The job raises the alarm: a metric, and lines in the log.
func TestWatch(t *testing.T) {
	t.Parallel()
	b, metrics := setup(t), prometheus.NewRegistry()
	var lines bytes.Buffer
	books := ledger.NewBooks(b.db, b.clock, slog.New(slog.NewJSONHandler(&lines, nil)), metrics)
	jobs := books.Part().Jobs
	b.history()
	gauge := func(want string) {
		require.NoError(t, testutil.GatherAndCompare(metrics, strings.NewReader(`# HELP gpatlas_billing_ledger_faults Faults that the last verification of the ledger found.
# TYPE gpatlas_billing_ledger_faults gauge
gpatlas_billing_ledger_faults `+want+"\n")))
	}
	require.NoError(t, jobs[0].Run(t.Context(), nil))
	gauge("0")
	require.Empty(t, lines.String())
	require.NoError(t, b.db.From(t.Context()).Exec("UPDATE billing.accounts SET spent_micros = 7").Error)
	require.NoError(t, jobs[0].Run(t.Context(), nil))
	gauge("1")
	require.Contains(t, lines.String(), `"level":"ERROR"`)
	require.NoError(t, jobs[0].Run(t.Context(), nil), "twice")
	gauge("1")

	b.clock.Set(clocktest.Instant("2026-12-19T12:00:00Z"))
	require.NoError(t, jobs[1].Run(t.Context(), nil))
	require.Equal(t, []string{"2026-12-12"}, list[string](b, "SELECT DISTINCT at::date::text FROM billing.executions", nil), "executions of the last seven days")
	b.db.Close()
	for _, job := range jobs {
		require.Equal(t, apperr.KindUnavailable, apperr.From(job.Run(t.Context(), nil)).Kind)
	}
}

func TestAdjust(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, spent, err := b.books().Adjust(t.Context(), 1, -1, "a credit before anything was bought")
	require.NoError(t, err)
	require.EqualValues(t, -1, spent)
	for _, c := range []struct {
		micros int64
		reason string
	}{{0, "x"}, {ledger.AdjustmentMax + 1, "x"}, {-ledger.AdjustmentMax - 1, "x"}, {5, ""}} {
		_, _, err := b.books().Adjust(t.Context(), 1, c.micros, c.reason)
		require.Equal(t, apperr.KindInvalid, apperr.From(err).Kind)
	}
	require.EqualValues(t, -1, b.Spent(1))
	b.SetCap(1, new(int64(half)))
	_, err = b.Charge(as(t.Context(), 1, ""), fee())
	require.NoError(t, err, "a credit makes room under the cap")
	_, err = b.Charge(as(t.Context(), 1, ""), fee())
	require.Equal(t, apperr.KindPaymentRequired, apperr.From(err).Kind)
	b.verified()
}

// What is kept about a person, and what of it is left when the account is purged.
func TestPersonal(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.change(1, func(a *account.Account) {
		a.CapMicros, a.OneClickEnabled, a.WeeklyDigest, a.StripeCustomer = new(int64(1_000_000)), false, true, new("cus_1")
	})
	_, err := b.Charge(as(t.Context(), 1, ""), team("p1", "p2"))
	require.NoError(t, err)
	_, err = b.Charge(as(t.Context(), 2, ""), fee())
	require.NoError(t, err)
	exported := func() string {
		e, err := b.books().ExportFor(t.Context(), 1)
		require.NoError(t, err)
		text, err := json.Marshal(e)
		require.NoError(t, err)
		return string(text)
	}
	const purchases = `"purchases":[{"id":1,"created_at":"2026-11-22T12:00:00Z","operation":"get-gp-team","product":"roster","crd":"900001",` +
		`"subject":"900001","quantity":2,"unit_price":0.5,"amount":1,"mode":"live","request_id":"req-1"}],"entitlements":{"roster":2}}`
	require.JSONEq(t, `{"settings":{"spending_cap":1,"thresholds":[80,100],"one_click_enabled":false,"one_click_threshold":25,"email_receipts":true,`+
		`"weekly_digest":true,"stripe_customer":"cus_1"},`+purchases, exported())
	require.Len(t, list[int](b, "SELECT threshold FROM billing.alerts", nil), 2)
	require.Contains(t, exported(), "cus_1", "a deleted account may be recovered")
	for range 2 {
		require.NoError(t, b.books().AccountPurged(t.Context(), 1))
	}
	require.JSONEq(t, `{"settings":{"spending_cap":null,"thresholds":[80,100],"one_click_enabled":true,"one_click_threshold":25,"email_receipts":true,`+
		`"weekly_digest":false,"stripe_customer":null},`+purchases, exported())
	require.Empty(t, list[int](b, "SELECT threshold FROM billing.alerts", nil))
	b.verified()
	none, err := b.books().ExportFor(t.Context(), 3)
	require.NoError(t, err)
	require.Equal(t, map[string]int64{}, none.(ledger.Exported).Entitlements)
	require.Equal(t, []ledger.ExportedLine{}, none.(ledger.Exported).Purchases)
}
