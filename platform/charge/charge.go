// Package charge is the price list's side of an operation: what it costs, what a caller was charged for one answer, and
// the meter that a billing module puts behind it. Without one everything is free.
package charge

import (
	"context"
	"fmt"
	"strings"
)

// What a price is per.
const (
	PerRequest = "request"
	PerPerson  = "person"
)

// Item is what one request asks for and what that costs by the price list.
type Item struct {
	Operation  string // the operation's id, "get-gp-metrics"
	Subject    string // what was asked for: the values of the path's parameters, "900001"; empty where it has none
	Per        string // PerRequest or PerPerson
	Quantity   int    // units delivered; before the answer is known, 1
	UnitMicros int64  // micro-dollars for one unit, of the price list
	RequestID  string // as in X-Request-ID. Callers may choose it: it is no key to tell requests apart by
}

// Micros is the item's whole price in micro-dollars: the most that may be charged for it.
func (i Item) Micros() int64 { return int64(i.Quantity) * i.UnitMicros }

// Receipt is what an answer has cost its caller.
type Receipt struct {
	Micros int64 // micro-dollars; 0 with a test key, or for what was bought before
}

// Meter stands behind the operations that have a price. Who pays it finds in the context. Both methods refuse with the
// kinds of apperr: unauthenticated (there is nobody to charge), payment required (the spending cap), unavailable (the
// ledger is away). An error of no kind counts as unavailable.
type Meter interface {
	// Allow is asked before any work is done, also for requests that turn out to cost nothing (not modified, empty), and
	// writes nothing. It may refuse for the price of one unit; Per tells where the number of units is not known yet.
	Allow(ctx context.Context, item Item) error
	// Charge is called once the answer is there, and the answer is sent only if it succeeds. It returns when the charge
	// is durable: ledger, spending cap and whatever the payment entitles to are one transaction. It never charges more
	// than item.Micros.
	Charge(ctx context.Context, item Item) (Receipt, error)
}

// Free is the meter of a service without billing: it charges nothing and refuses nobody.
type Free struct{}

// Allow allows everything.
func (Free) Allow(context.Context, Item) error { return nil }

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
	Description string  `json:"description" example:"$0.25 per request"`
}

// NewPricing is the price of micros micro-dollars per unit ("request", "person").
func NewPricing(micros int64, per string) Pricing {
	return Pricing{Cost: float64(micros) / 1e6, Description: "$" + Dollars(micros) + " per " + per}
}
