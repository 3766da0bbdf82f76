package webhook_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/billing/internal/cancellation"
	"gpatlas/modules/billing/internal/webhook"
	"gpatlas/modules/billing/internal/webhook/webhooktest"
	"gpatlas/modules/billing/stripetest"
	"gpatlas/platform/auth"
	"gpatlas/platform/database"
	"gpatlas/platform/mail"
	"gpatlas/platform/testkit/httpapitest"
	"gpatlas/platform/testkit/jobstest"
)

func story(t *testing.T, b *webhooktest.Bench, name string, prices ...string) webhooktest.Story {
	t.Helper()
	return webhooktest.Story{Name: name, UserID: b.Accounts.Make(t), Prices: prices, At: webhooktest.Start}
}

// stored counts what is stored, in all tables of the webhook.
func stored(t *testing.T, b *webhooktest.Bench) int64 {
	t.Helper()
	n, err := database.Values[int64](t.Context(), b.DB, "", `SELECT (SELECT count(*) FROM billing.stripe_events) + (SELECT count(*) FROM billing.subscriptions)
		+ (SELECT count(*) FROM billing.payments) + (SELECT count(*) FROM billing.accounts) + (SELECT count(*) FROM platform.outbox)`, nil)
	require.NoError(t, err)
	return n[0]
}

// What is not signed by one of the secrets, now, is refused, and nothing is written.
func TestSignatures(t *testing.T) {
	t.Parallel()
	b := webhooktest.New(t)
	s := story(t, b, "sig", "price_pro")
	e := s.Event(stripetest.SubscriptionUpdated, 0, s.Subscription("active"))
	at, body := b.Clock.Now(), string(e.Payload)
	for name, signature := range map[string]string{
		"unsigned":           "",
		"another secret":     e.Sign(at, "whsec_other"),
		"the empty secret":   e.Sign(at, ""),
		"301 seconds old":    e.Sign(at.Add(-301*time.Second), webhooktest.Secret),
		"301 seconds ahead":  e.Sign(at.Add(301*time.Second), webhooktest.Secret),
		"of another body":    stripetest.Sign([]byte(body+" "), at, webhooktest.Secret),
		"no header of that":  "v1",
		"another time of it": strings.Replace(e.Sign(at, webhooktest.Secret), "t=", "t=1", 1),
	} {
		got := b.PostSigned(t, body, signature)
		require.Equal(t, 400, got.Status, name)
		require.Contains(t, got.Body, `"Stripe-Signature"`, name)
	}
	require.Zero(t, stored(t, b))
	for i, signature := range []string{
		e.Sign(at, webhooktest.OldSecret), e.Sign(at, "whsec_other", webhooktest.Secret), e.Sign(at.Add(-300*time.Second), webhooktest.Secret),
		e.Sign(at.Add(300*time.Second), webhooktest.Secret),
	} {
		got := b.PostSigned(t, body, signature)
		require.Equal(t, 200, got.Status, got.Body)
		require.Equal(t, i > 0, strings.Contains(got.Body, "duplicate"))
	}
	require.Equal(t, "pro pro starter", b.Accounts.Standing(t, s.UserID))
}

// Without a Stripe key nothing is accepted, however it is signed.
func TestOff(t *testing.T) {
	t.Parallel()
	for _, b := range []*webhooktest.Bench{webhooktest.NewWith(t, false, webhooktest.Secret), webhooktest.NewWith(t, false)} {
		e := stripetest.RawEvent("evt_1", "x.y", b.Clock.Now(), stripetest.New, nil)
		got := b.PostSigned(t, string(e.Payload), e.Sign(b.Clock.Now(), webhooktest.Secret))
		require.Equal(t, 503, got.Status)
		require.JSONEq(t, `{"detail":"Payments are not set up on this service"}`, got.Body)
		require.Zero(t, stored(t, b))
	}
}

