package dunning

import (
	"context"
	"fmt"
	"strings"

	"gpatlas/modules/billing/internal/mailing"
	"gpatlas/modules/billing/internal/subscription"
	"gpatlas/platform/jobs"
	"gpatlas/templates/email"
)

// MailJob sends a mail about a payment.
const MailJob = "billing.mail_payment"

// receipt is the step of a mail that is about no failure.
const receipt = -1

// accountPage is the target of a link if Stripe has no page of the invoice.
const accountPage = "/account"

// Mail is the payload of MailJob.
type Mail struct {
	Invoice string `json:"invoice"`
	Step    int16  `json:"step"` // of dunning; -1: a receipt
}

func (m Mail) key() string { return fmt.Sprintf("%s:%s:%d", MailJob, m.Invoice, m.Step) }

// Receipt enqueues the receipt of a paid invoice, in the same transaction.
func Receipt(ctx context.Context, queue *jobs.Enqueuer, invoice string) error {
	return enqueue(ctx, queue, Mail{Invoice: invoice, Step: receipt})
}

func enqueue(ctx context.Context, queue *jobs.Enqueuer, m Mail) error {
	return queue.Enqueue(ctx, jobs.Job{Type: MailJob, Payload: m, TaskID: m.key()})
}

// send sends a mail, unless it is outdated: the invoice was paid, or the account wants no receipts.
func (s *Service) send(ctx context.Context, m Mail) error {
	if m.Invoice == "" || m.Step < receipt || m.Step > last {
		return jobs.Never(fmt.Errorf("payload of %s: not an invoice and a step", MailJob))
	}
	if m.Step == receipt {
		return s.sendReceipt(ctx, m)
	}
	o, err := s.store.one(ctx, m.Invoice)
	if err != nil || o == nil {
		return err
	}
	return s.mailer.Send(ctx, o.UserID, m.key(), func(a mailing.Recipient) email.Mail { return o.content(a, m.Step, s.page(o.Page)) })
}

func (s *Service) sendReceipt(ctx context.Context, m Mail) error {
	p, err := s.subscriptions.FindPayment(ctx, m.Invoice)
	if err != nil || p == nil || p.UserID == nil || p.PaidAt == nil || p.AmountCents <= 0 {
		return err
	}
	wanted, err := s.accounts.Find(ctx, *p.UserID, s.clock.Now())
	if err != nil || !wanted.EmailReceipts {
		return err
	}
	return s.mailer.Send(ctx, *p.UserID, m.key(), func(a mailing.Recipient) email.Mail {
		return email.PaymentReceipt{
			FullName: a.FullName, UnsubscribeURL: a.UnsubscribeURL, Amount: Amount(p.AmountCents, p.Currency), PaidAt: *p.PaidAt, InvoiceURL: s.page(p.Page),
		}
	})
}

func (s *Service) page(page *string) string {
	if page == nil {
		return s.mailer.Page(accountPage)
	}
	return *page
}

// content is the mail of a step.
func (o *overdue) content(a mailing.Recipient, step int16, page string) email.Mail {
	amount, ends := Amount(o.AmountCents, o.Currency), o.FailedAt.Add(Reminders[len(Reminders)-1]+Grace)
	if o.Step == last-1 && o.TakenAt != nil {
		ends = o.TakenAt.Add(Grace)
	}
	switch step {
	case 0:
		return email.PaymentFailed{FullName: a.FullName, Amount: amount, FailedAt: o.FailedAt, Gives: o.gives(), EndsAt: ends, PayURL: page}
	case 1:
		return email.PaymentFailedAgain{FullName: a.FullName, Amount: amount, FailedAt: o.FailedAt, Gives: o.gives(), EndsAt: ends, PayURL: page}
	case last:
		return email.PlanEnded{FullName: a.FullName, Amount: amount, FailedAt: o.FailedAt, Gives: o.gives(), PayURL: page}
	default:
		return email.PaymentFailedLast{FullName: a.FullName, Amount: amount, FailedAt: o.FailedAt, Gives: o.gives(), EndsAt: ends, PayURL: page}
	}
}

// gives is what the subscription of an invoice grants: "Pro plan", "Growth API tier"; empty for nothing.
func (o *overdue) gives() string {
	if !subscription.Collects(o.Status, o.CheckoutCompleted, o.Deleted) {
		return ""
	}
	var words []string
	for _, part := range []struct {
		name *string
		kind string
	}{{o.Plan, "plan"}, {o.APITier, "API tier"}} {
		if part.name != nil && *part.name != "" {
			words = append(words, strings.ToUpper((*part.name)[:1])+(*part.name)[1:]+" "+part.kind)
		}
	}
	return strings.Join(words, " and ")
}
