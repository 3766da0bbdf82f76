package httpapi

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gofiber/fiber/v2"
)

// The query parameters of every operation with a price.
const (
	MaxCharge = "max_charge"
	WantQuote = "quote"
)

// terms are a request's parameters about its price.
type terms struct {
	max   *int64 // the maximum charge, in micro-dollars; nil = no maximum
	quote bool   // the price is requested instead of the response
}

// price makes a decoder accept the parameters of an operation with a price, which are no fields of its input.
func (d *decoder) price(route *Route) error {
	if route.ChargeMicros == 0 {
		return nil
	}
	for _, name := range []string{MaxCharge, WantQuote} {
		if _, taken := d.query.index[name]; taken {
			return fmt.Errorf("httpapi: %s declares the parameter %s, which every operation with a price has", route.Operation.OperationID, name)
		}
		d.query.add(name, len(d.params))
		d.params = append(d.params, param{name: name, in: "query", schema: &huma.Schema{}, term: true})
	}
	return nil
}

// read parses one of the parameters, or returns its fault.
func (t *terms) read(name, text string) (fault string) {
	if name == WantQuote {
		t.quote = text == "true"
		if !t.quote && text != "false" {
			return "must be true or false"
		}
		return ""
	}
	micros, ok := microsOf(text)
	if !ok {
		return "must be an amount in dollars, 0 or more, with at most 6 decimals, such as 0.25"
	}
	t.max = &micros
	return ""
}

// asksQuote reports whether a request asks for a quote, before its parameters are parsed. For faulty requests it may be wrong.
func asksQuote(c *fiber.Ctx, r *Route) bool {
	return r.ChargeMicros > 0 && string(c.Context().QueryArgs().Peek(WantQuote)) == "true"
}

// quoted marks a request that was answered with a quote.
type quoted struct{}

// IsQuote reports whether the response to a request is a quote.
func IsQuote(c *fiber.Ctx) bool { return c.Context().UserValue(quoted{}) != nil }

// microsOf parses dollars such as 12.5 to micro-dollars. It accepts only digits and a point: no sign, no exponent.
func microsOf(text string) (micros int64, ok bool) {
	const places = 6
	whole, decimals, point := strings.Cut(text, ".")
	if whole == "" || point && decimals == "" || len(decimals) > places {
		return 0, false
	}
	v, err := strconv.ParseUint(whole+decimals+strings.Repeat("0", places-len(decimals)), 10, 63)
	return int64(v), err == nil
}

// dollars is an amount for JSON: with exactly the decimals of its micro-dollars, below some billions of dollars.
func dollars(micros int64) float64 { return float64(micros) / 1e6 }

// exampleUnits is how many units the example of max_charge pays for: a list of the sample has several.
const exampleUnits = 10

// describeTerms documents the parameters of an operation with a price.
func describeTerms(op *huma.Operation, route *Route) {
	if route.ChargeMicros == 0 {
		return
	}
	least := 0.0
	op.Parameters = append(op.Parameters,
		&huma.Param{
			Name: MaxCharge, In: "query", Schema: &huma.Schema{Type: huma.TypeNumber, Format: double, Minimum: &least, Examples: []any{dollars(exampleUnits * route.ChargeMicros)}},
			Description: "The most that the response may cost, in dollars with at most 6 decimals. If it costs more, the response is 402 with code max_charge and the amount, and nothing is charged.",
		},
		&huma.Param{
			Name: WantQuote, In: "query", Schema: &huma.Schema{Type: huma.TypeBoolean, Default: false},
			Description: "If true, the response is a quote: what the request would cost this caller now. Nothing is charged, and no data are returned.",
		})
}
