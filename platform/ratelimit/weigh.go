package ratelimit

import "context"

type weigherKey struct{}

// WithWeigher lets operations weigh the request of a context: see Weigh.
func WithWeigher(ctx context.Context, weigh func(weight int64) error) context.Context {
	return context.WithValue(ctx, weigherKey{}, weigh)
}

// Weigh counts the request of ctx as weight requests. An operation calls it before work that takes as long as so many requests, and returns its
// error, of kind rate limited, unchanged. It does nothing where the request is not limited.
func Weigh(ctx context.Context, weight int64) error {
	weigh, limited := ctx.Value(weigherKey{}).(func(weight int64) error)
	if !limited || weight <= 1 {
		return nil
	}
	return weigh(weight)
}
