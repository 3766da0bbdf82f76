package httpapi

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gofiber/fiber/v2"

	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/charge"
	"gpatlas/platform/log"
)

// headerCharge says, in dollars, what an answer has cost: on each answer of an operation with a price, refusals among them, and on
// nothing else. headerEstimate says to HEAD requests what GET would cost. headerTest marks what a test key was answered.
const (
	headerCharge   = "X-Charge"
	headerEstimate = "X-Charge-Estimate"
	headerTest     = "X-Test-Mode"
)

// pricing makes the bills of one operation.
type pricing struct {
	meter   charge.Meter
	logger  *slog.Logger
	item    charge.Item // what all requests have in common
	subject []string    // path parameters, in the order of the path
	tagged  bool        // answers carry an entity tag, and may be unchanged
	tagKeys [][]byte    // see Config.TagKeys
}

var pathParameter = regexp.MustCompile(`\{([^}]+)\}`)

// newPricing is nil for an operation without a price.
func newPricing(config Config, logger *slog.Logger, route *Route) *pricing {
	if route.ChargeMicros == 0 {
		return nil
	}
	p := &pricing{meter: config.Meter, logger: logger, tagged: !route.Volatile, tagKeys: config.TagKeys, item: charge.Item{
		Operation: route.Operation.OperationID, Product: route.Product, Per: route.Per, UnitMicros: route.ChargeMicros,
		BulkMicros: route.BulkMicros, Unlock: route.Unlock,
	}}
	for _, name := range pathParameter.FindAllStringSubmatch(route.Operation.Path, -1) {
		p.subject = append(p.subject, name[1])
	}
	return p
}

// bill is one request for something that has a price.
type bill struct {
	meter  charge.Meter
	logger *slog.Logger
	item   charge.Item
	terms  terms
	keys   [][]byte // of entity tags
	head   bool
	holds  bool // the caller holds an answer, which may be unchanged
	empty  bool // there is nothing to charge for
	test   bool // the caller has a test key
	again  bool // the request was executed before, and perhaps charged
	// unpaid is why a request that is executed all the same (again, holds) would be refused for money. Such a request may be
	// free, and still must not show what its caller could not pay for.
	unpaid error

	estimate string // of a HEAD request: what GET would cost now
}

// open begins the bill of a request; it is nil where nothing has a price.
func (p *pricing) open(c *fiber.Ctx, terms terms) *bill {
	if p == nil {
		return nil
	}
	b := &bill{meter: p.meter, logger: p.logger, item: p.item, terms: terms, head: c.Method() == http.MethodHead}
	b.holds = p.tagged && (b.head || c.Method() == http.MethodGet) && len(c.Request().Header.Peek(fiber.HeaderIfNoneMatch)) > 0
	b.keys, b.test = p.tagKeys, auth.From(c.UserContext()).Mode == auth.ModeTest
	b.item.RequestID, b.item.MaxMicros = log.RequestID(c.UserContext()), terms.max
	values := make([]string, len(p.subject))
	for i, name := range p.subject {
		values[i] = c.Params(name)
		if plain, err := url.PathUnescape(values[i]); err == nil {
			values[i] = plain
		}
		if name == "crd" {
			b.item.CRD = values[i]
		}
	}
	b.item.Subject = strings.Join(values, "/")
	return b
}

// estimates says whether the price is asked for in place of the answer. Such a request is free.
func (b *bill) estimates() bool { return b.terms.quote || b.head }

// fee says whether the price is one for each answer, whatever it holds.
func (b *bill) fee() bool { return b.item.Per == charge.PerRequest && b.item.Product == "" }

// free says whether nothing is charged for the answer. An estimate of a fee never says so: a free response that depends on what is
// found would reveal it, letter by letter.
func (b *bill) free() bool { return b.empty && (!b.fee() || !b.estimates()) }

