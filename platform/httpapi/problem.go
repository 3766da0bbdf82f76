package httpapi

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"gpatlas/platform/apperr"
)

// Problem is the one shape of every failure.
type Problem struct { //nolint:errname // the name is the schema's too
	Detail string              `json:"detail" doc:"The error, in one sentence." example:"Invalid limit: must be a whole number from 1 to 100"`
	Errors []apperr.FieldError `json:"errors,omitempty" doc:"Every field at fault. Present only if fields are at fault."`
	Code   string              `json:"code,omitempty" doc:"The reason of the refusal, for programs: spending_cap, free_calls, confirmation_required, unbacked_limit or max_charge; of a 503: people_not_read. Absent from most errors." example:"max_charge"`
	Amount float64             `json:"amount,omitempty" doc:"The amount in question, in dollars. Present only if there is one, as for code max_charge." example:"0.5"`
	status int
	// retryAfter is how long the caller should wait; 0 = not said.
	retryAfter time.Duration
}

// Waiter is a cause that knows how long the caller should wait: the answer says so in Retry-After.
type Waiter interface {
	error
	RetryAfter() time.Duration
}

// Error is the public sentence.
func (p *Problem) Error() string { return p.Detail }

// GetStatus is the HTTP status that the problem is answered with.
func (p *Problem) GetStatus() int { return p.status }

// Status is the HTTP status of a kind of failure.
func Status(kind apperr.Kind) int {
	switch kind {
	case apperr.KindInvalid:
		return http.StatusBadRequest
	case apperr.KindUnauthenticated:
		return http.StatusUnauthorized
	case apperr.KindPaymentRequired:
		return http.StatusPaymentRequired
	case apperr.KindForbidden:
		return http.StatusForbidden
	case apperr.KindNotFound:
		return http.StatusNotFound
	case apperr.KindMethodNotAllowed:
		return http.StatusMethodNotAllowed
	case apperr.KindConflict:
		return http.StatusConflict
	case apperr.KindTooLarge:
		return http.StatusRequestEntityTooLarge
	case apperr.KindUnsupported:
		return http.StatusUnsupportedMediaType
	case apperr.KindUnprocessable:
		return http.StatusUnprocessableEntity
	case apperr.KindRateLimited:
		return http.StatusTooManyRequests
	case apperr.KindUnavailable:
		return http.StatusServiceUnavailable
	case apperr.KindInternal:
		return http.StatusInternalServerError
	default:
		return http.StatusInternalServerError
	}
}

// unavailableWait is what the caller of something that is unavailable is told to wait, where its cause does not know better.
const unavailableWait = 5 * time.Second

const internalDetail = "Internal server error"

// NewProblem is the public face of err. The text of an internal error is replaced by a fixed sentence.
func NewProblem(err error) *Problem {
	e := apperr.From(err)
	if e.Kind == apperr.KindInternal {
		switch {
		case errors.Is(err, context.DeadlineExceeded):
			e = apperr.Unavailable("The request took too long; try again").Wrap(err)
		case errors.Is(err, context.Canceled): // requests are cancelled by a stop that has waited long enough
			e = apperr.Unavailable("The service is stopping; try again").Wrap(err)
		}
	}
	p := &Problem{Detail: e.Message, Errors: e.Fields, Code: e.Code, Amount: dollars(e.AmountMicros), status: Status(e.Kind)}
	if p.status == http.StatusInternalServerError {
		p.Detail, p.Errors, p.Code, p.Amount = internalDetail, nil, "", 0
	}
	if w, ok := errors.AsType[Waiter](err); ok {
		p.retryAfter = w.RetryAfter()
	} else if e.Kind == apperr.KindUnavailable {
		p.retryAfter = unavailableWait
	}
	return p
}

// report logs a failure of ours, once, with its cause. What the caller did wrong is in the access log and no more.
func report(ctx context.Context, logger *slog.Logger, operation string, p *Problem, err error) {
	switch {
	case p.status == http.StatusServiceUnavailable:
		logger.LogAttrs(ctx, slog.LevelWarn, "request unavailable", slog.String("operation", operation), slog.Any("error", err))
	case p.status >= http.StatusInternalServerError:
		logger.LogAttrs(ctx, slog.LevelError, "request failed", slog.String("operation", operation), slog.Any("error", err))
	}
}

// Explain is what a page says of a failure: its status, a sentence, and how long to wait (0 = not said). It logs failures of
// ours as those of operations are logged; page names the page there.
func Explain(ctx context.Context, logger *slog.Logger, page string, err error) (status int, detail string, wait time.Duration) {
	p := NewProblem(err)
	report(ctx, logger, page, p, err)
	return p.status, p.Detail, p.retryAfter
}

func invalid(fields []apperr.FieldError) *Problem {
	e := apperr.Invalid(fields...)
	return &Problem{Detail: e.Message, Errors: e.Fields, status: http.StatusBadRequest}
}

// huma keeps its error constructors in globals: they are set once, before anything can be registered.
func init() {
	huma.DefaultArrayNullable = false // a list is never null here; a test of every response sees to it
	// The document has the shape of errors from here.
	huma.NewError = func(status int, message string, _ ...error) huma.StatusError {
		return &Problem{Detail: message, status: status}
	}
	huma.ValidateStrictCasing = true // or a field in other letters would be taken unchecked
	translateMessages()
}
