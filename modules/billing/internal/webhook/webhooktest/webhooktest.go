// Package webhooktest sets up the webhook for tests, with what follows from events: on a real database, with signed events.
package webhooktest

import (
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/billing/internal/dunning"
	"gpatlas/modules/billing/internal/mailing"
	"gpatlas/modules/billing/internal/price"
	"gpatlas/modules/billing/internal/subscription"
	"gpatlas/modules/billing/internal/testkit/mailingtest"
	"gpatlas/modules/billing/internal/webhook"
	"gpatlas/modules/billing/stripetest"
	"gpatlas/platform/database"
	"gpatlas/platform/jobs"
	"gpatlas/platform/testkit/clocktest"
	"gpatlas/platform/testkit/dbtest"
	"gpatlas/platform/testkit/httpapitest"
	"gpatlas/platform/testkit/jobstest"
	"gpatlas/platform/testkit/mailtest"
)

// Start is the initial time of a Bench's clock.
var Start = clocktest.Instant("2026-11-20T09:30:00Z")

// The secrets of the endpoint: the new one, and the one that it replaces.
const (
	Secret    = "whsec_new"
	OldSecret = "whsec_old"
)

// Prices are what is configured.
const Prices = "price_starter=plan:starter,price_pro=plan:pro,price_enterprise=plan:enterprise,price_growth=tier:growth,price_scale=tier:scale"

// Bench is the webhook and its neighbors.
type Bench struct {
	DB            *database.DB
	Clock         *clocktest.Clock
	Accounts      *Accounts
	Subscriptions *subscription.Service
	Dunning       *dunning.Service
	Webhook       *webhook.Service
	Host          *httpapitest.Host
	Mails         *mailtest.Capture
}

// New sets up a Bench on a database of its own.
func New(tb testing.TB) *Bench {
	tb.Helper()
	return NewWith(tb, true, Secret, OldSecret)
}

// NewWith is New with other settings.
func NewWith(tb testing.TB, on bool, secrets ...string) *Bench {
	tb.Helper()
	b := &Bench{DB: dbtest.New(tb), Clock: clocktest.New(Start), Mails: mailtest.NewCapture()}
	b.Accounts = &Accounts{db: b.DB}
	prices, err := price.Parse(Prices)
	require.NoError(tb, err)
	log, queue := slog.New(slog.NewTextHandler(tb.Output(), nil)), jobs.NewEnqueuer(b.DB)
	b.Subscriptions = subscription.NewService(b.DB, b.Clock, b.Accounts, b.Accounts)
	b.Dunning = dunning.NewService(b.DB, b.Clock, queue, b.Subscriptions, mailing.NewMailer(b.Accounts, mailingtest.Wishes{}, b.Mails, mailingtest.Base))
	b.Webhook = webhook.NewService(b.DB, b.Clock, log, queue, on, secrets, prices, b.Subscriptions, nil)
	b.Host = httpapitest.New(tb, slices.Concat(webhook.Routes(b.Webhook), subscription.Routes(b.Subscriptions), dunning.Routes(b.Dunning))...)
	return b
}

// Post sends an event over HTTP, signed now.
func (b *Bench) Post(tb testing.TB, e stripetest.Event) httpapitest.Response {
	tb.Helper()
	return b.PostSigned(tb, string(e.Payload), e.Sign(b.Clock.Now(), Secret))
}

// PostSigned sends a body with a signature.
func (b *Bench) PostSigned(tb testing.TB, body, signature string) httpapitest.Response {
	tb.Helper()
	return b.Host.Ask(tb, httpapitest.Scenario{
		Method: "POST", Path: "/v1/billing/webhook", Body: body, Header: map[string]string{stripetest.SignatureHeader: signature},
	})
}

// Send sends events. The test fails unless each is new and accepted.
func (b *Bench) Send(tb testing.TB, events ...stripetest.Event) {
	tb.Helper()
	for _, e := range events {
		duplicate, err := b.Webhook.Receive(tb.Context(), e.Payload, e.Sign(b.Clock.Now(), Secret))
		require.NoError(tb, err, e.Type)
		require.False(tb, duplicate, e.ID)
	}
}

// Deliver runs the waiting jobs, and returns the mails that they have sent: the address and the subject of each.
func (b *Bench) Deliver(tb testing.TB) (sent []string) {
	tb.Helper()
	b.Mails.Reset()
	jobstest.Deliver(tb, b.DB, dunning.Handlers(b.Dunning)...)
	for _, m := range b.Mails.Messages() {
		sent = append(sent, m.To.Email+": "+m.Subject)
	}
	return sent
}

// State is the state of an event.
func (b *Bench) State(tb testing.TB, id string) string {
	tb.Helper()
	list, err := database.Values[string](tb.Context(), b.DB, "", "SELECT state FROM billing.stripe_events WHERE id = @id", database.Args{"id": id})
	require.NoError(tb, err)
	if len(list) == 0 {
		return ""
	}
	return list[0]
}

// Story is one customer, from the checkout to the end of the subscription.
type Story struct {
	Name         string // part of all IDs
	UserID       int64
	Shape        stripetest.Shape
	Sparse       bool // only the checkout names the account
	EqualSeconds bool // all events are of one second
	Prices       []string
	At           time.Time
}

// Event makes an event of the story, some seconds after its beginning.
func (s Story) Event(kind string, after int, about stripetest.Object) stripetest.Event {
	if s.EqualSeconds {
		after = 0
	}
	return stripetest.NewEvent(fmt.Sprintf("evt_%s_%s_%d", s.Name, kind, after), kind, s.At.Add(time.Duration(after)*time.Second), s.Shape, about)
}

func (s Story) metadata() map[string]string {
	if s.Sparse {
		return nil
	}
	return map[string]string{"account": strconv.FormatInt(s.UserID, 10)}
}

// Checkout is the session of the story.
func (s Story) Checkout(paymentStatus string) *stripetest.Session {
	return &stripetest.Session{
		ID: "cs_" + s.Name, Customer: "cus_" + s.Name, Subscription: "sub_" + s.Name, ClientReferenceID: strconv.FormatInt(s.UserID, 10), Status: "complete",
		PaymentStatus: paymentStatus, Metadata: map[string]string{"price": s.Prices[0]},
	}
}

// Subscription is the subscription of the story.
func (s Story) Subscription(status string) *stripetest.Subscription {
	return &stripetest.Subscription{
		ID: "sub_" + s.Name, Customer: "cus_" + s.Name, Status: status, Prices: s.Prices, Start: s.At, End: s.At.AddDate(0, 1, 0), Metadata: s.metadata(),
	}
}

// Invoice is the nth invoice of the story.
func (s Story) Invoice(n int, status string) *stripetest.Invoice {
	return &stripetest.Invoice{
		ID: fmt.Sprintf("in_%s_%d", s.Name, n), Customer: "cus_" + s.Name, Subscription: "sub_" + s.Name, Status: status, AmountCents: 4900, Metadata: s.metadata(),
	}
}

// Events are the five of the contract: a checkout, a subscription that becomes active, a payment, one that fails, and the end.
func (s Story) Events() []stripetest.Event {
	return []stripetest.Event{
		s.Event(stripetest.CheckoutCompleted, 0, s.Checkout("paid")),
		s.Event(stripetest.SubscriptionUpdated, 1, s.Subscription("active")),
		s.Event(stripetest.InvoicePaid, 2, s.Invoice(1, "paid")),
		s.Event(stripetest.InvoicePaymentFailed, 3, s.Invoice(2, "open")),
		s.Event(stripetest.SubscriptionDeleted, 4, s.Subscription("canceled")),
	}
}
