package stripetest

import (
	"strconv"
	"time"
)

// Shape is the format of objects: it depends on the version of Stripe's API.
type Shape int

// The shapes.
const (
	Old Shape = iota // 2023-10-16: a subscription has current_period_end, an invoice has subscription
	New              // since 2025-03-31: the items have current_period_end, the invoice has parent
)

func (s Shape) version() string {
	if s == New {
		return "2025-09-30.clover"
	}
	return "2023-10-16"
}

// Object is something of Stripe's.
type Object interface {
	// JSON is the object as Stripe writes it.
	JSON(shape Shape) map[string]any
}

// Customer is a customer.
type Customer struct {
	ID, Email string
	Metadata  map[string]string
}

// JSON writes it.
func (c *Customer) JSON(Shape) map[string]any {
	return map[string]any{"id": c.ID, "object": "customer", "email": c.Email, "metadata": plain(c.Metadata), "livemode": false}
}

// Session is a checkout session. Subscription is empty until it is completed.
type Session struct {
	ID, Customer, Subscription, ClientReferenceID, Price string
	Coupon                                               string // of its discount
	Status                                               string // open, complete, expired
	PaymentStatus                                        string // paid, unpaid, no_payment_required
	SuccessURL, CancelURL                                string
	Metadata, SubscriptionMetadata                       map[string]string
}

// JSON writes it. Stripe does not include the price here.
func (s *Session) JSON(Shape) map[string]any {
	return map[string]any{
		"id": s.ID, "object": "checkout.session", "mode": "subscription", "customer": orNull(s.Customer), "subscription": orNull(s.Subscription),
		"client_reference_id": orNull(s.ClientReferenceID), "status": s.Status, "payment_status": s.PaymentStatus, "metadata": plain(s.Metadata),
		"success_url": s.SuccessURL, "cancel_url": orNull(s.CancelURL), "url": "https://checkout.stripe.example/c/pay/" + s.ID, "livemode": false,
	}
}

// Subscription is a subscription to one price or more.
type Subscription struct {
	ID, Customer, Status string
	Prices               []string
	Start, End           time.Time // of the current period
	CancelAtPeriodEnd    bool
	Metadata             map[string]string
}

// JSON writes it.
func (s *Subscription) JSON(shape Shape) map[string]any {
	items := make([]any, len(s.Prices))
	for i, price := range s.Prices {
		item := map[string]any{
			"id": "si_" + s.ID + "_" + strconv.Itoa(i), "object": "subscription_item", "quantity": 1, "subscription": s.ID,
			"price": map[string]any{"id": price, "object": "price", "currency": "usd", "type": "recurring"},
		}
		if shape == New {
			item["current_period_start"], item["current_period_end"] = s.Start.Unix(), s.End.Unix()
		}
		items[i] = item
	}
	o := map[string]any{
		"id": s.ID, "object": "subscription", "customer": s.Customer, "status": s.Status, "cancel_at_period_end": s.CancelAtPeriodEnd,
		"metadata": plain(s.Metadata), "items": list("/v1/subscription_items?subscription="+s.ID, items), "livemode": false,
	}
	if shape == Old {
		o["current_period_start"], o["current_period_end"] = s.Start.Unix(), s.End.Unix()
	}
	return o
}

// Invoice is an invoice. Metadata is the subscription's.
type Invoice struct {
	ID, Customer, Subscription string
	Status                     string // open, paid
	AmountCents                int64
	Currency                   string // usd if empty
	Metadata                   map[string]string
}

// JSON writes it.
func (i *Invoice) JSON(shape Shape) map[string]any {
	currency := i.Currency
	if currency == "" {
		currency = "usd"
	}
	paid := int64(0)
	if i.Status == "paid" {
		paid = i.AmountCents
	}
	o := map[string]any{
		"id": i.ID, "object": "invoice", "customer": i.Customer, "status": i.Status, "currency": currency, "livemode": false,
		"amount_due": i.AmountCents, "amount_paid": paid, "amount_remaining": i.AmountCents - paid, "metadata": map[string]any{},
	}
	details := any(nil)
	if i.Subscription != "" {
		details = map[string]any{"metadata": plain(i.Metadata), "subscription": i.Subscription}
	}
	if shape == Old {
		o["subscription"], o["paid"] = orNull(i.Subscription), i.Status == "paid"
		if details != nil {
			details = map[string]any{"metadata": plain(i.Metadata)}
		}
		o["subscription_details"] = details
	} else {
		o["parent"] = nil
		if details != nil {
			o["parent"] = map[string]any{"type": "subscription_details", "quote_details": nil, "subscription_details": details}
		}
	}
	return o
}

// InvoiceItem is a line that waits for the customer's next invoice.
type InvoiceItem struct {
	ID, Customer, Currency, Description string
	AmountCents                         int64
	Metadata                            map[string]string
}

// JSON writes it.
func (i *InvoiceItem) JSON(Shape) map[string]any {
	return map[string]any{
		"id": i.ID, "object": "invoiceitem", "customer": i.Customer, "currency": i.Currency, "amount": i.AmountCents,
		"description": i.Description, "metadata": plain(i.Metadata), "invoice": nil, "livemode": false,
	}
}

func list(url string, data []any) map[string]any {
	return map[string]any{"object": "list", "url": url, "has_more": false, "data": data}
}

func orNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}

func plain(m map[string]string) map[string]any {
	o := map[string]any{}
	for k, v := range m {
		o[k] = v
	}
	return o
}
