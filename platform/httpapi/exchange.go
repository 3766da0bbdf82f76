package httpapi

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"reflect"
	"slices"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humafiber"
	"github.com/gofiber/fiber/v2"

	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/charge"
)

// exchange executes one registered operation: request in, reply or problem out.
type exchange[I, B any] struct {
	api     *API
	route   *Route
	handler func(context.Context, *I) (*Reply[B], error)
	decoder *decoder
	tagged  bool     // responses carry an entity tag
	pricing *pricing // nil: responses are free
}

// output is the response type for huma. describe puts the body's schema into the document.
type output struct {
	Body func(huma.Context)
}

var errNoReply = errors.New("the handler returned neither a reply nor an error")

// serve is huma's last middleware: it answers every request, and huma's own handler is never called. It refuses unauthorized
// callers before anything is decoded. A body is ignored if the operation has none.
func (x *exchange[I, B]) serve(hc huma.Context, _ func(huma.Context)) {
	c := humafiber.UnwrapV2(hc)
	if x.pricing != nil {
		Unsold(c)
	}
	key, fault := x.api.keyOf(c, x.route)
	if err := x.route.admits(auth.From(c.UserContext()), x.api.config.Keyed); err != nil {
		WriteProblem(c, NewProblem(err))
		return
	}
	if refusal := refusalOf(c.UserContext()); refusal != nil && key == "" {
		WriteProblem(c, NewProblem(refusal))
		return
	}
	if x.route.Operation.RequestBody != nil && x.api.config.Unpack != nil {
		if err := x.api.config.Unpack(c); err != nil {
			WriteProblem(c, NewProblem(err))
			return
		}
	}
	if problem := x.decoder.checkBody(c); problem != nil {
		WriteProblem(c, problem)
		return
	}
	in := new(I)
	f := x.decoder.decode(c, reflect.ValueOf(in).Elem())
	if fault != nil {
		f.list = append(f.list, *fault)
	}
	if problem := f.problem(in); problem != nil {
		WriteProblem(c, problem)
		return
	}
	x.run(c.UserContext(), c, key, x.pricing.open(c, f.terms), in)
}

// run executes a request and answers it; one with a key, once.
func (x *exchange[I, B]) run(ctx context.Context, c *fiber.Ctx, key string, bill *bill, in *I) {
	if bill != nil && (bill.terms.quote || bill.head) {
		ctx = context.WithValue(ctx, billKey{}, bill) // for OnlyEstimates
	}
	if c.Method() == http.MethodHead {
		ctx = context.WithValue(ctx, headKey{}, true)
	}
	execute := func(ctx context.Context, e Execution) {
		if bill != nil && e != nil {
			bill.item.Execution, bill.again = e.ID(), e.Again()
		}
		if reply, problem := x.call(ctx, bill, in); problem != nil {
			WriteProblem(c, problem)
		} else {
			x.answer(ctx, c, bill, reply)
		}
	}
	if key == "" {
		execute(ctx, nil)
		return
	}
	x.api.once(ctx, c, x.route, key, execute)
}

// Checked is an input with checks beyond its tags. A request that is refused anyway is also checked for these faults, so that
// its sender gets all faults at once; otherwise the handler checks them.
type Checked interface {
	Faults() []apperr.FieldError
}

// withOwn adds the input's own faults, except for fields that are already faulty: their values cannot be checked.
func withOwn(list []apperr.FieldError, in any) []apperr.FieldError {
	checked, ok := in.(Checked)
	if !ok {
		return list
	}
	for _, own := range checked.Faults() {
		if !slices.ContainsFunc(list, func(f apperr.FieldError) bool { return f.Field == own.Field }) {
			list = append(list, own)
		}
	}
	return list
}

// call runs the handler, unless the meter refuses the request first; failures become a problem and are logged once.
func (x *exchange[I, B]) call(ctx context.Context, bill *bill, in *I) (*Reply[B], *Problem) {
	if bill != nil {
		if err := bill.allow(ctx); err != nil {
			return nil, x.fail(ctx, err)
		}
	}
	reply, err := x.handler(ctx, in)
	if err == nil && reply == nil {
		err = errNoReply
	}
	if err != nil && bill != nil {
		if kind := apperr.From(err).Kind; kind == apperr.KindNotFound || bill.hides && kind == apperr.KindUnavailable {
			if bill.hides && bill.estimates() {
				return &Reply[B]{}, nil
			}
			err = bill.missing(ctx, err)
		}
	}
	if err != nil {
		return nil, x.fail(ctx, err)
	}
	return reply, nil
}

func (x *exchange[I, B]) fail(ctx context.Context, err error) *Problem {
	p := NewProblem(err)
	report(ctx, x.api.logger, x.route.Operation.OperationID, p, err)
	return p
}

func (x *exchange[I, B]) answer(ctx context.Context, c *fiber.Ctx, bill *bill, reply *Reply[B]) {
	status := reply.Status
	if status == 0 {
		status = x.route.Operation.DefaultStatus
	}
	if status >= http.StatusMultipleChoices { // a failure in the usual shape: only 2xx is sold
		bill = nil
	}
	contentType, err := x.route.answerType(reply.ContentType)
	if err == nil {
		r := response[B]{
			Ctx: c, reply: reply, bill: bill, status: status, contentType: contentType, tagged: x.tagged, publicURL: x.api.config.PublicURL,
			broken: func(err error) {
				x.api.logger.LogAttrs(ctx, slog.LevelError, "response broken off", slog.String("operation", x.route.Operation.OperationID), slog.Any("error", err))
			},
		}
		err = r.send(ctx)
	}
	if err != nil {
		if errors.Is(err, charge.ErrUnsure) { // 0.00 could be wrong
			c.Response().Header.Set(HeaderCharge, unknownCharge)
		}
		WriteProblem(c, x.fail(ctx, err))
	}
}

type headKey struct{}

// IsHead reports to a handler of a GET operation whether only the headers of its response are sent (HEAD).
func IsHead(ctx context.Context) bool { return ctx.Value(headKey{}) != nil }
