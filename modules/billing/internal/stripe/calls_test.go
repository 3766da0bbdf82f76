package stripe_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/billing/internal/stripe"
	"gpatlas/modules/billing/stripetest"
	"gpatlas/platform/apperr"
	"gpatlas/platform/testkit/clocktest"
)

func start(t *testing.T) (*stripetest.Server, *stripe.Client) {
	t.Helper()
	server := stripetest.Start(t, clocktest.At("2026-11-22T09:00:00Z"))
	return server, stripe.New(stripetest.SecretKey, server.URL, stripe.Options{Attempt: 2 * time.Second, NoPause: true})
}

// Everything that we call, in both shapes of Stripe's API.
func TestCalls(t *testing.T) {
	t.Parallel()
	for _, shape := range []stripetest.Shape{stripetest.Old, stripetest.New} {
		server, c := start(t)
		server.SetShape(shape)
		ctx := t.Context()

		none, err := c.FindCustomer(ctx, 7, "ada@larkspur.example")
		require.NoError(t, err)
		require.Empty(t, none)
		other, err := c.CreateCustomer(ctx, "customer:8", 8, "ada@larkspur.example")
		require.NoError(t, err)
		customer, err := c.CreateCustomer(ctx, "customer:7", 7, "ada@larkspur.example")
		require.NoError(t, err)
		require.NotEqual(t, other, customer)
		found, err := c.FindCustomer(ctx, 7, "ada@larkspur.example")
		require.NoError(t, err)
		require.Equal(t, customer, found)

		order := stripe.Checkout{Key: "checkout:7", UserID: 7, Customer: customer, Price: "price_pro", SuccessURL: "https://a.example/ok", CancelURL: "https://a.example/no"}
		session, url, err := c.CreateCheckout(ctx, order)
		require.NoError(t, err)
		require.Equal(t, "https://checkout.stripe.example/c/pay/"+session, url)
		again, _, err := c.CreateCheckout(ctx, order)
		require.NoError(t, err)
		require.Equal(t, session, again)
		require.Equal(t, []stripetest.Session{{
			ID: session, Customer: customer, ClientReferenceID: "7", Price: "price_pro", Status: "open", PaymentStatus: "unpaid",
			SuccessURL: "https://a.example/ok", CancelURL: "https://a.example/no",
			Metadata: map[string]string{"account": "7", "price": "price_pro"}, SubscriptionMetadata: map[string]string{"account": "7"},
		}}, server.Sessions())
		order.Price = "price_other"
		_, _, err = c.CreateCheckout(ctx, order)
		require.ErrorContains(t, err, "idempotency_error")

		url, err = c.CreatePortal(ctx, "portal:7", customer, "https://a.example/account")
		require.NoError(t, err)
		require.Contains(t, url, "https://billing.stripe.example/p/session/bps_")

		_, sub := server.Complete(session)
		subs, err := c.Subscriptions(ctx, customer)
		require.NoError(t, err)
		require.Equal(t, []stripe.Subscription{{ID: sub.ID, Status: "active", Prices: []string{"price_pro"}}}, subs)
		for range 2 {
			require.NoError(t, c.CancelSubscription(ctx, sub.ID), "twice is no error")
		}
		subs, err = c.Subscriptions(ctx, customer)
		require.NoError(t, err)
		require.Empty(t, subs)
		subs, err = c.Subscriptions(ctx, "cus_nobody")
		require.NoError(t, err)
		require.Empty(t, subs)

		month := clocktest.Instant("2026-10-01T00:00:00Z")
		item, err := c.FindInvoiceItem(ctx, customer, 7, month)
		require.NoError(t, err)
		require.Empty(t, item)
		made, err := c.CreateInvoiceItem(ctx, stripe.InvoiceItem{Key: "month", UserID: 7, Customer: customer, Cents: 1234, Month: month, Description: "GP Atlas, October 2026"})
		require.NoError(t, err)
		item, err = c.FindInvoiceItem(ctx, customer, 7, month)
		require.NoError(t, err)
		require.Equal(t, made, item)
		item, err = c.FindInvoiceItem(ctx, customer, 7, month.AddDate(0, 1, 0))
		require.NoError(t, err)
		require.Empty(t, item, "another month")
		require.Equal(t, []stripetest.InvoiceItem{{
			ID: made, Customer: customer, Currency: "usd", Description: "GP Atlas, October 2026", AmountCents: 1234,
			Metadata: map[string]string{"account": "7", "month": "2026-10"},
		}}, server.InvoiceItems())
	}
}

// Guarantee: every POST bears a key of ours; nothing tells Stripe about this machine, and no times of ours are sent.
func TestHeaders(t *testing.T) {
	t.Parallel()
	server, c := start(t)
	customer, err := c.CreateCustomer(t.Context(), "customer:7", 7, "ada@larkspur.example")
	require.NoError(t, err)
	_, err = c.CreatePortal(t.Context(), "portal:7", customer, "https://a.example")
	require.NoError(t, err)
	var keys []string
	for _, r := range server.Requests("") {
		keys = append(keys, r.Key)
		require.Equal(t, "2023-10-16", r.Header.Get("Stripe-Version"))
		require.Empty(t, r.Header.Get("X-Stripe-Client-User-Agent"))
		require.Empty(t, r.Header.Get("X-Stripe-Client-Telemetry"))
	}
	require.Equal(t, []string{"customer:7", "portal:7"}, keys)
}

// Guarantee: all pages of a list are read.
func TestPages(t *testing.T) {
	t.Parallel()
	server, c := start(t)
	customer, err := c.CreateCustomer(t.Context(), "customer:7", 7, "ada@larkspur.example")
	require.NoError(t, err)
	for i := range 230 {
		server.AddSubscription(stripetest.Subscription{ID: fmt.Sprintf("sub_x%d", i), Customer: customer, Status: "past_due"})
	}
	subs, err := c.Subscriptions(t.Context(), customer)
	require.NoError(t, err)
	require.Len(t, subs, 230)
	require.Len(t, server.Requests("GET /v1/subscriptions"), 3)
}

