package collecting_test

import (
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/billing/internal/account"
	"gpatlas/modules/billing/internal/collecting"
	"gpatlas/modules/billing/internal/stripe"
	"gpatlas/modules/billing/stripetest"
	"gpatlas/platform/apperr"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/clocktest"
	"gpatlas/platform/testkit/dbtest"
)

type bench struct {
	db      *database.DB
	clock   *clocktest.Clock
	server  *stripetest.Server
	client  *stripe.Client
	service *collecting.Service
}

func setup(t *testing.T) *bench {
	t.Helper()
	b := &bench{db: dbtest.New(t), clock: clocktest.At("2026-12-01T04:20:00Z")}
	b.server = stripetest.Start(t, b.clock)
	b.client = stripe.New(stripetest.SecretKey, b.server.URL, stripe.Options{Attempt: 2 * time.Second, NoPause: true})
	b.service = collecting.NewService(b.db, b.clock, slog.New(slog.DiscardHandler), b.client, true)
	return b
}

// customer makes an account a customer.
func (b *bench) customer(t *testing.T, userID int64) string {
	t.Helper()
	id, err := b.client.CreateCustomer(t.Context(), "c:"+strings.Repeat("x", int(userID)), userID, "ada@larkspur.example")
	require.NoError(t, err)
	_, err = account.NewStore(b.db).Update(t.Context(), userID, b.clock.Now(), func(a *account.Account) error {
		a.StripeCustomer = &id
		return nil
	})
	require.NoError(t, err)
	return id
}

// charge puts amounts into the ledger.
func (b *bench) charge(t *testing.T, userID int64, month string, micros ...int64) {
	t.Helper()
	for _, amount := range micros {
		_, err := database.Run(t.Context(), b.db, "", `INSERT INTO billing.charges (period, at, user_id, operation, subject, quantity, unit_micros, amount_micros, mode, request_id)
			VALUES (@month::date, @month::date, @user, 'get-gp-metrics', '900001', 1, @amount::bigint, @amount::bigint, 'live', 'r')`,
			database.Args{"month": clocktest.Instant(month + "-01T00:00:00Z"), "user": userID, "amount": amount})
		require.NoError(t, err)
	}
}

func (b *bench) collect(t *testing.T, want int) {
	t.Helper()
	n, err := b.service.Collect(t.Context())
	require.NoError(t, err)
	require.Equal(t, want, n)
}

// Guarantee: each closed month above zero of a customer becomes one invoice item, as often as the job runs.
func TestCollect(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ada, grace := b.customer(t, 7), b.customer(t, 8)
	b.charge(t, 7, "2026-11", 500_000, 250_000, -150_000)
	b.charge(t, 7, "2026-10", 12_345_678)
	b.charge(t, 7, "2026-12", 500_000) // not closed
	b.charge(t, 7, "2025-11", 500_000) // too long ago
	b.charge(t, 8, "2026-11", 600_000, -600_000)
	b.charge(t, 8, "2026-10", -100_000)
	b.charge(t, 8, "2026-09", 4_999)   // less than half a cent
	b.charge(t, 9, "2026-11", 500_000) // not known at Stripe
	b.collect(t, 3)
	for range 2 {
		b.collect(t, 0)
	}
	require.Equal(t, []stripetest.InvoiceItem{
		{ID: b.server.InvoiceItems()[0].ID, Customer: ada, Currency: "usd", AmountCents: 1235, Description: "GP Atlas, charges of October 2026 (12.345678 USD, rounded to cents)", Metadata: map[string]string{"account": "7", "month": "2026-10"}},
		{ID: b.server.InvoiceItems()[1].ID, Customer: ada, Currency: "usd", AmountCents: 60, Description: "GP Atlas, charges of November 2026", Metadata: map[string]string{"account": "7", "month": "2026-11"}},
	}, b.server.InvoiceItems())
	var keys []string
	for _, r := range b.server.Requests("POST /v1/invoiceitems") {
		keys = append(keys, r.Key)
	}
	require.Equal(t, []string{"gpatlas-month-7-202610", "gpatlas-month-7-202611"}, keys)
	kept, err := database.Values[string](t.Context(), b.db, "", `SELECT concat_ws(' ', user_id, period, amount_micros, invoice_item) FROM billing.collections ORDER BY 1`, nil)
	require.NoError(t, err)
	require.Equal(t, []string{
		"7 2026-10-01 12345678 " + b.server.InvoiceItems()[0].ID, "7 2026-11-01 600000 " + b.server.InvoiceItems()[1].ID, "8 2026-09-01 4999 none",
	}, kept)

	b.clock.Move(31 * 24 * time.Hour)
	require.NotEmpty(t, b.customer(t, 9), "who becomes a customer later pays for the closed months")
	b.collect(t, 2)
	require.Len(t, b.server.InvoiceItems(), 4)
	require.NotEmpty(t, grace)
}

// Guarantee: whatever happens on the way to Stripe, and however long ago, a month has one invoice item in the end.
func TestFaults(t *testing.T) {
	t.Parallel()
	drops := slices.Repeat([]stripetest.Fault{stripetest.Drop}, 10)
	for name, test := range map[string]struct {
		faults []stripetest.Fault
		fails  bool
	}{
		"dropped":           {drops[:1], false},
		"dropped, all":      {drops, true},
		"500":               {[]stripetest.Fault{stripetest.Error500}, true},
		"429":               {[]stripetest.Fault{stripetest.Error429}, true},
		"a proxy's page":    {[]stripetest.Fault{stripetest.HTML502}, false},
		"no answer in time": {[]stripetest.Fault{stripetest.Hang}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			b.customer(t, 7)
			b.customer(t, 8)
			b.charge(t, 7, "2026-11", 500_000)
			b.charge(t, 8, "2026-11", 250_000)
			b.server.Fail("POST /v1/invoiceitems", test.faults...)
			_, err := b.service.Collect(t.Context())
			require.Equal(t, test.fails, err != nil)
			if test.fails {
				require.Equal(t, apperr.KindUnavailable, apperr.From(err).Kind)
				require.ErrorContains(t, err, "collect 2026-11 of account 7")
			}
			b.server.Heal()
			b.server.ForgetKeys() // days later
			b.clock.Move(48 * time.Hour)
			_, err = b.service.Collect(t.Context())
			require.NoError(t, err)
			b.collect(t, 0)
			require.Len(t, b.server.InvoiceItems(), 2)
		})
	}
}

// Guarantee: two workers at the same time make one item.
func TestAtOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.customer(t, 7)
	b.charge(t, 7, "2026-11", 500_000)
	var all sync.WaitGroup
	for range 6 {
		all.Go(func() {
			if _, err := b.service.Collect(t.Context()); err != nil {
				t.Errorf("collect: %v", err)
			}
		})
	}
	all.Wait()
	require.Len(t, b.server.InvoiceItems(), 1)
}

// It is off unless the settings turn it on; then it runs every day.
func TestOff(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.Len(t, b.service.Part().Schedules, 1)
	b.customer(t, 7)
	b.charge(t, 7, "2026-11", 500_000)
	off := collecting.NewService(b.db, b.clock, slog.New(slog.DiscardHandler), b.client, false)
	require.Empty(t, off.Part().Schedules)
	require.NoError(t, off.Part().Jobs[0].Run(t.Context(), nil))
	require.Empty(t, b.server.InvoiceItems())
	b.db.Close()
	require.Equal(t, apperr.KindUnavailable, apperr.From(b.service.Part().Jobs[0].Run(t.Context(), nil)).Kind)
}
