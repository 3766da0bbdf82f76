package provider

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"gpatlas/platform/clock"
	"gpatlas/platform/httpclient"
)

const (
	bytesMax  = 1 << 20
	attempts  = 2
	perSecond = 10
)

// Client sends queries to providers.
type Client interface {
	Send(ctx context.Context, q httpclient.Request) (httpclient.Answer, error)
}

// NewClient makes a client for one provider. timeout limits one query including retries.
func NewClient(timeout time.Duration, clk clock.Clock, log *slog.Logger) *httpclient.Client {
	return httpclient.New(httpclient.Config{
		UserAgent: "GP Atlas", Timeout: timeout, BytesMax: bytesMax, Attempts: attempts, PerSecond: perSecond,
	}, nil, clk, log)
}

// ask sends a query and decodes the answer.
func ask[T any](ctx context.Context, client Client, q httpclient.Request) (T, error) {
	var into T
	answer, err := client.Send(ctx, q)
	if err != nil {
		return into, failure(err)
	}
	if json.Unmarshal(answer.Body, &into) != nil { // the error text may repeat the response
		return into, &Error{Kind: Malformed, cause: errNotJSON}
	}
	return into, nil
}

var (
	errNotJSON    = errors.New("the response is not the JSON that was expected")
	errIncomplete = errors.New("the response lacks what it must have")
)

// failure maps a failure of the client to a Kind.
func failure(err error) *Error {
	e := &Error{Kind: Malformed, cause: err}
	status, answered := errors.AsType[*httpclient.StatusError](err)
	switch {
	case answered:
		e.Kind = kindOf(status.Status)
	case errors.Is(err, httpclient.ErrBusy):
		e.Kind = Limited
	case httpclient.Passing(err), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		e.Kind = Away
	}
	if passing, ok := errors.AsType[*httpclient.TransientError](err); ok && e.Kind == Limited {
		e.RetryAfter = passing.After
	}
	return e
}

func kindOf(status int) Kind {
	switch status {
	case http.StatusNotFound, http.StatusNoContent, http.StatusUnavailableForLegalReasons: // the last one: the person has opted out there
		return NoMatch
	case http.StatusUnauthorized, http.StatusForbidden:
		return Unauthorized
	case http.StatusPaymentRequired:
		return OutOfCredit
	case http.StatusTooManyRequests:
		return Limited
	case http.StatusRequestTimeout:
		return Away
	}
	if status >= http.StatusInternalServerError {
		return Away
	}
	return Malformed // one side did not understand the other
}
