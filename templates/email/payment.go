package email

import "time"

// Mails about payments through the payment processor.
//
// Spec: not shown; the contents of mails are ours.

// PaymentReceipt confirms that an invoice is paid.
type PaymentReceipt struct {
	FullName   string `mail:"optional"`
	Amount     string // with its currency: "49.00 USD"
	PaidAt     time.Time
	InvoiceURL string

	UnsubscribeURL string `mail:"optional"`
}

// Content is the mail.
func (m PaymentReceipt) Content() (Content, error) { return ready("payment_receipt", m) }

// PaymentFailed tells that a payment failed, on the day.
type PaymentFailed struct {
	FullName string `mail:"optional"`
	Amount   string // with its currency: "49.00 USD"
	FailedAt time.Time
	Gives    string    `mail:"optional"` // what ends if the payment is not made: "Pro plan"; empty: nothing
	EndsAt   time.Time // when it ends
	PayURL   string    // of the page that takes the money, or a new payment method
}

// Content is the mail.
func (m PaymentFailed) Content() (Content, error) { return ready("payment_failed", m) }

// PaymentFailedAgain reminds of it some days later.
type PaymentFailedAgain PaymentFailed

// Content is the mail.
func (m PaymentFailedAgain) Content() (Content, error) { return ready("payment_failed_again", m) }

// PaymentFailedLast is the last reminder, a day before the plan ends.
type PaymentFailedLast PaymentFailed

// Content is the mail.
func (m PaymentFailedLast) Content() (Content, error) { return ready("payment_failed_last", m) }

// PlanEnded tells that a plan has ended because it was not paid for.
type PlanEnded struct {
	FullName string `mail:"optional"`
	Amount   string // that is still to be paid, with its currency
	FailedAt time.Time
	Gives    string // what has ended: "Pro plan"
	PayURL   string // of the page that takes the money
}

// Content is the mail.
func (m PlanEnded) Content() (Content, error) { return ready("plan_ended", m) }
