package stripe

import (
	"context"
	"errors"
	"strconv"
	"time"

	stripego "github.com/stripe/stripe-go/v76"
	"github.com/stripe/stripe-go/v76/billingportal/session"
	checkout "github.com/stripe/stripe-go/v76/checkout/session"
	"github.com/stripe/stripe-go/v76/customer"
	"github.com/stripe/stripe-go/v76/invoiceitem"
	"github.com/stripe/stripe-go/v76/subscription"
)

// metaAccount is the metadata with the account of a Stripe object: the account's number as text. metaMonth is the month of an
// invoice item: "2026-11".
const (
	metaAccount = "account"
	metaMonth   = "month"
	metaPrice   = "price" // of a checkout session: its event does not contain what was bought
)

const pageSize = 100

var errNoID = errors.New("the answer has no ID")

func named(err error, id string) error {
	if err == nil && id == "" {
		return errNoID
	}
	return err
}

func params(ctx context.Context, key string) stripego.Params {
	return stripego.Params{Context: ctx, IdempotencyKey: &key}
}

func listed(ctx context.Context) stripego.ListParams {
	return stripego.ListParams{Context: ctx, Limit: stripego.Int64(pageSize)}
}

func accountText(userID int64) string { return strconv.FormatInt(userID, 10) }

// CreateCustomer makes a customer for an account and returns its ID. Within a day the same key returns the same customer.
func (c *Client) CreateCustomer(ctx context.Context, key string, userID int64, email string) (id string, err error) {
	err = c.call(ctx, "create a customer", func(ctx context.Context) error {
		made, err := customer.Client{B: c.backend, Key: c.key}.New(&stripego.CustomerParams{
			Params: params(ctx, key), Email: &email, Metadata: map[string]string{metaAccount: accountText(userID)},
		})
		id = made.ID
		return named(err, id)
	})
	return id, err
}

// FindCustomer finds the customer that was made for an account with an address; "" for none.
func (c *Client) FindCustomer(ctx context.Context, userID int64, email string) (id string, err error) {
	err = c.call(ctx, "look for a customer", func(ctx context.Context) error {
		list := customer.Client{B: c.backend, Key: c.key}.List(&stripego.CustomerListParams{ListParams: listed(ctx), Email: &email})
		for id == "" && list.Next() {
			if one := list.Customer(); !one.Deleted && one.Metadata[metaAccount] == accountText(userID) {
				id = one.ID
			}
		}
		return list.Err()
	})
	return id, err
}

// Checkout is what a checkout session is made of.
type Checkout struct {
	Key                   string // idempotency
	UserID                int64
	Customer, Price       string
	SuccessURL, CancelURL string
	Coupon                string // for a discount; empty for none
}

// CreateCheckout makes a checkout session for a subscription and returns its ID and the URL of its page. The account is in it
// in three places, so that whichever event comes first identifies it.
func (c *Client) CreateCheckout(ctx context.Context, o Checkout) (id, url string, err error) {
	account := accountText(o.UserID)
	meta := map[string]string{metaAccount: account}
	err = c.call(ctx, "create a checkout session", func(ctx context.Context) error {
		made, err := checkout.Client{B: c.backend, Key: c.key}.New(&stripego.CheckoutSessionParams{
			Params: params(ctx, o.Key), Mode: stripego.String(string(stripego.CheckoutSessionModeSubscription)),
			Customer: &o.Customer, ClientReferenceID: &account, Metadata: map[string]string{metaAccount: account, metaPrice: o.Price},
			SubscriptionData: &stripego.CheckoutSessionSubscriptionDataParams{Metadata: meta},
			LineItems:        []*stripego.CheckoutSessionLineItemParams{{Price: &o.Price, Quantity: stripego.Int64(1)}},
			SuccessURL:       &o.SuccessURL, CancelURL: &o.CancelURL, Discounts: o.discounts(),
		})
		id, url = made.ID, made.URL
		return named(err, id)
	})
	return id, url, err
}

func (o Checkout) discounts() []*stripego.CheckoutSessionDiscountParams {
	if o.Coupon == "" {
		return nil
	}
	return []*stripego.CheckoutSessionDiscountParams{{Coupon: &o.Coupon}}
}

