package cancellation_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/billing/internal/account"
	"gpatlas/modules/billing/internal/cancellation"
	"gpatlas/modules/billing/internal/stripe"
	"gpatlas/modules/billing/internal/testkit/mailingtest"
	"gpatlas/modules/billing/stripetest"
	"gpatlas/platform/apperr"
	"gpatlas/platform/database"
	"gpatlas/platform/jobs"
	"gpatlas/platform/testkit/clocktest"
	"gpatlas/platform/testkit/dbtest"
)

const ada = int64(7)

type bench struct {
	db       *database.DB
	server   *stripetest.Server
	accounts *mailingtest.Directory
	service  *cancellation.Service
	handler  jobs.Handler
}

// setup is an account with two subscriptions, and another's with one.
func setup(t *testing.T) *bench {
	t.Helper()
	clk := clocktest.At("2026-11-22T09:00:00Z")
	b := &bench{db: dbtest.New(t), server: stripetest.Start(t, clk), accounts: mailingtest.NewDirectory()}
	client := stripe.New(stripetest.SecretKey, b.server.URL, stripe.Options{Attempt: 2 * time.Second, NoPause: true})
	b.service = cancellation.NewService(b.db, jobs.NewEnqueuer(b.db), b.accounts, client)
	b.handler = b.service.Part().Jobs[0]
	customer, err := client.CreateCustomer(t.Context(), "c:7", ada, "ada@larkspur.example")
	require.NoError(t, err)
	_, err = account.NewStore(b.db).Update(t.Context(), ada, clk.Now(), func(a *account.Account) error {
		a.StripeCustomer = &customer
		return nil
	})
	require.NoError(t, err)
	b.server.AddSubscription(stripetest.Subscription{ID: "sub_a", Customer: customer, Status: "active"})
	b.server.AddSubscription(stripetest.Subscription{ID: "sub_b", Customer: customer, Status: "past_due"})
	b.server.AddSubscription(stripetest.Subscription{ID: "sub_c", Customer: "cus_other", Status: "active"})
	return b
}

func (b *bench) statuses() (list []string) {
	for _, s := range b.server.Subscriptions() {
		list = append(list, s.Status)
	}
	return list
}

func (b *bench) run(t *testing.T) error {
	t.Helper()
	return b.handler.Run(t.Context(), []byte(`{"account":7}`))
}

func (b *bench) waiting(t *testing.T) []string {
	t.Helper()
	list, err := database.Values[string](t.Context(), b.db, "", "SELECT type || ' ' || payload::text FROM platform.outbox", nil)
	require.NoError(t, err)
	return list
}

// Guarantee: the deletion of an account ends its subscriptions once in effect, though Stripe fails first and the job runs
// again and again.
func TestDeletion(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.NoError(t, b.db.InTx(t.Context(), func(ctx context.Context) error { return b.service.AccountDeleted(ctx, ada) }))
	require.Equal(t, []string{`billing.cancel_subscriptions {"account": 7}`}, b.waiting(t))
	require.Empty(t, b.server.Requests("GET /v1/subscriptions"), "nothing is sent inside the transaction")

	b.server.Fail("DELETE /v1/subscriptions/sub_a", stripetest.Error500, stripetest.Error500, stripetest.Error500)
	err := b.run(t)
	require.Equal(t, apperr.KindUnavailable, apperr.From(err).Kind)
	require.ErrorContains(t, err, "sub_a")
	require.Equal(t, []string{"active", "canceled", "active"}, b.statuses(), "one failure does not keep the other")
	for range 2 {
		require.NoError(t, b.run(t))
		require.Equal(t, []string{"canceled", "canceled", "active"}, b.statuses())
	}
	require.Len(t, b.server.Requests("DELETE /v1/subscriptions/sub_b"), 1)
}

// A lost answer to a cancellation is no failure.
func TestAnswerLost(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.server.Fail("DELETE /v1/subscriptions/sub_b", stripetest.Drop)
	b.server.Fail("GET /v1/subscriptions", stripetest.HTML502)
	require.NoError(t, b.run(t))
	require.Equal(t, []string{"canceled", "canceled", "active"}, b.statuses())
}

// Guarantee: a deletion that is undone enqueues nothing, and an account that is recovered before the job runs keeps what it pays for.
func TestUndone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	errUndone := errors.New("undone")
	err := b.db.InTx(t.Context(), func(ctx context.Context) error {
		require.NoError(t, b.service.AccountDeleted(ctx, ada))
		return errUndone
	})
	require.ErrorIs(t, err, errUndone)
	require.Empty(t, b.waiting(t))
	b.accounts.Put(mailingtest.Ada(ada))
	require.NoError(t, b.run(t))
	require.Equal(t, []string{"active", "past_due", "active"}, b.statuses())
}

// Whoever Stripe does not know is no job; a customer that only an event has told of is one.
func TestCustomers(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.NoError(t, b.service.AccountDeleted(t.Context(), 8))
	require.Empty(t, b.waiting(t))
	_, err := database.Run(t.Context(), b.db, "", `INSERT INTO billing.subscriptions (id, customer, user_id, status, last_event)
		VALUES ('sub_c', 'cus_other', 8, 'active', now())`, nil)
	require.NoError(t, err)
	require.NoError(t, b.service.AccountDeleted(t.Context(), 8))
	require.Len(t, b.waiting(t), 1)
	require.NoError(t, b.service.Cancel(t.Context(), 8), "a customer that is gone at Stripe is no failure")
}

func TestAway(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.Error(t, b.handler.Run(t.Context(), []byte(`{`)))
	b.db.Close()
	require.Equal(t, apperr.KindUnavailable, apperr.From(b.run(t)).Kind)
	require.Equal(t, apperr.KindUnavailable, apperr.From(b.service.AccountDeleted(t.Context(), ada)).Kind)
}
