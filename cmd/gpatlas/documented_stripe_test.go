package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/billing/stripetest"
	"gpatlas/platform/clock"
	"gpatlas/platform/testkit/dbtest"
	"gpatlas/platform/testkit/testscale"
)

// stripeSecret signs the events of the stand-in for Stripe.
const stripeSecret = "whsec_survey"

// paidByStripe tries what answers 503 without Stripe on a second copy of the service, which talks to a stand-in for it. The
// first one goes on without: it serves anonymous callers what has a price. The copy ends with the scene, so that all
// further mails are the first one's.
func paidByStripe(s *survey) {
	processor, first := stripetest.Start(s.t, clock.System{}), s.house
	keys, err := os.ReadFile(filepath.Join(filepath.Dir(first.mails), "jwt.keys")) // the callers' sessions are the first one's
	require.NoError(s.t, err)
	s.house = startHouse(s.t, dbtest.URL(s.t, s.db), s.redisURL, "ANONYMOUS_LIMITS=off", "LOG_LEVEL=error", "ACCOUNTS_JWT_KEYS="+strings.TrimSpace(string(keys)),
		"BILLING_STRIPE_SECRET_KEY="+stripetest.SecretKey, "BILLING_STRIPE_WEBHOOK_SECRETS="+stripeSecret, "BILLING_STRIPE_URL="+processor.URL,
		"BILLING_PRICES=price_pro=plan:pro,price_growth=tier:growth")
	_, g := s.scene("noa@larkspur.example")
	s.expect(g, http.StatusConflict, "create-portal-session", "")
	s.expect(g, http.StatusCreated, "create-checkout-session", `{"plan":"pro"}`)
	s.expect(g, http.StatusCreated, "create-portal-session", "")
	session, subscription := processor.Complete(processor.Sessions()[0].ID)
	events := []stripetest.Event{
		stripetest.NewEvent("evt_1", stripetest.CheckoutCompleted, time.Now(), stripetest.New, session),
		stripetest.NewEvent("evt_2", "customer.subscription.created", time.Now(), stripetest.New, subscription),
		stripetest.NewEvent("evt_3", stripetest.SubscriptionUpdated, time.Now(), stripetest.Old, subscription),
		stripetest.RawEvent("evt_4", "customer.created", time.Now(), stripetest.New, nil),
	}
	for _, want := range []string{`{"received":true}`, `{"received":true,"duplicate":true}`} {
		for _, e := range events {
			got := s.deliver(string(e.Payload))
			require.Equal(s.t, http.StatusOK, got.status, got.body)
			require.JSONEq(s.t, want, got.body)
		}
	}
	require.Contains(s.t, s.expect(g, http.StatusOK, "get-subscription", "").body, `"plan":"pro"`)
	s.expect(g, http.StatusConflict, "create-checkout-session", `{"plan":"pro"}`)
	s.expect(g, http.StatusCreated, "create-checkout-session", `{"api_tier":"growth"}`)
	for _, id := range []string{"create-checkout-session", "create-portal-session", "receive-billing-event"} {
		r := s.byID[id]
		v := newValues(s, r.Operation)
		s.ordinary(r)
		s.random(r, v, testscale.Rounds(s.t, 24))
		if id == "receive-billing-event" { // what is signed is read
			for n := range testscale.Rounds(s.t, 48) {
				s.deliver(v.body(string(events[n%len(events)].Payload)))
			}
		}
	}
	require.NoError(s.t, s.house.cmd.Process.Signal(os.Interrupt))
	require.NoError(s.t, ended(s.t, s.house.cmd, s.house.out), s.house.out)
	s.house = first
}

// deliver sends an event with a good signature.
func (s *survey) deliver(payload string) answer {
	s.t.Helper()
	r := s.byID["receive-billing-event"]
	signature := stripetest.Sign([]byte(payload), time.Now(), stripeSecret)
	return s.ask(asked{route: r, path: r.Operation.Path, body: payload, header: http.Header{stripetest.SignatureHeader: {signature}}, as: s.guest("anonymous")})
}
