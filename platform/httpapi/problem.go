package httpapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"gpatlas/platform/apperr"
)

// Problem is the one format of failures.
type Problem struct { //nolint:errname // the name is the schema's too
	Detail string              `json:"detail" doc:"The error, in one sentence." example:"Invalid limit: must be a whole number from 1 to 100"`
	Errors []apperr.FieldError `json:"errors,omitempty" doc:"Every field at fault. Present only if fields are at fault."`
	Code   string              `json:"code,omitempty" doc:"The reason of the refusal, for programs: spending_cap, free_calls, confirmation_required, unbacked_limit or max_charge; of a 410: cursor_expired; of a 503: people_not_read. Absent from most errors." example:"max_charge"`
	Amount float64             `json:"amount,omitempty" doc:"The amount in question, in dollars. Present only if there is one, as for code max_charge." example:"0.5"`
	// OldestCursor is of code cursor_expired.
	OldestCursor string `json:"oldest_cursor,omitempty" doc:"The oldest cursor that can be used. Present only for code cursor_expired." example:"cur_2nYd0b7XQ1mZyX9x3QY6jgAAAAAAABor"`
	status       int
	// retryAfter is how long the caller should wait; 0 = not stated.
	retryAfter time.Duration
}

// Waiter is a cause that knows how long the caller should wait; it sets Retry-After.
type Waiter interface {
	error
	RetryAfter() time.Duration
}

// Error is the public message.
func (p *Problem) Error() string { return p.Detail }

// GetStatus is the HTTP status of the problem.
func (p *Problem) GetStatus() int { return p.status }

// ReadProblem is the error that an operation's response states, for callers in this process.
func ReadProblem(status int, body []byte) *apperr.Error {
	var p Problem
	if err := json.Unmarshal(body, &p); err != nil {
		return apperr.Internal(fmt.Errorf("read a response of status %d: %w", status, err))
	}
	for kind := apperr.KindInternal; kind <= apperr.KindUnavailable; kind++ {
		if Status(kind) == status {
			return &apperr.Error{Kind: kind, Message: p.Detail, Fields: p.Errors, Code: p.Code}
		}
	}
	return apperr.Internal(fmt.Errorf("an operation returned status %d: %s", status, p.Detail))
}

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
	case apperr.KindGone:
		return http.StatusGone
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

// unavailableWait is the Retry-After for something that is unavailable, unless the cause has its own.
const unavailableWait = 5 * time.Second

const internalDetail = "Internal server error"

// NewProblem is the public form of err. The text of an internal error is replaced by a fixed message.
func NewProblem(err error) *Problem {
	e := apperr.From(err)
	if e.Kind == apperr.KindInternal {
		switch {
		case errors.Is(err, context.DeadlineExceeded):
			e = apperr.Unavailable("The request took too long; try again").Wrap(err)
		case errors.Is(err, context.Canceled): // requests are canceled by a stop that has waited long enough
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

// report logs a failure of ours once, with its cause. Faults of the caller are only in the access log.
func report(ctx context.Context, logger *slog.Logger, operation string, p *Problem, err error) {
	switch {
	case p.status == http.StatusServiceUnavailable:
		logger.LogAttrs(ctx, slog.LevelWarn, "request unavailable", slog.String("operation", operation), slog.Any("error", err))
	case p.status >= http.StatusInternalServerError:
		logger.LogAttrs(ctx, slog.LevelError, "request failed", slog.String("operation", operation), slog.Any("error", err))
	}
}

// Explain returns what a page shows about a failure: its status, a message, and how long to wait (0 = not stated). It logs
// failures of ours like those of operations; page names the page there.
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
	huma.DefaultArrayNullable = false // a list is never null here; a test of every response verifies it
	// The document takes the format of errors from here.
	huma.NewError = func(status int, message string, _ ...error) huma.StatusError {
		return &Problem{Detail: message, status: status}
	}
	huma.ValidateStrictCasing = true // otherwise a field in another case would be accepted unchecked
	translateMessages()
}
