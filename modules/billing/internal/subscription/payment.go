package subscription

import (
	"time"

	"gpatlas/platform/plaintext"
)

// The statuses of payments.
const (
	paid   = "paid"
	failed = "failed"
)

// Payment is a row of billing.payments: an invoice of Stripe's and whether it is paid. Its contents do not depend on the order
// in which events arrive.
type Payment struct {
	Invoice      string     `gorm:"column:invoice;primaryKey"`
	Customer     string     `gorm:"column:customer"`
	Subscription *string    `gorm:"column:subscription"`
	UserID       *int64     `gorm:"column:user_id"` // nil until an event identifies the account
	Status       string     `gorm:"column:status"`
	AmountCents  int64      `gorm:"column:amount_cents"` // in the smallest unit of Currency
	Currency     string     `gorm:"column:currency"`
	FailedAt     *time.Time `gorm:"column:failed_at"` // of the first failure; nil once it is paid
	PaidAt       *time.Time `gorm:"column:paid_at"`
	Page         *string    `gorm:"column:page"` // where Stripe shows the invoice
	LastEvent    time.Time  `gorm:"column:last_event"`
}

// TableName is the table with its schema.
func (Payment) TableName() string { return "billing.payments" }

// Bill is an event's data about an invoice.
type Bill struct {
	At           time.Time // when it was made, by Stripe's clock
	Paid         bool
	AmountCents  int64 // paid, or due
	Currency     string
	Subscription string
	Page         string
}

// Apply applies an event to the payment, and returns whether it changed. A paid invoice stays paid, whatever the order: Stripe
// collects none twice. The first failure counts, from which dunning is dated, with the amount of the last.
func (p *Payment) Apply(b Bill) bool {
	known := !p.LastEvent.IsZero()
	if known && p.Status == paid {
		return false
	}
	if !b.Paid && known && (p.FailedAt == nil || b.At.Before(*p.FailedAt)) {
		p.FailedAt = &b.At
	}
	if !b.Paid && known && b.At.Before(p.LastEvent) {
		return false
	}
	p.AmountCents, p.Currency, p.Page, p.LastEvent = b.AmountCents, b.Currency, plaintext.Optional(b.Page), b.At
	if b.Subscription != "" {
		p.Subscription = &b.Subscription
	}
	switch {
	case b.Paid:
		p.Status, p.FailedAt, p.PaidAt = paid, nil, &b.At
	case !known:
		p.Status, p.FailedAt = failed, &b.At
	}
	return true
}
