package subscription_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/billing/internal/price"
	"gpatlas/modules/billing/internal/subscription"
	"gpatlas/modules/billing/internal/webhook/webhooktest"
	"gpatlas/modules/billing/stripetest"
	"gpatlas/platform/auth"
	"gpatlas/platform/testkit/httpapitest"
)

// What an account is told: nothing before its first subscription, then that which gives the plan, also where Stripe is off.
func TestView(t *testing.T) {
	t.Parallel()
	b := webhooktest.New(t)
	s := webhooktest.Story{Name: "view", UserID: b.Accounts.Make(t), Prices: []string{"price_pro"}, At: webhooktest.Start, Shape: stripetest.New}
	const path = "/v1/billing/subscription"
	get := func(want string) {
		t.Helper()
		b.Host.Do(t, httpapitest.Scenario{Path: path, As: &auth.Principal{Kind: auth.Session, UserID: s.UserID}, WantJSON: `{"data":` + want + `}`})
	}
	get(`{"tier":"free_trial","plan":"pro","api_tier":"starter","status":null,"billing_period":null,"cancel_at_period_end":null}`)
	b.Send(t, s.Event(stripetest.CheckoutCompleted, 0, s.Checkout("paid")))
	get(`{"tier":"pro","plan":"pro","api_tier":"starter","status":"active","billing_period":null,"cancel_at_period_end":false}`)
	ends := s.Subscription("active")
	ends.CancelAtPeriodEnd = true
	b.Send(t, s.Event(stripetest.SubscriptionUpdated, 1, ends))
	const period = `{"start":"2026-11-20T09:30:00.000000Z","end":"2026-12-20T09:30:00.000000Z"}`
	get(`{"tier":"pro","plan":"pro","api_tier":"starter","status":"active","billing_period":` + period + `,"cancel_at_period_end":true}`)
	tier := s
	tier.Name, tier.Prices = "tier", []string{"price_scale"}
	b.Send(t, tier.Event(stripetest.SubscriptionUpdated, 2, tier.Subscription("past_due")))
	get(`{"tier":"pro","plan":"pro","api_tier":"scale","status":"active","billing_period":` + period + `,"cancel_at_period_end":true}`)
	b.Send(t, s.Event(stripetest.SubscriptionDeleted, 3, s.Subscription("canceled")))
	get(`{"tier":"free","plan":"free","api_tier":"scale","status":"past_due","billing_period":` + period + `,"cancel_at_period_end":false}`)
	b.Send(t, tier.Event(stripetest.SubscriptionDeleted, 4, tier.Subscription("canceled")))
	get(`{"tier":"free","plan":"free","api_tier":"starter","status":"canceled","billing_period":` + period + `,"cancel_at_period_end":false}`)

	off := webhooktest.NewWith(t, false)
	other := off.Accounts.Make(t)
	off.Host.Do(t, httpapitest.Scenario{Path: path, As: &auth.Principal{Kind: auth.Session, UserID: other}, Contains: []string{`"status":null`}})
	off.Host.Do(t, httpapitest.Scenario{Path: path, Status: 401})
	off.Host.Do(t, httpapitest.Scenario{Path: path, As: &auth.Principal{Kind: auth.Key, UserID: other}, Status: 403})
	off.Accounts.Delete(t, other)
	off.Host.Do(t, httpapitest.Scenario{Path: path, As: &auth.Principal{Kind: auth.Session, UserID: other}, Status: 401})
	off.DB.Close()
	off.Host.Do(t, httpapitest.Scenario{Path: path, As: &auth.Principal{Kind: auth.Session, UserID: other}, Status: 503})
}

// The export has everything of the account, and nothing of others.
func TestExport(t *testing.T) {
	t.Parallel()
	b := webhooktest.New(t)
	s := webhooktest.Story{Name: "mine", UserID: b.Accounts.Make(t), Prices: []string{"price_pro"}, At: webhooktest.Start}
	b.Send(t, s.Events()...)
	mine, err := b.Subscriptions.ExportFor(t.Context(), s.UserID)
	require.NoError(t, err)
	others, err := b.Subscriptions.ExportFor(t.Context(), b.Accounts.Make(t))
	require.NoError(t, err)
	written := func(v any) string {
		text, err := json.Marshal(v)
		require.NoError(t, err)
		return string(text)
	}
	require.JSONEq(t, `{"subscriptions":[],"payments":[]}`, written(others))
	require.JSONEq(t, `{
		"subscriptions": [{"id":"sub_mine","customer":"cus_mine","status":"canceled","plan":"pro","api_tier":null,
			"period_start":"2026-11-20T09:30:00Z","period_end":"2026-12-20T09:30:00Z","cancel_at_period_end":false}],
		"payments": [
			{"invoice":"in_mine_2","status":"failed","amount_cents":4900,"currency":"usd","failed_at":"2026-11-20T09:30:03Z","paid_at":null},
			{"invoice":"in_mine_1","status":"paid","amount_cents":4900,"currency":"usd","failed_at":null,"paid_at":"2026-11-20T09:30:02Z"}
		]}`, written(mine))
}

// Any order of a failure, a second one and a payment of one invoice ends in the same row, of whatever seconds they are.
func TestPaymentInEveryOrder(t *testing.T) {
	t.Parallel()
	at := func(s int) time.Time { return webhooktest.Start.Add(time.Duration(s) * time.Second) }
	for _, seconds := range [][3]int{{1, 2, 3}, {1, 1, 1}, {1, 3, 2}, {2, 1, 1}} {
		bills := []subscription.Bill{
			{At: at(seconds[0]), AmountCents: 100, Currency: "usd", Subscription: "sub_1"},
			{At: at(seconds[1]), AmountCents: 100, Currency: "usd", Subscription: "sub_1"},
			{At: at(seconds[2]), Paid: true, AmountCents: 90, Currency: "usd", Subscription: "sub_1"},
		}
		var first *subscription.Payment
		for _, order := range [][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
			p := subscription.Payment{Invoice: "in_1"}
			for _, i := range order {
				p.Apply(bills[i])
			}
			if first == nil {
				first = &p
				require.Nil(t, p.FailedAt)
				require.Equal(t, at(seconds[2]), *p.PaidAt)
				require.EqualValues(t, 90, p.AmountCents)
			}
			require.Equal(t, *first, p, "order %v of seconds %v", order, seconds)
		}
		for _, order := range [][]int{{0, 1}, {1, 0}} {
			p := subscription.Payment{Invoice: "in_1"}
			for _, i := range order {
				p.Apply(bills[i])
			}
			require.Equal(t, at(min(seconds[0], seconds[1])), *p.FailedAt, "dunning is dated from the first failure")
		}
	}
}

func TestBest(t *testing.T) {
	t.Parallel()
	require.Equal(t, price.Entitlement{}, subscription.Best())
	require.Equal(t, price.Entitlement{Plan: "enterprise", APITier: "scale"}, subscription.Best(
		price.Entitlement{Plan: "pro"}, price.Entitlement{Plan: "enterprise"}, price.Entitlement{Plan: "starter"}, price.Entitlement{APITier: "scale"}, price.Entitlement{APITier: "growth"}))
}
