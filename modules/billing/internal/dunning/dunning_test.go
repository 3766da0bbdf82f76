package dunning_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/billing/internal/account"
	"gpatlas/modules/billing/internal/dunning"
	"gpatlas/modules/billing/internal/testkit/mailingtest"
	"gpatlas/modules/billing/internal/webhook/webhooktest"
	"gpatlas/modules/billing/stripetest"
	"gpatlas/platform/auth"
	"gpatlas/platform/database"
	"gpatlas/platform/jobs"
	"gpatlas/platform/testkit/httpapitest"
	"gpatlas/platform/testkit/jobstest"
	"gpatlas/platform/testkit/mailtest"
)

const (
	day = 24 * time.Hour

	firstMail  = "Your payment to GP Atlas failed"
	secondMail = "Your payment to GP Atlas is still missing"
	lastMail   = "Last reminder of your payment to GP Atlas"
	endMail    = "Your Pro plan of GP Atlas has ended"
)

// bench is an account with a plan whose renewal has failed at webhooktest.Start.
type bench struct {
	*webhooktest.Bench

	story webhooktest.Story
}

func setup(t *testing.T) *bench {
	t.Helper()
	b := &bench{Bench: webhooktest.New(t)}
	b.story = webhooktest.Story{Name: "due", UserID: b.Accounts.Make(t), Prices: []string{"price_pro"}, At: webhooktest.Start}
	s := b.story
	b.Send(t, s.Event(stripetest.CheckoutCompleted, -60, s.Checkout("paid")), s.Event(stripetest.SubscriptionUpdated, -60, s.Subscription("active")),
		s.Event(stripetest.InvoicePaid, -60, s.Invoice(1, "paid")))
	require.Equal(t, []string{"ada1@larkspur.example: Receipt for your payment to GP Atlas"}, b.Deliver(t))
	b.Send(t, s.Event(stripetest.InvoicePaymentFailed, 0, s.Invoice(2, "open")), s.Event(stripetest.SubscriptionUpdated, 0, s.Subscription("past_due")))
	require.Empty(t, b.Deliver(t), "a payment that failed is mailed by the check")
	return b
}

// text is the text of the first mail, with its lines joined.
func (b *bench) text() string { return strings.Join(strings.Fields(b.Mails.Messages()[0].Text), " ") }

// check runs the job twice, some time after the failure, and gives the subjects of the mails.
func (b *bench) check(t *testing.T, after time.Duration) (subjects []string) {
	t.Helper()
	b.Clock.Set(webhooktest.Start.Add(after))
	for range 2 {
		h := dunning.Handlers(b.Dunning)[0]
		require.Equal(t, dunning.Job, h.Type)
		require.NoError(t, h.Run(t.Context(), []byte(`{"bucket":"2026-11-20T09"}`)))
	}
	for _, mail := range b.Deliver(t) {
		subjects = append(subjects, strings.TrimPrefix(mail, "ada1@larkspur.example: "))
	}
	return subjects
}

func (b *bench) standing(t *testing.T) string {
	t.Helper()
	return b.Accounts.Standing(t, b.story.UserID)
}

// Mails at once, after three days and after seven, to the second, each once; a day later the plan ends, once. The status stays.
func TestSteps(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.Equal(t, []string{firstMail}, b.check(t, 0))
	require.Contains(t, b.text(), "49.00 USD failed on 20 November 2026 at 09:30 UTC")
	require.Contains(t, b.text(), "It ends on 28 November 2026")
	require.Empty(t, b.check(t, 3*day-time.Microsecond))
	require.Equal(t, []string{secondMail}, b.check(t, 3*day))
	require.Empty(t, b.check(t, 7*day-time.Microsecond))
	require.Equal(t, []string{lastMail}, b.check(t, 7*day))
	require.Contains(t, b.text(), "ends on 28 November 2026 at 09:30 UTC")
	require.Empty(t, b.check(t, 8*day-time.Microsecond))
	require.Equal(t, "pro pro starter", b.standing(t))
	sets := b.Accounts.Sets()
	require.Equal(t, []string{endMail}, b.check(t, 8*day))
	require.Equal(t, "free free starter", b.standing(t))
	require.Empty(t, b.check(t, 90*day))
	require.Equal(t, sets+1, b.Accounts.Sets())
	a, err := account.NewStore(b.DB).Find(t.Context(), b.story.UserID, b.Clock.Now())
	require.NoError(t, err)
	require.False(t, a.Backed)
	b.Host.Do(t, httpapitest.Scenario{
		Path: "/v1/billing/subscription", As: &auth.Principal{Kind: auth.Session, UserID: b.story.UserID}, Contains: []string{`"past_due"`, `"plan":"free"`},
	})
	b.Send(t, b.story.Event(stripetest.SubscriptionUpdated, 1, b.story.Subscription("past_due")))
	require.Equal(t, "free free starter", b.standing(t), "what was ended is not given back by an update")
	b.Send(t, b.story.Event(stripetest.InvoicePaid, 9*86400, b.story.Invoice(2, "paid")))
	require.Equal(t, "pro pro starter", b.standing(t), "but by the payment")
	require.Len(t, b.Deliver(t), 1)
	require.Empty(t, b.check(t, 99*day))
}