// allow asks whether the request may be served at all. A request that was executed before may have been charged: the charge
// itself finds out, which is then not made again and cannot exceed a cap. What one can pay stops neither a quote nor HEAD, which
// are free. Of an answer that may be unchanged it stops all but that (see charge).
func (b *bill) allow(ctx context.Context) error {
	item := b.item
	if b.estimates() {
		item.MaxMicros = nil
	}
	err := unrecorded(b.meter.Allow(ctx, item))
	poor := err != nil && apperr.From(err).Kind == apperr.KindPaymentRequired
	switch {
	case poor && b.estimates():
		return nil
	case poor && (b.holds || b.again):
		b.unpaid = err
		return nil
	case b.again:
		return nil
	}
	return err
}

// missing is what a request for something that is not there is refused with: for money, if its caller could not have paid for what
// is there. hides says whether that matters for an operation; it does for every caller who holds an answer, since other callers are
// refused before anything is looked up.
func (b *bill) missing(ctx context.Context, hides bool, notFound error) error {
	if b.holds && b.unpaid != nil {
		return b.unpaid
	}
	if !hides || b.again || b.estimates() {
		return notFound
	}
	item := b.item
	item.Product = "" // as if nothing of it had been bought
	if err := b.meter.Allow(ctx, item); err != nil {
		return unrecorded(err)
	}
	return notFound
}

// sale is what an answer says of its price.
type sale struct {
	free      bool
	units     []string
	crd       string
	confirmed bool
}

// fill takes from the answer what of it there is to pay for.
func (b *bill) fill(s sale) error {
	if len(s.units) > 0 && b.item.Product == "" {
		return fmt.Errorf("the answer of %s delivers units, but the operation sells no product", b.item.Operation)
	}
	if s.confirmed && !b.item.Unlock {
		return fmt.Errorf("the answer of %s is a confirmed purchase, but the operation is no unlock", b.item.Operation)
	}
	b.item.Units = slices.Compact(slices.Sorted(slices.Values(s.units)))
	b.item.CRD, b.item.Confirmed = cmp.Or(s.crd, b.item.CRD), s.confirmed
	b.empty = s.free || b.item.Quantity() == 0
	return nil
}

// charge charges for an answer that is ready to be sent and returns its cost as X-Charge shows it. Nothing is charged for
// an answer that the caller has already (304), that is empty, or that was bought before.
//
// Spec: not shown; HEAD costs nothing, for it delivers no data: with the tag of a bought answer it says whether that still holds,
// as a 304 does. It is refused where GET is, but not for money: what GET would cost it says in X-Charge-Estimate.
func (b *bill) charge(ctx context.Context, unchanged bool) (string, error) {
	if b.head {
		quote, err := b.quoted(ctx, unchanged)
		b.estimate = charge.Dollars(quote.Micros)
		return charge.Dollars(0), err
	}
	if unchanged && !b.again {
		return charge.Dollars(0), nil
	}
	if unchanged || b.empty { // a free answer to a caller who could not pay for another would show that it is empty
		return charge.Dollars(0), b.unpaid
	}
	receipt, err := b.meter.Charge(ctx, b.item)
	if err != nil && b.unpaid != nil && apperr.From(err).Kind == apperr.KindPaymentRequired {
		err = b.unpaid // in the same words
	}
	if err != nil {
		return "", unrecorded(err)
	}
	if receipt.Earlier { // for another answer, whose price may have been another
		if OnlyOwned(ctx) { // and the caller had it
			receipt.Micros = 0
		}
		return charge.Dollars(receipt.Micros), nil
	}
	most := b.item.Micros()
	if b.item.MaxMicros != nil {
		most = min(most, *b.item.MaxMicros)
	}
	if receipt.Micros > most || receipt.NewUnits > len(b.item.Units) {
		b.logger.ErrorContext(ctx, "the meter charged more than the price of the answer", slog.String("operation", b.item.Operation),
			slog.Int64("charged_micros", receipt.Micros), slog.Int64("price_micros", most),
			slog.Int("new_units", receipt.NewUnits), slog.Int("units", len(b.item.Units)))
	}
	return charge.Dollars(receipt.Micros), nil
}

