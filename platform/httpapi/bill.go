package httpapi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
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

// HeaderCharge is what an answer has cost, in dollars. Each answer of an operation with a price has it, refusals included, and no other
// answer has. headerEstimate is what GET would cost, for HEAD requests. headerTest marks answers to test keys.
const (
	HeaderCharge   = "X-Charge"
	headerEstimate = "X-Charge-Estimate"
	headerTest     = "X-Test-Mode"
	unknownCharge  = "unknown" // of HeaderCharge, where the answer to a charge was lost
)

// pricing makes the bills of one operation.
type pricing struct {
	meter   charge.Meter
	logger  *slog.Logger
	item    charge.Item // what all requests have in common
	subject []string    // path parameters, in the order of the path
	hides   bool        // see HidesMissing
	tagged  bool        // answers carry an entity tag, and may be unchanged
	tagKeys [][]byte    // see Config.TagKeys
}

var pathParameter = regexp.MustCompile(`\{([^}]+)\}`)

// newPricing is nil for an operation without a price.
func newPricing(config Config, logger *slog.Logger, route *Route) *pricing {
	if route.ChargeMicros == 0 {
		return nil
	}
	p := &pricing{meter: config.Meter, logger: logger, hides: route.HidesMissing, tagged: !route.Volatile, tagKeys: config.TagKeys, item: charge.Item{
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
	hides  bool     // whether the thing exists is sold as well
	head   bool
	holds  bool // the caller holds an answer, which may be unchanged
	empty  bool // there is nothing to charge for
	test   bool // the caller has a test key
	again  bool // the request was executed before, and perhaps charged
	// unpaid is why a request would be refused for money that is executed nevertheless (again, holds). Such a request may be
	// free, but must not show what its caller could not pay for.
	unpaid error
	bound  *Bound // the most that the answer may hold and cost, where the exact figures are sold

	estimate string // of a HEAD request: what GET would cost now
}

// open begins the bill of a request; it is nil if nothing has a price.
func (p *pricing) open(c *fiber.Ctx, terms terms) *bill {
	if p == nil {
		return nil
	}
	b := &bill{meter: p.meter, logger: p.logger, item: p.item, terms: terms, hides: p.hides, head: c.Method() == http.MethodHead}
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

// estimates reports whether the price is asked for in place of the answer. Such a request is free.
func (b *bill) estimates() bool { return b.terms.quote || b.head }

// fee reports whether the price is one for each answer, whatever it holds.
func (b *bill) fee() bool { return b.item.Per == charge.PerRequest && b.item.Product == "" }

// free reports whether nothing is charged for the answer. An estimate of a fee never says so: a free response that depends on
// what is found would reveal it, letter by letter.
func (b *bill) free() bool { return b.empty && b.bound == nil && (!b.fee() || !b.estimates()) }

// allow returns why the request may not be served, or nil. A request that was executed before may have been charged: the charge
// finds that out, and is not made again. Quotes and HEAD are free, so a caller who cannot pay is not refused them. A caller who
// cannot pay and holds an answer is served only if that answer is unchanged (see charge).
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

// missing returns the error for a request that found nothing, or whose result is not known yet: 402 if the caller could not have
// paid for a result, else err.
func (b *bill) missing(ctx context.Context, err error) error {
	if b.unpaid != nil || !b.hides || OnlyOwned(ctx) {
		return cmp.Or(b.unpaid, err)
	}
	return cmp.Or(b.refused(ctx, b.item.UnitMicros), err)
}

// sale is what a handler states about the price of its answer.
type sale struct {
	free      bool
	units     []string
	places    []string
	bound     *Bound
	crd       string
	confirmed bool
}

// fill copies to the bill what is sold with the answer.
func (b *bill) fill(s sale) error {
	if len(s.units) > 0 && b.item.Product == "" {
		return fmt.Errorf("the answer of %s delivers units, but the operation sells no product", b.item.Operation)
	}
	if s.confirmed && !b.item.Unlock {
		return fmt.Errorf("the answer of %s is a confirmed purchase, but the operation is no unlock", b.item.Operation)
	}
	b.item.Units = slices.Compact(slices.Sorted(slices.Values(s.units)))
	b.item.Places = slices.Compact(slices.Sorted(slices.Values(s.places)))
	b.item.CRD, b.item.Confirmed = cmp.Or(s.crd, b.item.CRD), s.confirmed
	b.empty, b.bound = s.free || b.item.Quantity() == 0, s.bound
	return nil
}

// charge charges for an answer that is ready to be sent and returns its cost as X-Charge shows it. Nothing is charged for an
// answer that the caller has already (304), that is empty, or that was bought before.
//
// Spec: not shown; HEAD costs nothing, for it delivers no data: with the tag of a bought answer it reports whether that still
// holds, as a 304 does. It is refused where GET is, but never for money. X-Charge-Estimate states what GET would cost.
func (b *bill) charge(ctx context.Context, unchanged bool) (string, error) {
	if b.head {
		quote, err := b.quoted(ctx, unchanged)
		b.estimate = charge.Dollars(quote.Micros)
		return charge.Dollars(0), err
	}
	if unchanged && !b.again {
		return charge.Dollars(0), nil
	}
	if !b.again || b.empty { // what was charged before is not refused
		if err := b.covered(ctx); err != nil {
			return "", err
		}
	}
	if unchanged || b.empty { // otherwise a caller without credit could see that the result is empty
		return charge.Dollars(0), b.unpaid
	}
	receipt, err := b.meter.Charge(ctx, b.item)
	if err != nil && b.unpaid != nil && apperr.From(err).Kind == apperr.KindPaymentRequired {
		err = b.unpaid // in the same words
	}
	if err != nil && b.again && apperr.From(err).Kind == apperr.KindPaymentRequired {
		err = cmp.Or(b.covered(ctx), err)
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

// covered returns 402 if the caller cannot pay the most that the answer may cost. For an empty answer this is the price of one that is
// not empty. The error is the same for both, so that 402 reveals nothing.
func (b *bill) covered(ctx context.Context) error {
	switch {
	case OnlyOwned(ctx) || b.bound == nil && (!b.empty || !b.fee()):
		return nil
	case b.bound == nil:
		return b.refused(ctx, b.item.UnitMicros)
	}
	quote, err := b.quoted(ctx, false)
	if err == nil && quote.Micros > 0 {
		err = b.refused(ctx, quote.Micros)
	}
	if refusal, ok := errors.AsType[*apperr.Error](err); ok && refusal.Kind == apperr.KindPaymentRequired {
		most := *refusal
		most.Message += ". This is the most that the response may cost: people bought elsewhere are free. A request for fewer people costs less"
		return &most
	}
	return err
}

// refused returns why the caller could not pay an amount now, if nothing of it was bought. It reads the account itself: with a remembered
// copy, a caller who lowers the cap between two requests would see which of them finds something.
func (b *bill) refused(ctx context.Context, micros int64) error {
	item := b.item
	item.Product, item.Units, item.Per, item.UnitMicros, item.Now = "", nil, charge.PerRequest, micros, true
	return unrecorded(b.meter.Allow(ctx, item))
}

// quoted returns what the answer would cost now, at most if it has a bound. An answer that is free for all callers costs nothing.
func (b *bill) quoted(ctx context.Context, unchanged bool) (charge.Quote, error) {
	if unchanged || b.free() {
		return charge.Quote{}, nil
	}
	if b.bound == nil {
		quote, err := b.meter.Quote(ctx, b.item)
		return quote, unrecorded(err)
	}
	fee := b.item
	fee.Product, fee.Units, fee.Per = "", nil, charge.PerRequest
	quote, err := b.meter.Quote(ctx, fee)
	if err != nil {
		return quote, unrecorded(err)
	}
	fresh := min(b.bound.Most, b.bound.Fresh)
	quote.Owned = b.bound.Most - fresh
	if quote.Micros > 0 { // this caller pays
		quote.Micros = b.item.Price(fresh)
	}
	return quote, nil
}

// quantity is how many units the answer has, at most if it has a bound.
func (b *bill) quantity() int {
	if b.bound != nil {
		return b.bound.Most
	}
	return b.item.Quantity()
}

// unrecorded makes a meter's failure of no kind a temporary one: the answer may not go out unpaid.
func unrecorded(err error) error {
	if err == nil || apperr.From(err).Kind != apperr.KindInternal {
		return err
	}
	return apperr.Unavailable("The charge for this request could not be recorded; try again").Wrap(err)
}

type billKey struct{}

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
	success.Headers[HeaderCharge] = header
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
			HeaderCharge:   {Description: "0.00: an unchanged result is not charged.", Schema: &huma.Schema{Type: huma.TypeString}},
			headerEstimate: estimate,
			headerTest:     testHeader(),
		}
	}
	if _, free := a.config.Meter.(charge.Free); !free {
		op.Errors = append(op.Errors, http.StatusUnauthorized, http.StatusPaymentRequired, http.StatusServiceUnavailable)
	}
	op.Description = strings.TrimSpace(op.Description + "\n\nCosts " + charge.PriceText(route.ChargeMicros, route.BulkMicros, route.Per) + ".")
	op.Extensions["x-charge-usd"] = float64(route.ChargeMicros) / 1e6
	op.Extensions["x-charge-per"] = route.Per
	if route.BulkMicros > 0 {
		op.Extensions["x-charge-bulk-usd"] = float64(route.BulkMicros) / 1e6
	}
}

// Amounts of the examples of unpaid: less than any price, and two monthly limits.
const (
	shownMaxMicros      = 50_000
	shownCapMicros      = 100_000_000
	shownUnbackedMicros = 25_000_000
)

// unpaid are the refusals for money that an operation can return: one for each code.
func (a *API) unpaid(route *Route) []*Problem {
	price := route.ChargeMicros
	if _, free := a.config.Meter.(charge.Free); free || price == 0 {
		return nil
	}
	problems := []*Problem{
		NewProblem(charge.MaxCharge(price, shownMaxMicros)), NewProblem(charge.AboveCap(price, shownCapMicros, shownCapMicros)),
		NewProblem(charge.Unbacked(price, shownUnbackedMicros, shownUnbackedMicros)),
	}
	if route.Unlock {
		problems = append(problems, NewProblem(charge.Unconfirmed(exampleUnits*price, exampleUnits*price/2)))
	}
	if a.counts(route) {
		problems = append(problems, NewProblem(charge.FreeCallsUsed()))
	}
	return problems
}
