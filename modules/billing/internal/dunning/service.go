// Package dunning reminds accounts of failed payments, and finally ends what their subscriptions grant. It also sends the
// receipts of payments.
package dunning

import (
	"context"
	"time"

	"gpatlas/modules/billing/internal/account"
	"gpatlas/modules/billing/internal/mailing"
	"gpatlas/modules/billing/internal/subscription"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/jobs"
	"gpatlas/platform/mail"
)

// Job finds failed payments.
const Job = "billing.payment_check"

// Reminders is how long after the first failure each of the mails is sent.
var Reminders = []time.Duration{0, 3 * 24 * time.Hour, 7 * 24 * time.Hour}

// Grace is how long after the last reminder the plan ends.
//
// Spec: not shown; a day, so that there is time to react to the last reminder, even if the check did not run for a week.
const Grace = 24 * time.Hour

// last is the step that ends what the subscription grants; the steps before are the reminders.
const last = subscription.LastStep

// timeout bounds one run of the check.
const timeout = 50 * time.Minute

// Service checks payments.
type Service struct {
	db            *database.DB
	clock         clock.Clock
	queue         *jobs.Enqueuer
	subscriptions *subscription.Service
	accounts      *account.Store
	mailer        *mailing.Mailer
	store         *store
}

// NewService works on db.
func NewService(db *database.DB, clk clock.Clock, queue *jobs.Enqueuer, subscriptions *subscription.Service, mailer *mailing.Mailer) *Service {
	return &Service{
		db: db, clock: clk, queue: queue, subscriptions: subscriptions, accounts: account.NewStore(db), mailer: mailer, store: &store{db},
	}
}

// Checked counts the results of a check.
type Checked struct {
	Reminded int // mails about a failed payment
	Ended    int // subscriptions that no longer grant anything
}

// Check takes the due steps for each overdue invoice, each once. If several are due, because no check ran for some days, one
// mail is sent for all. A step, its consequences and its mail are one transaction. A payment between two checks ends the
// dunning, and the next event of the subscription restores what it grants.
func (s *Service) Check(ctx context.Context) (c Checked, err error) {
	list, err := s.store.all(ctx)
	if err != nil {
		return c, err
	}
	now := s.clock.Now().UTC().Truncate(time.Microsecond) // as the database keeps it
	for _, o := range list {
		if len(o.due(now)) == 0 {
			continue
		}
		err := s.db.InTx(ctx, func(ctx context.Context) error {
			_, err := s.subscriptions.Change(ctx, subscription.Subject{Customer: o.Customer, Subscription: o.Subscription},
				func(ctx context.Context, _ subscription.Owner) error { return s.advance(ctx, o.Invoice, now, &c) })
			return err
		})
		if err != nil {
			return c, err
		}
	}
	return c, nil
}

// due are the steps to take now.
func (o *overdue) due(now time.Time) (steps []step) {
	if o.Step == last-1 && !now.Before(o.TakenAt.Add(Grace)) {
		return []step{{o.Invoice, last, now}}
	}
	for i := o.Step + 1; i < last && !now.Before(o.FailedAt.Add(Reminders[i])); i++ {
		steps = append(steps, step{o.Invoice, i, now})
	}
	return steps
}

// advance takes the steps of an invoice, unless it was paid meanwhile or another check has taken them.
func (s *Service) advance(ctx context.Context, invoice string, now time.Time, c *Checked) error {
	o, err := s.store.one(ctx, invoice)
	if err != nil || o == nil {
		return err
	}
	steps := o.due(now)
	if len(steps) == 0 {
		return nil
	}
	if err := s.store.record(ctx, steps); err != nil {
		return err
	}
	newest := steps[len(steps)-1].Step
	switch {
	case newest < last:
		c.Reminded++
	case o.gives() != "":
		c.Ended++
	default: // nothing to end, so no mail
		return nil
	}
	return enqueue(ctx, s.queue, Mail{Invoice: invoice, Step: newest})
}

// Handlers are the jobs of the slice.
func Handlers(s *Service) []jobs.Handler {
	return []jobs.Handler{
		{Type: Job, Timeout: timeout, Retries: 3, Run: jobs.Plain(s.Check)},
		mail.Job(MailJob, s.send),
	}
}
