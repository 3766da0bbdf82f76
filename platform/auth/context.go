package auth

import "context"

type contextKey struct{}

// callerContext carries a caller with one allocation per request; context.WithValue takes two.
type callerContext struct {
	context.Context
	caller Principal
}

// Value finds the request's caller under its key.
func (c *callerContext) Value(key any) any {
	if _, ok := key.(contextKey); ok {
		return &c.caller
	}
	return c.Context.Value(key)
}

// With returns a context with a copy of the caller.
func With(ctx context.Context, p *Principal) context.Context {
	return &callerContext{Context: ctx, caller: *p}
}

// From is the caller of a request; anonymous if none was set.
func From(ctx context.Context) *Principal {
	if p, ok := ctx.Value(contextKey{}).(*Principal); ok {
		return p
	}
	return &Principal{}
}