// Events that say nothing to us are stored as ignored; whatever they hold, the answer is good.
func TestIgnored(t *testing.T) {
	t.Parallel()
	b := webhooktest.New(t)
	for i, body := range []string{
		`{"id":"ID","object":"event","type":"customer.created","created":1795338000,"data":{"object":{"id":"cus_1"}}}`,
		`{"id":"ID","object":"event","type":"x.y","created":1795338000,"data":null}`,
		`{"id":"ID","object":"event","type":"x.y"}`,
		`{"id":"ID","type":"x.y","created":-5,"data":7}`,
		`{"id":"ID","type":"x.y","created":1e300,"data":[{"object":1}]}`,
		`{"id":"ID","object":"v2.core.event","type":"v1.billing.meter.error_report_triggered","created":"2026-11-20T09:30:00.123Z","related_object":{"id":"mtr_1"}}`,
		`{"id":"ID","type":"checkout.session.completed","created":1795338000,"data":{"object":{"id":"cs_1","mode":"payment","subscription":null,"payment_status":"paid","client_reference_id":"1"}}}`,
	} {
		id := fmt.Sprintf("evt_%d", i)
		body = strings.Replace(body, "ID", id, 1)
		for _, want := range []string{`{"received":true}`, `{"received":true,"duplicate":true}`} {
			got := b.PostSigned(t, body, stripetest.Sign([]byte(body), b.Clock.Now(), webhooktest.Secret))
			require.Equal(t, 200, got.Status, "%s: %s", body, got.Body)
			require.JSONEq(t, want, got.Body, body)
		}
		require.Equal(t, "ignored", b.State(t, id))
	}
	require.EqualValues(t, 7, stored(t, b))
}

// A body that is signed, and yet is not what its type says, is refused: it is to be sent again when it can be read.
func TestUnreadable(t *testing.T) {
	t.Parallel()
	b := webhooktest.New(t)
	event := func(kind, object string) string {
		return `{"id":"evt_1","type":"` + kind + `","created":1795338000,"data":{"object":` + object + `}}`
	}
	for _, body := range []string{
		`x`, `[]`, `7`, `"x"`, `{"id":`, `{}`, `{"id":"evt_1"}`, `{"type":"x.y"}`, `{"id":null,"type":"x.y"}`, `{"id":"evt_\u0000","type":""}`,
		`{"id":"` + strings.Repeat("e", 256) + `","type":"x.y"}`,
		`{"id":"evt_1","type":"customer.subscription.updated","data":{"object":{"id":"sub_1"}}}`,
		`{"id":"evt_1","type":"customer.subscription.updated","created":1795338000,"data":null}`,
		`{"id":"evt_1","type":"invoice.payment_failed","created":1795338000}`,
		event("customer.subscription.updated", `{}`), event("customer.subscription.deleted", `7`), event("customer.subscription.updated", `{"id":"sub_1"}`),
		event("customer.subscription.updated", `{"id":"sub_1","items":"x"}`), event("invoice.payment_succeeded", `{"id":"in_1","amount_paid":1e300}`),
		event("invoice.payment_failed", `{"id":null}`), event("checkout.session.completed", `{"metadata":[1]}`),
	} {
		got := b.PostSigned(t, body, stripetest.Sign([]byte(body), b.Clock.Now(), webhooktest.Secret))
		require.Equal(t, 400, got.Status, body)
		require.Contains(t, got.Body, `"body"`, body)
	}
	require.Zero(t, stored(t, b))
}

// A body of 1 MiB is read, one byte more is not.
func TestSize(t *testing.T) {
	t.Parallel()
	b := webhooktest.New(t)
	of := func(size int) (string, string) {
		const frame = `{"id":"evt_1","type":"x.y","data":""}`
		body := strings.Replace(frame, `""`, `"`+strings.Repeat("x", size-len(frame))+`"`, 1)
		return body, stripetest.Sign([]byte(body), b.Clock.Now(), webhooktest.Secret)
	}
	body, signature := of(1<<20 + 1)
	require.Equal(t, 413, b.PostSigned(t, body, signature).Status)
	require.Zero(t, stored(t, b))
	body, signature = of(1 << 20)
	require.Equal(t, 200, b.PostSigned(t, body, signature).Status)
}

