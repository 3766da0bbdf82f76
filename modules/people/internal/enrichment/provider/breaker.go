package provider

import (
	"context"
	"errors"
	"sync"
	"time"

	"gpatlas/platform/clock"
)

const (
	failuresMax = 3                // consecutive failures before calls are paused
	restFailed  = time.Minute      // pause after failuresMax failures
	restLimited = time.Minute      // pause after Limited if the provider does not state how long
	restRefused = 10 * time.Minute // pause after OutOfCredit and Unauthorized: the operator has to act
	restMax     = time.Hour
)

var errResting = errors.New("it failed recently and is not asked for now")

// breaker pauses calls to a provider after failures.
type breaker struct {
	Provider

	clock clock.Clock

	mu       sync.Mutex
	failures int
	until    time.Time
	kind     Kind
}

// Guard pauses calls to a provider after failures, so that requests do not wait for it and it is not overloaded.
func Guard(p Provider, clk clock.Clock) Provider { return &breaker{Provider: p, clock: clk} }

// Enrich asks, unless the provider is paused: then it returns the failure that caused the pause.
func (b *breaker) Enrich(ctx context.Context, q Query) (Result, error) {
	if err := b.resting(); err != nil {
		return Result{}, err
	}
	r, err := b.Provider.Enrich(ctx, q)
	if ctx.Err() == nil { // otherwise the caller has gone, and the provider may be fine
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
