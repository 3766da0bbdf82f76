// Package charge has what operations need of prices: what an operation costs, what a caller was charged for a response, and the
// meter that a billing module implements. Without one everything is free.
package charge

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// The units of prices.
const (
	PerRequest = "request"
	PerPerson  = "person"
)

// Item is what one request asks for and its list price.
type Item struct {
	Operation  string   // the operation's ID, "get-gp-metrics"
	Subject    string   // what was asked for: the values of the path's parameters, "900001"; empty if it has none
	Product    string   // the entitlement that a charge creates, "roster"; empty if a charge buys this one response
	Units      []string // units of the product in the answer (persons), in order, each once; opaque to the meter. Nil before the answer is known
	Places     []string // where the answer names the units, "900001/per_…"; opaque to the meter, which notes them for the account
	Per        string   // PerRequest or PerPerson
	UnitMicros int64    // micro-dollars for one request or person, of the price list
	BulkMicros int64    // unit price where two or more units are new; 0 = UnitMicros, whatever their number
	RequestID  string   // as in X-Request-ID. Callers may choose it, so it does not identify requests
	Execution  string   // ID of the execution of a request with an Idempotency-Key; empty for others. It is charged once
	CRD        string   // the adviser that the request is about; empty if it is not known
	MaxMicros  *int64   // the most that the caller is willing to pay (max_charge); nil = the item's price
	Now        bool     // for Allow: use the account's present state, not the remembered one
	Unlock     bool     // a purchase that the account's one-click settings apply to
	Confirmed  bool     // for an Unlock: the caller confirmed the purchase, regardless of the settings
}

// Quantity is how many times the unit price is due at most: 1 per request, the number of units per person.
func (i Item) Quantity() int {
	if i.Per == PerPerson {
		return len(i.Units)
	}
	return 1
}

// Micros is the item's whole price in micro-dollars, for a caller who owns none of its units: the maximum charge.
func (i Item) Micros() int64 { return i.Price(i.Quantity()) }

// Price is the price in micro-dollars of the units that are new to the caller. A price per request is due once if there is any.
func (i Item) Price(units int) int64 { return int64(i.times(units)) * i.UnitPrice(units) }

// UnitPrice is the price of each unit if a number of them are new.
func (i Item) UnitPrice(units int) int64 {
	if i.BulkMicros > 0 && units >= 2 {
		return i.BulkMicros
	}
	return i.UnitMicros
}

func (i Item) times(units int) int {
	if i.Per == PerPerson {
		return units
	}
	return min(units, 1)
}

// Receipt is what a response cost its caller.
type Receipt struct {
	// Micros is the charge in micro-dollars; 0 with a test key, or for what was bought before.
	Micros int64
	// NewUnits is how many of the item's units the charge entitled to. A count is enough: the response is encoded before the
	// charge and shows for each unit whether it was owned when it was read.
	NewUnits int
	// Earlier: the charge was made in an earlier execution of the request (see Item.Execution), and none was made now.
	Earlier bool
}

// Quote is what an item would cost its caller now.
type Quote struct {
	Micros int64 // what would be charged
	Owned  int   // how many of the item's units the caller owns
}

// Meter charges for the operations that have a price. It finds the payer in the context. All methods refuse with the kinds of
// apperr: unauthenticated (there is no payer), payment required (see Refusal), conflict (see Charge), unavailable (the ledger
// is unavailable). An error without a kind counts as unavailable. Package chargetest has the tests that every meter must pass.
type Meter interface {
	// Allow is called before any work is done, also for requests that turn out to cost nothing (not modified, empty), and
	// writes nothing. item.Units are not known yet.
	//
	// Allow uses a cached state of the caller's account, at most MaxStateAge old: it reads the database at most once in that
	// time for each account, unless item.Now is set. It may therefore allow what Charge refuses. It refuses if one unit no
	// longer fits under the spending cap, for item.MaxMicros, and for an Unlock that is not Confirmed, but only items without a
	// product: units of a product may have been bought before, and are then free even if the cap is reached.
	Allow(ctx context.Context, item Item) error
	// Charge is called when the response is ready, and the response is sent only if it succeeds. It returns when the charge is
	// durable.
	//
	// Under the lock of the caller's account, and in one transaction, it entitles the account to the item's units and charges
	// only for those that the account did not have: UnitMicros for each of them (PerPerson), or once if there is any
	// (PerRequest). An item without units is charged each time. Ledger, spending cap and entitlements change atomically; a
	// charge that does not fit under the cap is refused as a whole. Charge never charges more than item.Micros.
	//
	// An item whose Execution was charged already is not charged again: the receipt is the first one, marked Earlier. A process
	// may be killed, or lose its connection, after the charge and before the answer; the request is then executed again. What
	// it delivers may have changed meanwhile: an item with units that the account does not own is then refused as a conflict.
	//
	// A charge for units, also one of nothing, notes item.Places for the account. They do not change what is charged.
	//
	// A charge above item.MaxMicros is refused (CodeMaxCharge), and so is an Unlock above the account's one-click threshold, or
	// any with one-click off, that is not Confirmed (CodeConfirmation). Both are decided under the lock, by the units that are
	// new then.
	//
	// ErrUnsure means that the charge may have been made, because the answer to its commit was lost. After all other errors it
	// was not.
	//
	// A test key is charged nothing and entitled to nothing.
	Charge(ctx context.Context, item Item) (Receipt, error)
	// Quote returns what Charge would charge for the item now. It writes nothing, and refuses only callers without an account
	// to charge.
	Quote(ctx context.Context, item Item) (Quote, error)
}

// MaxStateAge is the maximum age of the account state that Meter.Allow uses.
const MaxStateAge = time.Second

// Free is the meter of a service without billing: it charges nothing and refuses no caller.
type Free struct{}

// Allow allows everything.
func (Free) Allow(context.Context, Item) error { return nil }

// Quote returns a price of zero.
func (Free) Quote(context.Context, Item) (Quote, error) { return Quote{}, nil }

// Charge charges nothing.
func (Free) Charge(context.Context, Item) (Receipt, error) { return Receipt{}, nil }

// Dollars formats micro-dollars like the header X-Charge: "0.25", with up to six decimals if needed ("0.0125").
func Dollars(micros int64) string {
	sign := ""
	if micros < 0 {
		sign = "-"
	}
	whole, rest := micros/1e6, micros%1e6
	decimals := strings.TrimRight(fmt.Sprintf("%06d", max(rest, -rest)), "0")
	return fmt.Sprintf("%s%d.%s", sign, max(whole, -whole), decimals+"00"[min(len(decimals), 2):])
}

// Pricing is an operation's price in meta.pricing of responses. It is the list price; the charged amount is in the header
// X-Charge.
type Pricing struct {
	Cost        float64 `json:"cost" doc:"USD." example:"0.25"`
	Description string  `json:"description" doc:"The same price in words." example:"$0.25 per request"`
}

// NewPricing is the price of micros micro-dollars per unit ("request", "person").
func NewPricing(micros int64, per string) Pricing {
	return Pricing{Cost: float64(micros) / 1e6, Description: "$" + Dollars(micros) + " per " + per}
}