// CreatePortal makes a session of the customer portal and returns the URL of its page.
func (c *Client) CreatePortal(ctx context.Context, key, customerID, returnURL string) (url string, err error) {
	err = c.call(ctx, "create a portal session", func(ctx context.Context) error {
		made, err := session.Client{B: c.backend, Key: c.key}.New(&stripego.BillingPortalSessionParams{
			Params: params(ctx, key), Customer: &customerID, ReturnURL: &returnURL,
		})
		url = made.URL
		return named(err, url)
	})
	return url, err
}

// Subscription is a subscription that has not ended.
type Subscription struct {
	ID, Status string
	Prices     []string
}

// Subscriptions are those of a customer that have not ended, whatever their status; none if the customer does not exist.
func (c *Client) Subscriptions(ctx context.Context, customerID string) (found []Subscription, err error) {
	err = c.call(ctx, "list subscriptions", func(ctx context.Context) error {
		list := subscription.Client{B: c.backend, Key: c.key}.List(&stripego.SubscriptionListParams{ListParams: listed(ctx), Customer: &customerID})
		for list.Next() {
			one := list.Subscription()
			if one.Status == stripego.SubscriptionStatusCanceled || one.Status == stripego.SubscriptionStatusIncompleteExpired {
				continue
			}
			s := Subscription{ID: one.ID, Status: string(one.Status)}
			if one.Items != nil {
				for _, item := range one.Items.Data {
					if item.Price != nil {
						s.Prices = append(s.Prices, item.Price.ID)
					}
				}
			}
			found = append(found, s)
		}
		return list.Err()
	})
	if Missing(err, "customer") {
		return nil, nil
	}
	return found, err
}

// CancelSubscription ends a subscription at once. It is no error if it has ended or does not exist.
func (c *Client) CancelSubscription(ctx context.Context, id string) error {
	err := c.call(ctx, "cancel a subscription", func(ctx context.Context) error {
		// Its idempotency key is new each time: Stripe would repeat a 500 under ours, and canceling twice is harmless.
		_, err := subscription.Client{B: c.backend, Key: c.key}.Cancel(id, &stripego.SubscriptionCancelParams{Params: stripego.Params{Context: ctx}})
		return err
	})
	if Missing(err, "id") || Missing(err, "subscription") {
		return nil
	}
	return err
}

// InvoiceItem is an amount for the customer's next invoice: the charges of an account in a month.
type InvoiceItem struct {
	Key         string // idempotency
	UserID      int64
	Customer    string
	Cents       int64
	Month       time.Time // its first day
	Description string
}

// CreateInvoiceItem makes an invoice item in US dollars and returns its ID.
func (c *Client) CreateInvoiceItem(ctx context.Context, item InvoiceItem) (id string, err error) {
	err = c.call(ctx, "create an invoice item", func(ctx context.Context) error {
		made, err := invoiceitem.Client{B: c.backend, Key: c.key}.New(&stripego.InvoiceItemParams{
			Params: params(ctx, item.Key), Customer: &item.Customer, Amount: &item.Cents, Currency: stripego.String(string(stripego.CurrencyUSD)),
			Description: &item.Description, Metadata: map[string]string{metaAccount: accountText(item.UserID), metaMonth: item.Month.Format("2006-01")},
		})
		id = made.ID
		return named(err, id)
	})
	return id, err
}

// FindInvoiceItem finds the invoice item of an account's month; "" for none.
func (c *Client) FindInvoiceItem(ctx context.Context, customerID string, userID int64, month time.Time) (id string, err error) {
	err = c.call(ctx, "look for an invoice item", func(ctx context.Context) error {
		list := invoiceitem.Client{B: c.backend, Key: c.key}.List(&stripego.InvoiceItemListParams{
			ListParams: listed(ctx), Customer: &customerID, CreatedRange: &stripego.RangeQueryParams{GreaterThanOrEqual: month.Unix()},
		})
		for id == "" && list.Next() {
			if m := list.InvoiceItem().Metadata; m[metaAccount] == accountText(userID) && m[metaMonth] == month.Format("2006-01") {
				id = list.InvoiceItem().ID
			}
		}
		return list.Err()
	})
	return id, err
}
