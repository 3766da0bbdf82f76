package log

import "context"

type requestIDKey struct{}

// requestContext carries a request ID with one allocation per request; context.WithValue takes two.
type requestContext struct {
	context.Context
	id string
}

// Value finds the request itself under its key.
func (c *requestContext) Value(key any) any {
	if _, ok := key.(requestIDKey); ok {
		return c
	}
	return c.Context.Value(key)
}

// WithRequestID returns a context whose log lines carry the request id.
func WithRequestID(ctx context.Context, id string) context.Context {
	return &requestContext{Context: ctx, id: id}
}

// RequestID is the request id of a context, or "".
func RequestID(ctx context.Context) string {
	if ctx == nil {
		return ""
	}
	if c, ok := ctx.Value(requestIDKey{}).(*requestContext); ok {
		return c.id
	}
	return ""
}