// While something fails nothing is stored, so that the next delivery completes it.
func TestFailureAndRedelivery(t *testing.T) {
	t.Parallel()
	b := webhooktest.New(t)
	s := story(t, b, "fail", "price_pro")
	events := s.Events()[:3]
	b.Accounts.Fail(errors.New("the accounts are away"))
	require.Equal(t, 500, b.Post(t, events[1]).Status)
	require.Zero(t, stored(t, b))
	require.Equal(t, "free_trial pro starter trial", b.Accounts.Standing(t, s.UserID), "the plan is set in the same transaction")
	b.Accounts.Fail(nil)

	run := func(statement string) {
		t.Helper()
		_, err := database.Run(t.Context(), b.DB, "", statement, nil)
		require.NoError(t, err)
	}
	for _, table := range []string{"billing.stripe_events", "billing.subscriptions", "billing.accounts"} {
		run("ALTER TABLE " + table + " RENAME TO away")
		require.Equal(t, 500, b.Post(t, events[1]).Status, table)
		run("ALTER TABLE billing.away RENAME TO " + strings.TrimPrefix(table, "billing."))
		require.Zero(t, stored(t, b), table)
	}
	run("ALTER TABLE platform.outbox RENAME TO away")
	require.Equal(t, 500, b.Post(t, events[2]).Status, "no mail, no payment")
	run("ALTER TABLE platform.away RENAME TO outbox")
	require.Zero(t, stored(t, b))
	for _, e := range events {
		got := b.Post(t, e)
		require.Equal(t, 200, got.Status, got.Body)
		require.NotContains(t, got.Body, "duplicate")
	}
	require.Equal(t, "pro pro starter", b.Accounts.Standing(t, s.UserID))
	require.Len(t, b.Deliver(t), 1)
	b.DB.Close()
	require.Equal(t, 503, b.Post(t, s.Event(stripetest.SubscriptionDeleted, 9, s.Subscription("canceled"))).Status)
}

// Strictly older events are stale, those of the same second are not, and nothing revives a subscription.
func TestOldEvents(t *testing.T) {
	t.Parallel()
	b := webhooktest.New(t)
	s := story(t, b, "old", "price_pro")
	enterprise := s
	enterprise.Prices = []string{"price_enterprise"}
	send := func(e stripetest.Event, state, want string) {
		t.Helper()
		b.Send(t, e)
		require.Equal(t, state, b.State(t, e.ID), e.ID)
		require.Equal(t, want, b.Accounts.Standing(t, s.UserID), e.ID)
	}
	send(s.Event(stripetest.SubscriptionUpdated, 10, s.Subscription("active")), "applied", "pro pro starter")
	send(s.Event(stripetest.SubscriptionUpdated, 9, enterprise.Subscription("active")), "stale", "pro pro starter")
	send(s.Event(stripetest.SubscriptionDeleted, 8, s.Subscription("canceled")), "stale", "pro pro starter")
	same := enterprise.Event(stripetest.SubscriptionUpdated, 10, enterprise.Subscription("trialing"))
	same = stripetest.NewEvent("evt_same", same.Type, s.At.Add(10*time.Second), stripetest.New, enterprise.Subscription("trialing"))
	send(same, "applied", "enterprise enterprise starter")
	send(s.Event(stripetest.SubscriptionDeleted, 10, s.Subscription("canceled")), "applied", "free free starter")
	send(s.Event(stripetest.SubscriptionUpdated, 99, s.Subscription("active")), "stale", "free free starter")
	send(s.Event(stripetest.CheckoutCompleted, 99, s.Checkout("paid")), "applied", "free free starter")
}

