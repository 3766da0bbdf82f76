// Package charge is the price list's side of an operation: what it costs, what a caller was charged for one answer, and
// the meter that a billing module puts behind it. Without one everything is free.
package charge

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// What a price is per.
const (
	PerRequest = "request"
	PerPerson  = "person"
)

// Item is what one request asks for and what that costs by the price list.
type Item struct {
	Operation  string   // the operation's ID, "get-gp-metrics"
	Subject    string   // what was asked for: the values of the path's parameters, "900001"; empty where it has none
	Product    string   // what a charge entitles to, "roster"; empty where a charge buys this one answer and entitles to nothing
	Units      []string // units of the product in the answer (persons), in order, each once; opaque to the meter. Nil before the answer is known
	Per        string   // PerRequest or PerPerson
	UnitMicros int64    // micro-dollars for one request or person, of the price list
	BulkMicros int64    // unit price where two or more units are new; 0 = UnitMicros, whatever their number
	RequestID  string   // as in X-Request-ID. Callers may choose it: it is no key to tell requests apart by
	Execution  string   // ID of the execution of a request with an Idempotency-Key; empty for others. It is charged once
	CRD        string   // the adviser that was asked about; empty where it is not known
	MaxMicros  *int64   // the most that the caller is willing to pay (max_charge); nil = the item's price
	Now        bool     // of Allow: the account is looked at as it is now, whatever the meter remembers
	Unlock     bool     // a purchase that the account's one-click settings apply to
	Confirmed  bool     // of an Unlock: the caller confirmed the purchase, whatever the settings say
}

// Quantity is how many times the unit price is to be paid at most: 1 per request, the number of units per person.
func (i Item) Quantity() int {
	if i.Per == PerPerson {
		return len(i.Units)
	}
	return 1
}

// Micros is the item's whole price in micro-dollars, the price of a caller who owns none of its units: the most that may
// be charged for it.
func (i Item) Micros() int64 { return i.Price(i.Quantity()) }

// Price is the price in micro-dollars of some of the units, those that are new to the caller. A price per request is due once
// where there is any.
func (i Item) Price(units int) int64 { return int64(i.times(units)) * i.UnitPrice(units) }

// UnitPrice is what each unit costs where some number of them are new.
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

// Receipt is what an answer has cost its caller.
type Receipt struct {
	// Micros is the charge in micro-dollars; 0 with a test key, or for what was bought before.
	Micros int64
	// NewUnits is how many of the item's units the charge entitled to. It is a count: the answer is encoded before it is
	// charged for and says for each unit whether it was owned when it was read, so nobody needs to know which they are.
	NewUnits int
	// Earlier: the charge was made when the request was executed before (see Item.Execution), and none was made now.
	Earlier bool
}

// Quote is what an item would cost its caller now.
type Quote struct {
	Micros int64 // what would be charged
	Owned  int   // how many of the item's units the caller owns
}

// Meter stands behind the operations that have a price. Who pays it finds in the context. All methods refuse with the
// kinds of apperr: unauthenticated (there is nobody to charge), payment required (see Refusal), conflict (see Charge),
// unavailable (the ledger is unavailable). An error of no kind counts as unavailable. Package chargetest has the tests that every meter
// must pass.
type Meter interface {
	// Allow is asked before any work is done, also for requests that turn out to cost nothing (not modified, empty), and
	// writes nothing. item.Units are not known yet.
	//
	// Allow answers from the state of the caller's account that the meter remembers, which is at most MaxStateAge old: it
	// visits the database at most once in that time for each account, and not for each request, unless item.Now. It may therefore allow
	// what Charge refuses. It refuses for the spending cap where one unit no longer fits, and for item.MaxMicros, but only items
	// without a product: the units of a product may have been bought before, and those are free when the cap is reached as well.
	Allow(ctx context.Context, item Item) error
	// Charge is called once the answer is there, and the answer is sent only if it succeeds. It returns when the charge
	// is durable.
	//
	// Under the lock of the caller's account, and in one transaction, it entitles the account to the item's units and
	// charges only for those that the account did not have: UnitMicros for each of them (PerPerson), or once where there
	// is any (PerRequest). An item without units is charged each time. Ledger, spending cap and entitlements change
	// together or not at all; a charge that does not fit under the cap is refused as a whole. Charge never charges more
	// than item.Micros.
	//
	// An item whose Execution was charged already is not charged again: the receipt is that of the first time, marked Earlier. A
	// process may be killed, or lose its connection, after the charge and before the answer; the request is then executed again.
	// What it delivers may have changed meanwhile: an item with units that the account does not own is then refused as a conflict.
	//
	// A charge above item.MaxMicros is refused (CodeMaxCharge), and so is an Unlock above the account's one-click threshold, or
	// any with one-click off, that is not Confirmed (CodeConfirmation). Both are decided under the lock, by what is new then.
	//
	// An error after which the charge may stand, because the answer to its commit was lost, is ErrUnsure. After all others it does not.
	//
	// A test key is charged nothing and entitled to nothing.
	Charge(ctx context.Context, item Item) (Receipt, error)
	// Quote says what Charge would charge for the item now. It writes nothing, and refuses nothing but callers whom there is
	// nobody to charge for.
	Quote(ctx context.Context, item Item) (Quote, error)
}

// MaxStateAge is how old the account state may be from which Meter.Allow answers.
const MaxStateAge = time.Second

// Free is the meter of a service without billing: it charges nothing and refuses nobody.
type Free struct{}

// Allow allows everything.
func (Free) Allow(context.Context, Item) error { return nil }

// Quote says that it costs nothing.
func (Free) Quote(context.Context, Item) (Quote, error) { return Quote{}, nil }

// Charge charges nothing.
func (Free) Charge(context.Context, Item) (Receipt, error) { return Receipt{}, nil }

// Dollars writes micro-dollars as the header X-Charge does: "0.25", with further decimals, six at most, where they are
// needed ("0.0125").
func Dollars(micros int64) string {
	sign := ""
	if micros < 0 {
		sign = "-"
	}
	whole, rest := micros/1e6, micros%1e6
	decimals := strings.TrimRight(fmt.Sprintf("%06d", max(rest, -rest)), "0")
	return fmt.Sprintf("%s%d.%s", sign, max(whole, -whole), decimals+"00"[min(len(decimals), 2):])
}

// Pricing is an operation's price as answers show it in meta.pricing. It is the price of the list; what was charged for
// the answer stands in the header X-Charge.
type Pricing struct {
	Cost        float64 `json:"cost" doc:"USD." example:"0.25"`
	Description string  `json:"description" doc:"The same price in words." example:"$0.25 per request"`
}

// NewPricing is the price of micros micro-dollars per unit ("request", "person").
func NewPricing(micros int64, per string) Pricing {
	return Pricing{Cost: float64(micros) / 1e6, Description: "$" + Dollars(micros) + " per " + per}
}