// quoted asks what the answer would cost now; nothing where it is free whoever asks.
func (b *bill) quoted(ctx context.Context, unchanged bool) (charge.Quote, error) {
	if unchanged || b.free() {
		return charge.Quote{}, nil
	}
	quote, err := b.meter.Quote(ctx, b.item)
	return quote, unrecorded(err)
}

// unrecorded makes a meter's failure of no kind a temporary one: the answer may not go out unpaid.
func unrecorded(err error) error {
	if err == nil || apperr.From(err).Kind != apperr.KindInternal {
		return err
	}
	return apperr.Unavailable("The charge for this request could not be recorded; try again").Wrap(err)
}

type billKey struct{}

// withBill hands an open bill to the code behind huma.
func withBill(ctx huma.Context, b *bill) huma.Context {
	if b == nil {
		return ctx
	}
	return huma.WithValue(ctx, billKey{}, b)
}

func billOf(ctx context.Context) *bill {
	b, _ := ctx.Value(billKey{}).(*bill)
	return b
}

// describeCharge documents an operation's price: the header of its good answers and, where a meter may refuse, how.
func (a *API) describeCharge(op *huma.Operation, route *Route, success *huma.Response) {
	header := &huma.Param{
		Description: "The charge for this response, in dollars. Never more than the price of its contents.",
		Schema:      &huma.Schema{Type: huma.TypeString, Examples: []any{charge.Dollars(route.ChargeMicros)}},
	}
	success.Headers[headerCharge] = header
	estimate := &huma.Param{
		Description: "Present only in responses to HEAD: what the same GET request would cost this caller now, in dollars.",
		Schema:      &huma.Schema{Type: huma.TypeString, Examples: []any{charge.Dollars(route.ChargeMicros)}},
	}
	if op.Method == http.MethodGet {
		success.Headers[headerEstimate] = estimate
	}
	success.Headers[headerTest] = testHeader()
	if unchanged := op.Responses["304"]; unchanged != nil {
		unchanged.Headers = map[string]*huma.Param{
			headerCharge:   {Description: "0.00: an unchanged result is not charged.", Schema: &huma.Schema{Type: huma.TypeString}},
			headerEstimate: estimate,
			headerTest:     testHeader(),
		}
	}
	if _, free := a.config.Meter.(charge.Free); !free {
		op.Errors = append(op.Errors, http.StatusUnauthorized, http.StatusServiceUnavailable)
		op.Responses["402"] = a.unpaid(route,
			"Money alone stands in the way; nothing was charged. code shows the reason: the charge does not fit under the spending cap (spending_cap), the free calls of the account are used up (free_calls), "+
				"the purchase needs a confirmation (confirmation_required), an account without a subscription has reached the limit of a month (unbacked_limit), or the charge is more than max_charge (max_charge).")
	}
	op.Description = strings.TrimSpace(op.Description + "\n\nCosts " + charge.PriceText(route.ChargeMicros, route.BulkMicros, route.Per) + ".")
	op.Extensions["x-charge-usd"] = float64(route.ChargeMicros) / 1e6
	op.Extensions["x-charge-per"] = route.Per
	if route.BulkMicros > 0 {
		op.Extensions["x-charge-bulk-usd"] = float64(route.BulkMicros) / 1e6
	}
}

// unpaid documents the refusal for money of an operation with a price.
func (a *API) unpaid(route *Route, description string) *huma.Response {
	response := problemResponse(http.StatusPaymentRequired, a.huma.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[Problem](), true, "Problem"))
	response.Description = description
	response.Content = withExample(response.Content, &Problem{
		Detail: "The charge would be $" + charge.Dollars(route.ChargeMicros) + ", more than max_charge ($0.05)",
		Code:   charge.CodeMaxCharge, Amount: dollars(route.ChargeMicros),
	})
	return response
}