// Each status of Stripe, and what applies then. Somebody whose first payment fails keeps the trial.
func TestStatuses(t *testing.T) {
	t.Parallel()
	b := webhooktest.New(t)
	for status, want := range map[string]string{
		"active": "pro pro growth", "trialing": "pro pro growth", "past_due": "pro pro growth",
		"unpaid": "free free starter", "paused": "free free starter", "canceled": "free free starter",
		"incomplete": "free_trial pro starter trial", "incomplete_expired": "free_trial pro starter trial",
	} {
		s := story(t, b, status, "price_pro", "price_growth", "price_of_somebody_else")
		b.Send(t, s.Event(stripetest.SubscriptionUpdated, 1, s.Subscription(status)))
		require.Equal(t, want, b.Accounts.Standing(t, s.UserID), status)
		backed, err := database.Values[bool](t.Context(), b.DB, "", "SELECT backed FROM billing.accounts WHERE user_id = @id", database.Args{"id": s.UserID})
		require.NoError(t, err)
		require.Equal(t, []bool{want == "pro pro growth"}, backed, status)
	}
}

// A checkout that is paid counts until the subscription's own event; one that is not waits for it.
func TestCheckout(t *testing.T) {
	t.Parallel()
	b := webhooktest.New(t)
	for status, want := range map[string]string{"paid": "pro pro starter", "no_payment_required": "pro pro starter", "unpaid": "free_trial pro starter trial"} {
		s := story(t, b, "co_"+status, "price_pro")
		b.Send(t, s.Event(stripetest.CheckoutCompleted, 5, s.Checkout(status)))
		require.Equal(t, want, b.Accounts.Standing(t, s.UserID), status)
		b.Send(t, s.Event(stripetest.SubscriptionUpdated, 1, s.Subscription("active")))
		require.Equal(t, "pro pro starter", b.Accounts.Standing(t, s.UserID), "%s: another object, whose event is not stale", status)
	}
	s := story(t, b, "co_incomplete", "price_pro")
	b.Send(t, s.Event(stripetest.SubscriptionUpdated, 1, s.Subscription("incomplete")))
	require.Equal(t, "free_trial pro starter trial", b.Accounts.Standing(t, s.UserID))
	b.Send(t, s.Event(stripetest.CheckoutCompleted, 2, s.Checkout("paid")))
	require.Equal(t, "pro pro starter", b.Accounts.Standing(t, s.UserID))
}

// A plan and an API tier from two subscriptions, at two customers: each ends by itself, and the better of two plans counts.
func TestSeveralSubscriptions(t *testing.T) {
	t.Parallel()
	b := webhooktest.New(t)
	plan := story(t, b, "plan", "price_starter")
	tier, better := plan, plan
	tier.Name, tier.Prices, tier.Shape = "tier", []string{"price_scale"}, stripetest.New
	better.Name, better.Prices = "better", []string{"price_enterprise"}
	step := func(s webhooktest.Story, kind string, after int, status, want string) {
		t.Helper()
		b.Send(t, s.Event(kind, after, s.Subscription(status)))
		require.Equal(t, want, b.Accounts.Standing(t, s.UserID))
	}
	step(tier, stripetest.SubscriptionUpdated, 1, "active", "free_trial pro scale trial")
	step(plan, stripetest.SubscriptionUpdated, 1, "active", "starter starter scale")
	step(better, stripetest.SubscriptionUpdated, 1, "active", "enterprise enterprise scale")
	step(plan, stripetest.SubscriptionDeleted, 2, "canceled", "enterprise enterprise scale")
	step(tier, stripetest.SubscriptionDeleted, 2, "canceled", "enterprise enterprise starter")
	step(better, stripetest.SubscriptionDeleted, 2, "canceled", "free free starter")
}

// What a subscription has given ends with it, also where its last prices are others: of another kind. Prices that the settings do
// not name (any more) take nothing away before that.
func TestEntitlementsEnd(t *testing.T) {
	t.Parallel()
	for prices, want := range map[string]string{"price_pro": "pro pro starter", "price_scale": "free free scale", "price_unknown": "enterprise enterprise scale"} {
		for _, changed := range []bool{true, false} {
			b := webhooktest.New(t)
			s := story(t, b, "a", "price_enterprise", "price_scale")
			b.Send(t, s.Event(stripetest.SubscriptionUpdated, 1, s.Subscription("active")))
			require.Equal(t, "enterprise enterprise scale", b.Accounts.Standing(t, s.UserID))
			s.Prices = []string{prices}
			if changed {
				b.Send(t, s.Event(stripetest.SubscriptionUpdated, 2, s.Subscription("active")))
				require.Equal(t, want, b.Accounts.Standing(t, s.UserID), prices)
			}
			b.Send(t, s.Event(stripetest.SubscriptionDeleted, 3, s.Subscription("canceled")))
			require.Equal(t, "free free starter", b.Accounts.Standing(t, s.UserID), prices)
		}
	}
}