// A payment in between stops it, at every step; so do a newer payment, an event that calls the subscription active, and its end.
func TestStopped(t *testing.T) {
	t.Parallel()
	for name, stop := range map[string]func(s webhooktest.Story, after int) stripetest.Event{
		"paid": func(s webhooktest.Story, after int) stripetest.Event {
			return s.Event(stripetest.InvoicePaid, after, s.Invoice(2, "paid"))
		},
		"a newer invoice is paid": func(s webhooktest.Story, after int) stripetest.Event {
			return s.Event(stripetest.InvoicePaid, after, s.Invoice(3, "paid"))
		},
		"active": func(s webhooktest.Story, after int) stripetest.Event {
			return s.Event(stripetest.SubscriptionUpdated, after, s.Subscription("active"))
		},
		"ended": func(s webhooktest.Story, after int) stripetest.Event {
			return s.Event(stripetest.SubscriptionDeleted, after, s.Subscription("canceled"))
		},
	} {
		for done, at := range []time.Duration{time.Second, day, 4 * day, 7*day + time.Hour} {
			t.Run(fmt.Sprint(name, " after ", done), func(t *testing.T) {
				t.Parallel()
				b := setup(t)
				var sent []string
				for _, reminder := range dunning.Reminders[:done] {
					sent = append(sent, b.check(t, reminder)...)
				}
				require.Len(t, sent, done)
				b.Send(t, stop(b.story, int(at/time.Second)))
				standing := b.standing(t)
				b.Deliver(t)
				require.Empty(t, b.check(t, 30*day))
				require.Equal(t, standing, b.standing(t))
			})
		}
	}
}

// A subscription whose checkout is paid has begun: a later payment that fails is due, even if its own event still calls it incomplete. Before the
// payment it has not.
func TestIncomplete(t *testing.T) {
	t.Parallel()
	for checkout, due := range map[string][]string{"paid": {firstMail}, "unpaid": nil} {
		t.Run(checkout, func(t *testing.T) {
			t.Parallel()
			b := &bench{Bench: webhooktest.New(t)}
			b.story = webhooktest.Story{Name: "due", UserID: b.Accounts.Make(t), Prices: []string{"price_pro"}, At: webhooktest.Start}
			s := b.story
			b.Send(t, s.Event(stripetest.SubscriptionUpdated, -61, s.Subscription("incomplete")), s.Event(stripetest.CheckoutCompleted, -60, s.Checkout(checkout)))
			granted := strings.HasPrefix(b.standing(t), "pro ")
			b.Send(t, s.Event(stripetest.InvoicePaymentFailed, 0, s.Invoice(2, "open")))
			b.Deliver(t)
			require.Equal(t, due, b.check(t, 0))
			require.Equal(t, due != nil, granted, "due is what grants the plan")
		})
	}
}

// After a week without checks one mail stands for all of them, and the plan ends a day after that.
func TestLateCheck(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.Equal(t, []string{lastMail}, b.check(t, 20*day))
	require.Contains(t, b.text(), "ends on 11 December 2026 at 09:30 UTC")
	require.Empty(t, b.check(t, 21*day-time.Second))
	require.Equal(t, []string{endMail}, b.check(t, 21*day))
}

