package stripe_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/billing/internal/stripe"
	"gpatlas/modules/billing/stripetest"
	"gpatlas/platform/testkit/clocktest"
)

// Guarantee: every request that we make is valid by Stripe's own description of its API.
func TestRequestsAreValid(t *testing.T) {
	t.Parallel()
	mock := stripetest.StartMock(t)
	c := stripe.New("sk_test_123", mock, stripe.Options{NoPause: true})
	ctx, month := t.Context(), clocktest.Instant("2026-10-01T00:00:00Z")

	id, err := c.CreateCustomer(ctx, "customer:7", 7, "ada@larkspur.example")
	require.NoError(t, err)
	require.NotEmpty(t, id)
	_, err = c.FindCustomer(ctx, 7, "ada@larkspur.example")
	require.NoError(t, err)
	id, _, err = c.CreateCheckout(ctx, stripe.Checkout{
		Key: "checkout:7", UserID: 7, Customer: "cus_1", Price: "price_1", SuccessURL: "https://atlas.example/account", CancelURL: "https://atlas.example/plans",
	})
	require.NoError(t, err)
	require.NotEmpty(t, id)
	url, err := c.CreatePortal(ctx, "portal:7", "cus_1", "https://atlas.example/account")
	require.NoError(t, err)
	require.NotEmpty(t, url)
	subs, err := c.Subscriptions(ctx, "cus_1")
	require.NoError(t, err)
	require.NotEmpty(t, subs)
	require.NoError(t, c.CancelSubscription(ctx, "sub_1"))
	id, err = c.CreateInvoiceItem(ctx, stripe.InvoiceItem{Key: "month", UserID: 7, Customer: "cus_1", Cents: 1234, Month: month, Description: "GP Atlas"})
	require.NoError(t, err)
	require.NotEmpty(t, id)
	_, err = c.FindInvoiceItem(ctx, "cus_1", 7, month)
	require.NoError(t, err)

	// It refuses what is not valid, so the calls above have shown something.
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, mock+"/v1/checkout/sessions", strings.NewReader("mode=nonsense"))
	require.NoError(t, err)
	req.Header.Set("Authorization", "Bearer sk_test_123")
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	res, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(req)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	require.Equal(t, http.StatusBadRequest, res.StatusCode)
}