// Guarantee: a price that the settings do not name is mailed to the administrators, under one key for each of them and day.
func TestUnknownPricesAreMailed(t *testing.T) {
	t.Parallel()
	b := webhooktest.New(t)
	s := story(t, b, "a", "price_pro")
	b.Send(t, s.Event(stripetest.SubscriptionUpdated, 1, s.Subscription("active")))
	b.Accounts.Make(t) // no administrator
	ada, grace := b.Accounts.Make(t), b.Accounts.Make(t)
	_, err := database.Run(t.Context(), b.DB, "", "UPDATE accounts.users SET is_admin = true WHERE id IN (@ada, @grace)", database.Args{"ada": ada, "grace": grace})
	require.NoError(t, err)
	mailed := func() []string {
		rows, err := database.Values[string](t.Context(), b.DB, "", `SELECT DISTINCT payload->>'key' || ' ' || (payload->>'user_id') || ' ' || (payload->>'data')
			FROM platform.outbox WHERE type = @type ORDER BY 1`, database.Args{"type": mail.NotifyJob})
		require.NoError(t, err)
		return rows
	}
	require.Empty(t, mailed(), "every price is named")
	s.Prices = []string{"price_new"}
	for after := 2; after < 4; after++ {
		b.Send(t, s.Event(stripetest.SubscriptionUpdated, after, s.Subscription("active")))
	}
	row := func(id int64, day string) string {
		return fmt.Sprintf(`unknown_price:%d:%s %d {"price": "price_new", "subscription": "%s"}`, id, day, id, s.Subscription("active").ID)
	}
	today, tomorrow := b.Clock.Now().UTC().Format(time.DateOnly), b.Clock.Now().UTC().AddDate(0, 0, 1).Format(time.DateOnly)
	require.ElementsMatch(t, []string{row(ada, today), row(grace, today)}, mailed())
	b.Clock.Move(24 * time.Hour)
	b.Send(t, s.Event(stripetest.SubscriptionUpdated, 4, s.Subscription("active")))
	require.ElementsMatch(t, []string{row(ada, today), row(grace, today), row(ada, tomorrow), row(grace, tomorrow)}, mailed())
}

// Accounts that there are not change nothing; those that are deleted are set, and those that are purged meanwhile do no harm.
func TestAccountsThatAreGone(t *testing.T) {
	t.Parallel()
	b := webhooktest.New(t)
	unknown := webhooktest.Story{Name: "unknown", UserID: 999, Prices: []string{"price_pro"}, At: webhooktest.Start}
	b.Send(t, unknown.Events()...)
	for _, e := range unknown.Events() {
		require.Equal(t, "ignored", b.State(t, e.ID), e.Type)
	}
	require.Empty(t, jobstest.Waiting(t, b.DB))

	deleted, purged := story(t, b, "deleted", "price_pro"), story(t, b, "purged", "price_pro")
	for _, s := range []webhooktest.Story{deleted, purged} {
		b.Send(t, s.Events()[:2]...)
	}
	b.Accounts.Delete(t, deleted.UserID)
	b.Send(t, deleted.Events()[4])
	require.Equal(t, "free free starter", b.Accounts.Standing(t, deleted.UserID))
	b.Accounts.Purge(t, purged.UserID)
	b.Send(t, purged.Events()[4])
	require.Equal(t, "applied", b.State(t, purged.Events()[4].ID))
	require.NoError(t, b.Subscriptions.Part().Purged[0](t.Context(), purged.UserID))
	left, err := database.Values[int64](t.Context(), b.DB, "", "SELECT count(*) FROM billing.subscriptions WHERE user_id = @id", database.Args{"id": purged.UserID})
	require.NoError(t, err)
	require.Equal(t, []int64{0}, left)
}