// Checks at the same time take each step once.
func TestChecksAtTheSameTime(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for i, after := range []time.Duration{0, 3 * day, 7 * day, 8 * day} {
		b.Clock.Set(webhooktest.Start.Add(after))
		var wg sync.WaitGroup
		for range 6 {
			wg.Go(func() {
				if _, err := b.Dunning.Check(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		require.Len(t, jobstest.Waiting(t, b.DB), i+1)
	}
	require.Equal(t, "free free starter", b.standing(t))
}

// An unpaid invoice without a subscription causes reminders and ends nothing. One without an account causes no mail.
func TestWithoutSubscription(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Send(t, b.story.Event(stripetest.SubscriptionDeleted, 1, b.story.Subscription("canceled")))
	alone, nobody := b.story.Invoice(7, "open"), b.story.Invoice(8, "open")
	alone.Subscription, nobody.Subscription, nobody.Customer, nobody.Metadata = "", "", "cus_nobody", nil
	b.Send(t, b.story.Event(stripetest.InvoicePaymentFailed, 2, alone), b.story.Event(stripetest.InvoicePaymentFailed, 3, nobody))
	require.Equal(t, []string{firstMail}, b.check(t, 2*time.Second))
	require.NotContains(t, b.Mails.Messages()[0].Text, "plan")
	require.Equal(t, []string{secondMail}, b.check(t, 4*day))
	require.Equal(t, []string{lastMail}, b.check(t, 8*day))
	require.Empty(t, b.check(t, 10*day))
	require.Equal(t, "free free starter", b.standing(t))
}

// A step and its mail are one transaction.
func TestCheckFails(t *testing.T) {
	t.Parallel()
	b := setup(t)
	rename := func(statement string) {
		t.Helper()
		_, err := database.Run(t.Context(), b.DB, "", statement, nil)
		require.NoError(t, err)
	}
	rename("ALTER TABLE platform.outbox RENAME TO away")
	_, err := b.Dunning.Check(t.Context())
	require.Error(t, err)
	rename("ALTER TABLE platform.away RENAME TO outbox")
	require.Equal(t, []string{firstMail}, b.check(t, 0))
	b.DB.Close()
	_, err = b.Dunning.Check(t.Context())
	require.Error(t, err)
}

// Receipts are for those who want them, and for money; mails that are overtaken are not sent; what cannot succeed is not tried
// again.
func TestMails(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := b.story
	free := s.Invoice(3, "paid")
	free.AmountCents = 0
	b.Send(t, s.Event(stripetest.InvoicePaid, 5, free))
	require.Empty(t, b.Deliver(t), "nothing was paid")
	_, err := account.NewStore(b.DB).Update(t.Context(), s.UserID, b.Clock.Now(), func(a *account.Account) error { a.EmailReceipts = false; return nil })
	require.NoError(t, err)
	b.Send(t, s.Event(stripetest.InvoicePaid, 6, s.Invoice(4, "paid")))
	require.Empty(t, b.Deliver(t), "no receipts are wanted")

	b = setup(t)
	s = b.story
	_, err = b.Dunning.Check(t.Context())
	require.NoError(t, err)
	b.Send(t, s.Event(stripetest.InvoicePaid, 7, s.Invoice(2, "paid")))
	require.Equal(t, []string{"ada1@larkspur.example: Receipt for your payment to GP Atlas"}, b.Deliver(t), "paid before the mail has left")
	require.Contains(t, b.Mails.Messages()[0].Text, string(mailingtest.Base)+"/account")

	send := dunning.Handlers(b.Dunning)[1]
	require.Equal(t, dunning.MailJob, send.Type)
	for _, payload := range []string{"x", "{}", `{"invoice":"in_1","step":9}`, `{"invoice":"in_1","step":-2}`} {
		require.True(t, jobstest.Never(send.Run(t.Context(), []byte(payload))), payload)
	}
	require.NoError(t, send.Run(t.Context(), []byte(`{"invoice":"in_none","step":-1}`)))
	b.Mails.Fail(mailtest.Temporary())
	err = send.Run(t.Context(), []byte(`{"invoice":"in_due_1","step":-1}`))
	require.Error(t, err)
	require.False(t, jobstest.Never(err))
	require.Positive(t, send.Retries)
	b.DB.Close()
	for _, step := range []string{"-1", "0"} {
		err = send.Run(t.Context(), []byte(`{"invoice":"in_due_1","step":`+step+`}`))
		require.Error(t, err)
		require.False(t, jobstest.Never(err))
	}
}

// The receipt has the page that Stripe shows the invoice on, and only a page.
func TestPages(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for page, want := range map[string]string{"https://invoice.stripe.example/i/1": "https://invoice.stripe.example/i/1", "javascript:alert(1)": "https://atlas.example/account"} {
		id := strconv.Itoa(len(page))
		about := b.story.Invoice(9, "paid").JSON(stripetest.New)
		about["id"], about["hosted_invoice_url"] = "in_"+id, page
		b.Send(t, stripetest.RawEvent("evt_"+id, stripetest.InvoicePaid, b.Clock.Now(), stripetest.New, map[string]any{"object": about}))
		require.Len(t, b.Deliver(t), 1)
		require.Equal(t, want, mailtest.Link(t, b.Mails.Messages()[0].Text))
	}
}

func TestAmount(t *testing.T) {
	t.Parallel()
	for want, have := range map[string]struct {
		units    int64
		currency string
	}{
		"49.00 USD": {4900, "usd"}, "0.05 EUR": {5, "eur"}, "0.00 USD": {0, "usd"}, "-0.50 USD": {-50, "usd"}, "1,234,567.89 USD": {123456789, "usd"},
		"4,900 JPY": {4900, "jpy"}, "0 JPY": {0, "jpy"}, "1.234 KWD": {1234, "kwd"}, "49.00 UGX": {4900, "ugx"}, "-1,000.00 GBP": {-100000, "gbp"},
		"-92,233,720,368,547,758.08 USD": {-1 << 63, "usd"}, "999.99 USD": {99999, "USD"},
	} {
		require.Equal(t, want, dunning.Amount(have.units, have.currency))
	}
}

// The endpoint starts the run that the schedule starts; only administrators may, also by their keys.
func TestStart(t *testing.T) {
	t.Parallel()
	b := webhooktest.New(t)
	const path = "/v1/admin/jobs/payment-check"
	for _, s := range []httpapitest.Scenario{
		{Status: 401},
		{As: &auth.Principal{Kind: auth.Session, UserID: 1}, Status: 403},
		{As: &auth.Principal{Kind: auth.Key, UserID: 1}, Status: 403},
	} {
		s.Method, s.Path = "POST", path
		b.Host.Do(t, s)
	}
	require.Empty(t, jobstest.Waiting(t, b.DB))
	call := func(kind auth.Kind) jobs.Run {
		t.Helper()
		got := b.Host.Do(t, httpapitest.Scenario{Method: "POST", Path: path, As: &auth.Principal{Kind: kind, UserID: 1, Admin: true}, Status: 202})
		var body struct{ Data jobs.Run }
		require.NoError(t, json.Unmarshal([]byte(got.Body), &body))
		return body.Data
	}
	first := call(auth.Session)
	require.Equal(t, []string{"billing.payment_check", "2026-11-20T09", "accepted"}, []string{first.Job, first.Bucket, first.Status})
	again := call(auth.Key)
	require.Equal(t, "already_started", again.Status)
	require.Contains(t, again.Message, "Nothing was done")
	require.Equal(t, first.StartedAt, again.StartedAt)
	waiting := jobstest.Waiting(t, b.DB)
	require.Len(t, waiting, 1)
	schedule := b.Dunning.Part().Schedules[0]
	require.Equal(t, jobs.Key(schedule.Type, schedule.Bucket(b.Clock.Now())), waiting[0].TaskID, "one run, whoever starts it")
	b.Clock.Move(30 * time.Minute)
	require.Equal(t, "accepted", call(auth.Key).Status, "a new hour")
	b.DB.Close()
	b.Host.Do(t, httpapitest.Scenario{Method: "POST", Path: path, As: &auth.Principal{Kind: auth.Session, UserID: 1, Admin: true}, Status: 503})
}