// Guarantee: whatever Stripe or the way to it does, the caller gets unavailable, and a request that failed on its way takes
// effect once.
func TestFaults(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		faults        []stripetest.Fault
		asked, made   int
		fails         bool
		cause         string
		keptAtNextTry bool
	}{
		"none":                     {nil, 1, 1, false, "", false},
		"dropped after its effect": {[]stripetest.Fault{stripetest.Drop}, 2, 1, false, "", false},
		"dropped twice":            {[]stripetest.Fault{stripetest.Drop, stripetest.Drop}, 3, 1, false, "", false},
		"dropped three times":      {[]stripetest.Fault{stripetest.Drop, stripetest.Drop, stripetest.Drop}, 3, 1, true, "EOF", false},
		"no answer in time":        {[]stripetest.Fault{stripetest.Hang}, 2, 1, false, "", false},
		"a proxy's page":           {[]stripetest.Fault{stripetest.HTML502}, 2, 1, false, "", false},
		"a proxy's page for long":  {[]stripetest.Fault{stripetest.HTML502, stripetest.HTML502, stripetest.HTML502}, 3, 0, true, "Bad Gateway", false},
		"too many requests":        {[]stripetest.Fault{stripetest.Error429}, 1, 0, true, "429", false},
		"500":                      {[]stripetest.Fault{stripetest.Error500}, 1, 0, true, "500", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server, c := start(t)
			server.Fail("POST /v1/customers", test.faults...)
			id, err := c.CreateCustomer(t.Context(), "customer:7", 7, "ada@larkspur.example")
			require.Len(t, server.Requests("POST /v1/customers"), test.asked)
			require.Len(t, server.Customers(), test.made)
			if !test.fails {
				require.NoError(t, err)
				require.Equal(t, server.Customers()[0].ID, id)
				return
			}
			require.Equal(t, apperr.KindUnavailable, apperr.From(err).Kind)
			require.Equal(t, "The payment processor cannot be reached now. Try again later", apperr.From(err).Message)
			require.ErrorContains(t, err, test.cause)
			require.NotContains(t, err.Error(), stripetest.SecretKey)
			require.NotContains(t, err.Error(), "larkspur")
			_, err = c.CreateCustomer(t.Context(), "customer:7", 7, "ada@larkspur.example")
			require.Equal(t, test.keptAtNextTry, err != nil, "Stripe keeps a 500 under its key")
			require.LessOrEqual(t, len(server.Customers()), 1)
		})
	}
}

// Guarantee: the secret key stands in no error, even where an answer repeats it; without a key nothing is sent.
func TestSecretKey(t *testing.T) {
	t.Parallel()
	server, _ := start(t)
	for _, key := range []string{"sk_test_wrong", "sk_live_" + strings.Repeat("x", 90)} {
		c := stripe.New(key, server.URL, stripe.Options{NoPause: true})
		_, err := c.CreateCustomer(t.Context(), "k", 7, "ada@larkspur.example")
		require.ErrorContains(t, err, "the secret key is wrong or revoked")
		require.NotContains(t, err.Error(), key)
		server.Fail("POST /v1/customers", stripetest.HTML502)
	}
	asked := len(server.Requests(""))
	c := stripe.New("", server.URL, stripe.Options{})
	require.False(t, c.On())
	_, err := c.CreateCustomer(t.Context(), "k", 7, "ada@larkspur.example")
	require.ErrorIs(t, err, stripe.ErrOff)
	require.Len(t, server.Requests(""), asked)
}

// Guarantee: the key follows no redirect, and an answer that is JSON but no object of Stripe's is no success.
func TestStrangeAnswers(t *testing.T) {
	t.Parallel()
	for name, handler := range map[string]http.HandlerFunc{
		"redirect": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
		},
		"empty": func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(`{}`)) },
		"an error of no kind": func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusBadRequest)
			_, _ = w.Write([]byte(`{"message":"no"}`))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			paths := map[string]bool{}
			server := startPlain(t, func(w http.ResponseWriter, r *http.Request) {
				paths[r.URL.Path] = true
				handler(w, r)
			})
			c := stripe.New("sk_test_x", server, stripe.Options{NoPause: true})
			_, err := c.CreateCustomer(t.Context(), "k", 7, "ada@larkspur.example")
			require.Equal(t, apperr.KindUnavailable, apperr.From(err).Kind)
			require.Equal(t, map[string]bool{"/v1/customers": true}, paths)
		})
	}
}

// A caller who goes away ends the call.
func TestCallerLeaves(t *testing.T) {
	t.Parallel()
	ctx, leave := context.WithCancelCause(t.Context())
	errLeft := errors.New("left")
	server := startPlain(t, func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // else the server does not see that the caller goes
		leave(errLeft)
		<-r.Context().Done()
	})
	c := stripe.New("sk_test_x", server, stripe.Options{})
	_, err := c.CreateCustomer(ctx, "k", 7, "ada@larkspur.example")
	require.ErrorIs(t, err, errLeft)
}

func TestMissing(t *testing.T) {
	t.Parallel()
	_, c := start(t)
	_, _, err := c.CreateCheckout(t.Context(), stripe.Checkout{Key: "k", UserID: 7, Customer: "cus_gone", Price: "price_pro"})
	require.True(t, stripe.Missing(err, "customer"))
	require.False(t, stripe.Missing(err, "line_items[0][price]"))
	require.False(t, stripe.Missing(nil, "customer"))
}
