package webhook

import (
	"time"

	"gpatlas/modules/billing/internal/price"
	"gpatlas/modules/billing/internal/subscription"
)

// The objects of events as our own structs: an event has the format of its endpoint's API version, independently of the
// library's. What has two possible places is read from both, and is null if it is in neither.

// checkout is a checkout session.
type checkout struct {
	ID                text     `json:"id"`
	Mode              text     `json:"mode"`
	Customer          ref      `json:"customer"`
	Subscription      ref      `json:"subscription"`
	ClientReferenceID text     `json:"client_reference_id"`
	PaymentStatus     text     `json:"payment_status"`
	Metadata          metadata `json:"metadata"`
	LineItems         struct {
		Data []priced `json:"data"`
	} `json:"line_items"`
}

// entitlement is what the checkout buys. Our checkout stores the price in the session's metadata, because Stripe's event does not
// contain the line items.
func (c checkout) entitlement(prices price.List) price.Entitlement {
	noted, _ := prices.Find(string(c.Metadata.Price))
	entitlements := []price.Entitlement{noted.Entitlement}
	for _, line := range c.LineItems.Data {
		bought, _ := prices.Find(line.id())
		entitlements = append(entitlements, bought.Entitlement)
	}
	return subscription.Best(entitlements...)
}

func (c checkout) key() string { return string(c.ID) }

func (c checkout) subject() subscription.Subject {
	return subscription.Subject{
		Customer: string(c.Customer), Subscription: string(c.Subscription), Account: accountOf(c.Metadata.Account, c.ClientReferenceID),
	}
}

// paid reports whether there is nothing left to pay. A session can be completed with a method of payment that takes days.
func (c checkout) paid() bool {
	return c.PaymentStatus == "paid" || c.PaymentStatus == "no_payment_required"
}

// renewing is a subscription, or one of its items: the place of the period depends on the version of the API.
type renewing struct {
	PeriodStart *int64 `json:"current_period_start"`
	PeriodEnd   *int64 `json:"current_period_end"`
}

// priced is a price in a subscription.
type priced struct {
	renewing

	Price ref `json:"price"`
	Plan  ref `json:"plan"` // the same under its old name
}

func (p priced) id() string {
	if p.Price != "" {
		return string(p.Price)
	}
	return string(p.Plan)
}

// subscribed is a subscription.
type subscribed struct {
	renewing

	ID                text   `json:"id"`
	Customer          ref    `json:"customer"`
	Status            text   `json:"status"`
	CancelAtPeriodEnd bool   `json:"cancel_at_period_end"`
	CancelAt          *int64 `json:"cancel_at"`
	Items             struct {
		Data []priced `json:"data"`
	} `json:"items"`
	Metadata metadata `json:"metadata"`
}

func (s subscribed) key() string { return string(s.ID) }

func (s subscribed) subject() subscription.Subject {
	return subscription.Subject{Customer: string(s.Customer), Subscription: string(s.ID), Account: accountOf(s.Metadata.Account)}
}

// period is the subscription's own, or else that of the first item that has one.
func (s subscribed) period() (start, end *time.Time) {
	for _, r := range append([]renewing{s.renewing}, renewals(s.Items.Data)...) {
		if start, end := unix(r.PeriodStart), unix(r.PeriodEnd); start != nil && end != nil {
			return start, end
		}
	}
	return nil, nil
}

func renewals(items []priced) (list []renewing) {
	for _, item := range items {
		list = append(list, item.renewing)
	}
	return list
}

// update returns the event's data about the subscription, and its prices that are not configured.
func (s subscribed) update(e event, prices price.List) (n subscription.Update, unknown []string) {
	n = subscription.Update{At: e.Created, Status: string(s.Status), CancelAtPeriodEnd: s.CancelAtPeriodEnd, Deleted: e.Type == subscriptionDeleted}
	n.PeriodStart, n.PeriodEnd = s.period()
	// In newer versions of the API an end with the period is a time instead of a flag.
	if at := unix(s.CancelAt); at != nil && n.PeriodEnd != nil && !at.After(*n.PeriodEnd) {
		n.CancelAtPeriodEnd = true
	}
	var entitlements []price.Entitlement
	for _, item := range s.Items.Data {
		found, known := prices.Find(item.id())
		if !known {
			unknown = append(unknown, item.id())
			continue
		}
		entitlements = append(entitlements, found.Entitlement)
	}
	n.Entitlement, n.Unknown = subscription.Best(entitlements...), len(unknown) > 0
	return n, unknown
}

// invoice is an invoice.
type invoice struct {
	ID           text  `json:"id"`
	Customer     ref   `json:"customer"`
	Subscription ref   `json:"subscription"`
	AmountDue    int64 `json:"amount_due"`
	AmountPaid   int64 `json:"amount_paid"`
	Currency     text  `json:"currency"`
	Page         text  `json:"hosted_invoice_url"`
	Details      struct {
		Metadata metadata `json:"metadata"`
	} `json:"subscription_details"`
	Parent struct {
		Details struct {
			Subscription ref      `json:"subscription"`
			Metadata     metadata `json:"metadata"`
		} `json:"subscription_details"`
	} `json:"parent"`
	Metadata metadata `json:"metadata"`
}

func (i invoice) key() string { return string(i.ID) }

func (i invoice) subject() subscription.Subject {
	of := i.Subscription
	if of == "" {
		of = i.Parent.Details.Subscription
	}
	return subscription.Subject{
		Customer: string(i.Customer), Subscription: string(of),
		Account: accountOf(i.Parent.Details.Metadata.Account, i.Details.Metadata.Account, i.Metadata.Account),
	}
}

func (i invoice) bill(e event) subscription.Bill {
	b := subscription.Bill{
		At: e.Created, Paid: e.Type == invoicePaid, AmountCents: i.AmountDue, Currency: string(i.Currency), Page: webAddress(i.Page),
		Subscription: i.subject().Subscription,
	}
	if b.Paid {
		b.AmountCents = i.AmountPaid
	}
	return b
}
