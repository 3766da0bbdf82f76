package provider

import (
	"context"
	"errors"
	"sync"
	"time"

	"gpatlas/platform/clock"
)

const (
	failuresMax = 3                // in a row, before the provider is left alone
	restFailed  = time.Minute      // after them
	restLimited = time.Minute      // after Limited, where the provider does not say how long
	restRefused = 10 * time.Minute // after OutOfCredit and Unauthorized: the operator has to do something
	restMax     = time.Hour
)

var errResting = errors.New("it failed recently and is not asked for now")

// breaker leaves a provider alone for a while after it has failed.
type breaker struct {
	Provider

	clock clock.Clock

	mu       sync.Mutex
	failures int
	until    time.Time
	kind     Kind
}

// Guard has a provider rest after failures, so that nobody waits for it, and so that it is not pressed.
func Guard(p Provider, clk clock.Clock) Provider { return &breaker{Provider: p, clock: clk} }

// Enrich asks, unless the provider rests: then the failure is that of which it rests.
func (b *breaker) Enrich(ctx context.Context, q Query) (Result, error) {
	if err := b.resting(); err != nil {
		return Result{}, err
	}
	r, err := b.Provider.Enrich(ctx, q)
	if ctx.Err() == nil { // else who asked has gone, and the provider may be well
		b.note(err)
	}
	return r, err
}

func (b *breaker) resting() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if left := b.until.Sub(b.clock.Now()); left > 0 {
		return &Error{Kind: b.kind, RetryAfter: left, cause: errResting}
	}
	return nil
}

func (b *breaker) note(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	var rest time.Duration
	e, _ := errors.AsType[*Error](err)
	switch kind := KindOf(err); {
	case err == nil, kind == NoMatch:
		b.failures = 0
		return
	case kind == Limited && e.RetryAfter > 0:
		rest = min(e.RetryAfter, restMax)
	case kind == Limited:
		rest = restLimited
	case kind == OutOfCredit, kind == Unauthorized:
		rest = restRefused
	default:
		b.failures++
		if b.failures < failuresMax {
			return
		}
		rest = restFailed
	}
	b.failures, b.kind, b.until = 0, KindOf(err), b.clock.Now().Add(rest)
}
