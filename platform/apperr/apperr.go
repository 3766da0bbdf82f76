// Package apperr is the common vocabulary of failures: a kind that decides the HTTP status, a message that the caller may read,
// and a cause that is only logged. Services return these; httpapi maps them once.
package apperr

import (
	"errors"
	"fmt"
)

// Kind is the sort of failure; httpapi maps it to a status.
type Kind int

// The kinds, each with the status that it becomes.
const (
	KindInternal         Kind = iota // 500: a fault of ours; its text is never shown
	KindInvalid                      // 400: the request is malformed; Fields name where
	KindUnauthenticated              // 401: no credential, or a wrong one
	KindPaymentRequired              // 402: only payment is missing
	KindForbidden                    // 403: a valid credential without permission
	KindNotFound                     // 404: not there, or not yours
	KindMethodNotAllowed             // 405: the path exists, the verb does not
	KindConflict                     // 409: the state forbids it
	KindGone                         // 410: it was there, and is there no longer
	KindTooLarge                     // 413: the body is over its limit
	KindUnsupported                  // 415: the media type of the body is not supported
	KindUnprocessable                // 422: an idempotency key reused with another body
	KindRateLimited                  // 429: too many requests
	KindUnavailable                  // 503: something we depend on is unavailable; try again
)

// FieldError is the name of a faulty field, and its fault.
type FieldError struct {
	Field   string `json:"field" doc:"Name of the parameter or header, or path of the field in the body. body is the body as a whole."`
	Message string `json:"message" doc:"What is wrong with it, and what would be accepted."`
}

// Error is a failure with a public message. Its cause is logged and never shown.
type Error struct {
	Kind    Kind
	Message string
	Fields  []FieldError
	// Code is a machine-readable code; empty for most errors. AmountMicros is the amount of a refusal for money, in
	// micro-dollars.
	Code         string
	AmountMicros int64
	cause        error
}

// Error is the public message followed by the cause: it is for logs, never for responses.
func (e *Error) Error() string {
	if e.cause != nil {
		return e.Message + ": " + e.cause.Error()
	}
	return e.Message
}

// Unwrap returns the cause to errors.Is and errors.As.
func (e *Error) Unwrap() error { return e.cause }

// Wrap returns a copy of e that carries cause for the log.
func (e *Error) Wrap(cause error) *Error {
	c := *e
	c.cause = cause
	return &c
}

// New builds an error of a kind with a formatted public message.
func New(kind Kind, format string, args ...any) *Error {
	return &Error{Kind: kind, Message: fmt.Sprintf(format, args...)}
}

// Invalid reports all faulty fields at once. The message is made from the first of them.
func Invalid(fields ...FieldError) *Error {
	message := "The request is invalid"
	if len(fields) > 0 {
		message = "Invalid " + fields[0].Field + ": " + fields[0].Message
	}
	return &Error{Kind: KindInvalid, Message: message, Fields: fields}
}

// NotFound is the error for something that does not exist, or is not the caller's, which looks the same.
func NotFound(format string, args ...any) *Error { return New(KindNotFound, format, args...) }

// Unavailable is the error for something we depend on that is unavailable; the caller may try again.
func Unavailable(format string, args ...any) *Error { return New(KindUnavailable, format, args...) }

// Internal hides cause behind a fixed message.
func Internal(cause error) *Error {
	return New(KindInternal, "Internal server error").Wrap(cause)
}

// From finds the Error in err's chain; an error without one is Internal.
func From(err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	return Internal(err)
}