// Guarantee: what is paid for after the account was deleted is cancelled, whichever event comes first. An account that is recovered
// before has it.
func TestSubscriptionsOfDeletedAccountsAreCancelled(t *testing.T) {
	t.Parallel()
	cancels := func(b *webhooktest.Bench, user int64) (n int) {
		for _, j := range jobstest.Waiting(t, b.DB) {
			if j.Type == cancellation.Job {
				require.JSONEq(t, fmt.Sprintf(`{"account":%d}`, user), j.Payload)
				n++
			}
		}
		return n
	}
	for _, sparse := range []bool{false, true} {
		for _, order := range [][]int{{0, 1}, {1, 0}} {
			b := webhooktest.New(t)
			s := story(t, b, "late", "price_pro")
			s.Sparse = sparse
			b.Accounts.Delete(t, s.UserID)
			events := s.Events()
			b.Send(t, events[order[0]], events[order[1]])
			require.Positive(t, cancels(b, s.UserID), "%v %v", sparse, order)
			require.Equal(t, "applied", b.State(t, events[0].ID))
			b.Accounts.Recover(t, s.UserID)
			require.Equal(t, "pro pro starter", b.Accounts.Standing(t, s.UserID))
			b.Host.Do(t, httpapitest.Scenario{
				Path: "/v1/billing/subscription", As: &auth.Principal{Kind: auth.Session, UserID: s.UserID}, Contains: []string{`"status":"active"`},
			})
		}
	}

	b := webhooktest.New(t)
	first := story(t, b, "first", "price_pro")
	b.Send(t, first.Events()[:2]...)
	require.Zero(t, cancels(b, first.UserID))
	b.Accounts.Delete(t, first.UserID)
	second := first
	second.Name, second.Prices = "second", []string{"price_scale"}
	b.Send(t, second.Event("customer.subscription.created", 1, second.Subscription("active")))
	require.Equal(t, 1, cancels(b, first.UserID), "while the job of the deletion may still be at work")
	for _, s := range []webhooktest.Story{first, second} {
		b.Send(t, s.Event(stripetest.SubscriptionDeleted, 4, s.Subscription("canceled")))
	}
	before := cancels(b, first.UserID)
	b.Send(t, second.Event(stripetest.SubscriptionUpdated, 5, second.Subscription("active")))
	require.Equal(t, before, cancels(b, first.UserID), "it has ended")
}

// Events are forgotten after ninety days, and not before.
func TestCleanup(t *testing.T) {
	t.Parallel()
	b := webhooktest.New(t)
	s := story(t, b, "kept", "price_pro")
	b.Send(t, s.Events()[1])
	clean := func(after time.Duration) string {
		t.Helper()
		b.Clock.Set(webhooktest.Start.Add(after))
		require.NoError(t, webhook.Handlers(b.Webhook)[0].Run(t.Context(), nil))
		return b.State(t, s.Events()[1].ID)
	}
	require.Equal(t, "applied", clean(webhook.Kept))
	require.Empty(t, clean(webhook.Kept+time.Second))
	b.DB.Close()
	require.Error(t, webhook.Handlers(b.Webhook)[0].Run(t.Context(), nil))
}

func BenchmarkReceive(b *testing.B) {
	bench := webhooktest.New(b)
	user := bench.Accounts.Make(b)
	n := 0
	for b.Loop() {
		n++
		s := webhooktest.Story{Name: fmt.Sprint("b", n), UserID: user, Prices: []string{"price_pro"}, At: webhooktest.Start}
		if n%50 == 1 {
			user = bench.Accounts.Make(b)
		}
		bench.Send(b, s.Event(stripetest.SubscriptionUpdated, 1, s.Subscription("active")))
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "events/s")
}
