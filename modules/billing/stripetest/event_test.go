package stripetest_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/billing/stripetest"
	"gpatlas/platform/testkit/clocktest"
)

// The signature is Stripe's: an HMAC-SHA256 of the time, a dot and the payload.
func TestSign(t *testing.T) {
	t.Parallel()
	at := clocktest.Instant("2026-11-22T09:00:00Z")
	one := stripetest.Sign([]byte(`{"id":"evt_1"}`), at, "whsec_one")
	require.Equal(t, "t=1795338000,v1=", one[:16])
	require.Len(t, one, 16+64)
	two := stripetest.Sign([]byte(`{"id":"evt_1"}`), at, "whsec_one", "whsec_two")
	require.Equal(t, one, two[:len(one)])
	require.Len(t, two, 16+64+4+64)
	require.NotEqual(t, one, stripetest.Sign([]byte(`{"id":"evt_2"}`), at, "whsec_one"))
	require.NotEqual(t, one, stripetest.Sign([]byte(`{"id":"evt_1"}`), at.Add(time.Second), "whsec_one"))
}

// Periods and an invoice's subscription stand where the version of the API has them.
func TestShapes(t *testing.T) {
	t.Parallel()
	start := clocktest.Instant("2026-11-22T09:00:00Z")
	sub := &stripetest.Subscription{ID: "sub_1", Customer: "cus_1", Status: "active", Prices: []string{"price_pro"}, Start: start, End: start.AddDate(0, 1, 0), Metadata: map[string]string{"account": "7"}}
	invoice := &stripetest.Invoice{ID: "in_1", Customer: "cus_1", Subscription: "sub_1", Status: "paid", AmountCents: 4900, Metadata: sub.Metadata}

	payload := string(stripetest.NewEvent("evt_1", stripetest.SubscriptionUpdated, start, stripetest.Old, sub).Payload)
	require.Contains(t, payload, `"api_version":"2023-10-16"`)
	require.Contains(t, payload, `"created":1795338000`)
	require.Contains(t, sub.JSON(stripetest.Old), "current_period_end")
	require.NotContains(t, sub.JSON(stripetest.New), "current_period_end")
	require.Contains(t, string(stripetest.NewEvent("evt_1", stripetest.SubscriptionUpdated, start, stripetest.New, sub).Payload), `"current_period_end":1797930000`)

	require.Equal(t, "sub_1", invoice.JSON(stripetest.Old)["subscription"])
	require.NotContains(t, invoice.JSON(stripetest.New), "subscription")
	require.Contains(t, string(stripetest.NewEvent("evt_2", stripetest.InvoicePaid, start, stripetest.New, invoice).Payload),
		`"subscription_details":{"metadata":{"account":"7"},"subscription":"sub_1"}`)
	require.Contains(t, string(stripetest.RawEvent("evt_3", "v1.x", start, stripetest.New, nil).Payload), `"data":null`)
}
