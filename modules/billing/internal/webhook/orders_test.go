package webhook_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/billing/internal/webhook/webhooktest"
	"gpatlas/modules/billing/stripetest"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/jobstest"
)

// picture is everything that follows from the events of a story, with the story's own names taken out.
func picture(t *testing.T, b *webhooktest.Bench, s webhooktest.Story) string {
	t.Helper()
	const statement = `SELECT json_build_object(
		'account', (SELECT json_build_array(tier, subscription_plan, api_tier, trial_ends_at) FROM accounts.users WHERE id = @user),
		'billing', (SELECT json_build_array(backed, stripe_customer, spent_micros) FROM billing.accounts WHERE user_id = @user),
		'subscriptions', (SELECT json_agg(to_jsonb(s) - 'last_event' ORDER BY id) FROM billing.subscriptions s WHERE customer = @customer),
		'payments', (SELECT json_agg(to_jsonb(p) - 'last_event' ORDER BY invoice) FROM billing.payments p WHERE customer = @customer),
		'jobs', (SELECT json_agg(payload ORDER BY payload::text) FROM platform.outbox WHERE payload->>'invoice' LIKE @invoices)
	)::text`
	rows, err := database.Values[string](t.Context(), b.DB, "", statement,
		database.Args{"user": s.UserID, "customer": "cus_" + s.Name, "invoices": "in_" + s.Name + "_%"})
	require.NoError(t, err)
	text := strings.ReplaceAll(rows[0], s.Name, "NAME")
	return strings.ReplaceAll(text, fmt.Sprintf(`"user_id": %d`, s.UserID), `"user_id": "USER"`)
}

// permutations calls f with every order of n things.
func permutations(n int, f func(order []int)) {
	var walk func(order []int, used int)
	walk = func(order []int, used int) {
		if len(order) == n {
			f(append([]int(nil), order...))
			return
		}
		for i := range n {
			if used&(1<<i) == 0 {
				walk(append(order, i), used|1<<i)
			}
		}
	}
	walk(nil, 0)
}

// All 120 orders of the five events, each event delivered twice (at once, or after all others), with the seconds of Stripe and
// all in one second, in both shapes, with the account named by each object or by the checkout alone: one state, and one mail.
// The 24 orders without the end of the subscription too.
func TestEveryOrder(t *testing.T) {
	t.Parallel()
	b := webhooktest.New(t)
	for n, want := range map[int][]string{
		5: {`["free", "free", "starter", null]`, `"status": "canceled"`, `[false, "cus_NAME", 0]`},
		4: {`["pro", "pro", "growth", null]`, `"status": "active"`, `[true, "cus_NAME", 0]`},
	} {
		for variant := range 4 {
			shape, equal, sparse := stripetest.Shape(variant%2), variant == 1 || variant == 2, variant >= 2
			t.Run(fmt.Sprintf("%d events, shape %d, equal seconds %t, sparse %t", n, shape, equal, sparse), func(t *testing.T) {
				t.Parallel()
				var first string
				permutations(n, func(order []int) {
					s := webhooktest.Story{
						Name:   fmt.Sprintf("%d-%d-%s-", n, variant, strings.Trim(strings.ReplaceAll(fmt.Sprint(order), " ", ""), "[]")),
						UserID: b.Accounts.Make(t), Shape: shape, Sparse: sparse, EqualSeconds: equal, Prices: []string{"price_pro", "price_growth"},
						At: webhooktest.Start,
					}
					events := s.Events()
					receive := func(i int) bool {
						duplicate, err := b.Webhook.Receive(t.Context(), events[i].Payload, events[i].Sign(webhooktest.Start, webhooktest.Secret))
						require.NoError(t, err, "%v: %s", order, events[i].Type)
						return duplicate
					}
					for k, i := range order {
						require.False(t, receive(i))
						if k%2 == 0 {
							require.True(t, receive(i))
						}
					}
					got := picture(t, b, s)
					for _, i := range order {
						require.True(t, receive(i))
					}
					require.Equal(t, got, picture(t, b, s), "duplicates")
					if first == "" {
						first = got
						for _, part := range want {
							require.Contains(t, got, part)
						}
						require.Equal(t, 1, strings.Count(got, `"step"`), "one receipt: %s", got)
					}
					require.Equal(t, first, got, "order %v", order)
				})
			})
		}
	}
}

// Ten deliveries of one event at the same time: one effect, one mail.
func TestDeliveriesAtTheSameTime(t *testing.T) {
	t.Parallel()
	b := webhooktest.New(t)
	s := webhooktest.Story{Name: "one", UserID: b.Accounts.Make(t), Prices: []string{"price_pro"}, At: webhooktest.Start}
	for _, e := range s.Events()[:3] {
		var wg sync.WaitGroup
		var mu sync.Mutex
		answers := map[string]int{}
		for range 10 {
			wg.Go(func() {
				got := b.Post(t, e)
				mu.Lock()
				defer mu.Unlock()
				answers[fmt.Sprint(got.Status, " ", strings.TrimSpace(got.Body))]++
			})
		}
		wg.Wait()
		require.Equal(t, map[string]int{`200 {"received":true}`: 1, `200 {"received":true,"duplicate":true}`: 9}, answers, e.Type)
	}
	require.EqualValues(t, 1, b.Accounts.Sets(), "the plan is set once")
	require.Len(t, jobstest.Waiting(t, b.DB), 1)
	require.Len(t, b.Deliver(t), 1)
}

// All five events of many customers at the same time, each twice: every story ends as it should.
func TestStoriesAtTheSameTime(t *testing.T) {
	t.Parallel()
	b := webhooktest.New(t)
	var stories []webhooktest.Story
	var wg sync.WaitGroup
	for i := range 20 {
		s := webhooktest.Story{Name: fmt.Sprintf("s%02d", i), UserID: b.Accounts.Make(t), Sparse: i%2 == 0, Prices: []string{"price_pro"}, At: webhooktest.Start}
		stories = append(stories, s)
		for _, e := range append(s.Events(), s.Events()...) {
			wg.Go(func() {
				if _, err := b.Webhook.Receive(t.Context(), e.Payload, e.Sign(webhooktest.Start, webhooktest.Secret)); err != nil {
					t.Error(err)
				}
			})
		}
	}
	wg.Wait()
	first := picture(t, b, stories[0])
	require.True(t, json.Valid([]byte(first)))
	for _, s := range stories[1:] {
		require.Equal(t, first, picture(t, b, s))
	}
}
