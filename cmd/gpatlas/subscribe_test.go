package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/billing/stripetest"
	"gpatlas/platform/clock"
	"gpatlas/platform/testkit/dbtest"
)

// From the checkout to the end of a subscription over a socket: the events of Stripe change plan and API tier of a real
// account, the receipt is mailed, and the sender is not limited as an anonymous caller is.
func TestSubscriptionFromEvents(t *testing.T) {
	t.Parallel()
	const secret, old = "whsec_new", "whsec_old"
	h := startHouse(t, dbtest.URL(t, dbtest.New(t)), dbtest.RedisURL(t), "BILLING_STRIPE_SECRET_KEY=sk_test_1", "BILLING_STRIPE_URL=http://127.0.0.1:9",
		"BILLING_STRIPE_WEBHOOK_SECRETS="+secret+","+old, "BILLING_PRICES=price_pro=plan:pro,price_growth=tier:growth")
	ada := h.signUp(t, "ada@larkspur.example")
	me := func() (tier, plan, apiTier string) {
		t.Helper()
		var body struct {
			Data struct {
				Tier, Plan string
				APITier    string `json:"api_tier"`
			}
		}
		got := ada.call("GET", "/v1/billing/subscription", "")
		require.Equal(t, http.StatusOK, got.status, got.body)
		require.NoError(t, json.Unmarshal([]byte(got.body), &body))
		return body.Data.Tier, body.Data.Plan, body.Data.APITier
	}
	is := func(want ...string) {
		t.Helper()
		tier, plan, apiTier := me()
		require.Equal(t, want, []string{tier, plan, apiTier})
	}
	var known struct{ ID int64 }
	require.NoError(t, json.Unmarshal([]byte(ada.call("GET", "/v1/auth/me", "").body), &known))
	require.Positive(t, known.ID)
	id := strconv.FormatInt(known.ID, 10)
	now := clock.System{}.Now().Truncate(time.Second)
	meta := map[string]string{"account": id}
	sub := &stripetest.Subscription{ID: "sub_1", Customer: "cus_1", Status: "active", Prices: []string{"price_pro", "price_growth"}, Start: now, End: now.AddDate(0, 1, 0), Metadata: meta}
	session := &stripetest.Session{
		ID: "cs_1", Customer: "cus_1", Subscription: "sub_1", ClientReferenceID: id, Status: "complete", PaymentStatus: "paid", Metadata: map[string]string{"price": "price_pro"},
	}
	invoice := &stripetest.Invoice{ID: "in_1", Customer: "cus_1", Subscription: "sub_1", Status: "paid", AmountCents: 4900, Metadata: meta}
	send := func(n int, kind string, about stripetest.Object, by string) {
		t.Helper()
		e := stripetest.NewEvent(fmt.Sprint("evt_", n), kind, now.Add(time.Duration(n)*time.Second), stripetest.New, about)
		status, body := stripetest.Post(t.Context(), t, h.base+"/v1/billing/webhook", e, clock.System{}.Now(), by)
		require.Equal(t, http.StatusOK, status, body)
	}
	is("free_trial", "pro", "starter")
	send(0, stripetest.CheckoutCompleted, session, secret)
	is("pro", "pro", "starter")
	send(1, stripetest.SubscriptionUpdated, sub, old)
	is("pro", "pro", "growth")
	send(2, stripetest.InvoicePaid, invoice, secret)
	require.Eventually(t, func() bool {
		for _, name := range letters(h.mails) {
			if b, err := os.ReadFile(name); err == nil && strings.Contains(string(b), "Subject: Receipt for your payment to GP Atlas") {
				return true
			}
		}
		return false
	}, patience, glance, h.out)
	for n := range 150 { // more than an anonymous caller has in a day
		send(10+n, "customer.updated", sub, secret)
	}
	sub.Status = "canceled"
	send(200, stripetest.SubscriptionDeleted, sub, secret)
	is("free", "free", "starter")
	got, err := ada.ask("POST", "/v1/billing/webhook", `{"id":"evt_x","type":"x.y"}`)
	require.NoError(t, err)
	require.Equal(t, http.StatusBadRequest, got.status, "unsigned")
}
