package httpapi

import (
	"context"
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
	"gpatlas/platform/charge"
	"gpatlas/platform/log"
)

// headerCharge says, in dollars, what an answer has cost: on each good answer of an operation with a price, and on
// nothing else.
const headerCharge = "X-Charge"

// pricing makes the bills of one operation.
type pricing struct {
	meter   charge.Meter
	logger  *slog.Logger
	item    charge.Item // what all requests have in common
	subject []string    // path parameters, in the order of the path
}

var pathParameter = regexp.MustCompile(`\{([^}]+)\}`)

// newPricing is nil for an operation without a price.
func newPricing(meter charge.Meter, logger *slog.Logger, route *Route) *pricing {
	if route.ChargeMicros == 0 {
		return nil
	}
	p := &pricing{meter: meter, logger: logger, item: charge.Item{
		Operation: route.Operation.OperationID, Product: route.Product, Per: route.Per, UnitMicros: route.ChargeMicros,
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
	head   bool
	free   bool
	again  bool // the request was executed before, and perhaps charged
}

// open begins the bill of a request; it is nil where nothing has a price.
func (p *pricing) open(c *fiber.Ctx) *bill {
	if p == nil {
		return nil
	}
	b := &bill{meter: p.meter, logger: p.logger, item: p.item, head: c.Method() == http.MethodHead}
	b.item.RequestID = log.RequestID(c.UserContext())
	values := make([]string, len(p.subject))
	for i, name := range p.subject {
		values[i] = c.Params(name)
		if plain, err := url.PathUnescape(values[i]); err == nil {
			values[i] = plain
		}
	}
	b.item.Subject = strings.Join(values, "/")
	return b
}

// allow asks whether the request may be served at all. A request that was executed before may have been charged: the charge
// itself finds out, which is then not made again and cannot exceed a cap.
func (b *bill) allow(ctx context.Context) error {
	if b.again {
		return nil
	}
	return unrecorded(b.meter.Allow(ctx, b.item))
}

// fill takes from the answer what of it there is to pay for.
func (b *bill) fill(free bool, units []string) error {
	if len(units) > 0 && b.item.Product == "" {
		return fmt.Errorf("the answer of %s delivers units, but the operation sells no product", b.item.Operation)
	}
	b.free = free
	b.item.Units = slices.Compact(slices.Sorted(slices.Values(units)))
	return nil
}

// charge charges for an answer that is ready to be sent and returns its cost as X-Charge shows it. Nothing is charged for
// an answer that the caller has already (304), that is empty, or that was bought before.
//
// Spec: not shown; HEAD costs nothing, for it delivers no data: its tag tells whether a bought answer still holds, as a
// 304 does. It is refused where GET is.
func (b *bill) charge(ctx context.Context, status int, unchanged bool) (string, error) {
	if unchanged || b.head || b.free || b.item.Quantity() == 0 || status == http.StatusNoContent {
		return charge.Dollars(0), nil
	}
	receipt, err := b.meter.Charge(ctx, b.item)
	if err != nil {
		return "", unrecorded(err)
	}
	if receipt.Micros > b.item.Micros() || receipt.NewUnits > len(b.item.Units) {
		b.logger.ErrorContext(ctx, "the meter charged more than the price of the answer", slog.String("operation", b.item.Operation),
			slog.Int64("charged_micros", receipt.Micros), slog.Int64("price_micros", b.item.Micros()),
			slog.Int("new_units", receipt.NewUnits), slog.Int("units", len(b.item.Units)))
	}
	return charge.Dollars(receipt.Micros), nil
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
	if unchanged := op.Responses["304"]; unchanged != nil {
		unchanged.Headers = map[string]*huma.Param{headerCharge: {Description: "0.00: an unchanged result is not charged.", Schema: &huma.Schema{Type: huma.TypeString}}}
	}
	if _, free := a.config.Meter.(charge.Free); !free {
		op.Errors = append(op.Errors, http.StatusUnauthorized, http.StatusPaymentRequired, http.StatusServiceUnavailable)
	}
	op.Extensions["x-charge-usd"] = float64(route.ChargeMicros) / 1e6
	op.Extensions["x-charge-per"] = route.Per
}
