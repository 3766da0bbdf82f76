// Package charge is the price list's side of an operation: what it costs, what a caller was charged for one answer, and
// the meter that a billing module puts behind it. Without one everything is free.
package charge

import "fmt"

// Pricing is an operation's price as answers show it in meta.pricing. It is the price of the list; what was charged for
// the answer stands in the header X-Charge.
type Pricing struct {
	Cost        float64 `json:"cost" doc:"USD." example:"0.25"`
	Description string  `json:"description" example:"$0.25 per request"`
}

// NewPricing is the price of micros micro-dollars per unit ("request", "person").
func NewPricing(micros int64, per string) Pricing {
	return Pricing{Cost: float64(micros) / 1e6, Description: fmt.Sprintf("$%.2f per %s", float64(micros)/1e6, per)}
}
