package idempotency

import (
	"bytes"
	"context"
	"slices"
	"sync"
	"time"

	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/startstop"
)

const (
	// settleTime bounds one attempt to end an execution. It is separate from the request's limit, which may be used up: that
	// can be why the request failed.
	settleTime = 2 * time.Second
	// retryAfter is the time between attempts while the database is unavailable.
	retryAfter = time.Second
)

// settled ends an execution.
func settled(ctx context.Context, end func(ctx context.Context) error) error {
	return end(database.WithLimit(context.WithoutCancel(ctx), settleTime))
}

// pendingEnd is an execution whose end could not be recorded.
type pendingEnd struct {
	key   []byte    // the hash
	until time.Time // afterwards it is not needed
	end   func(ctx context.Context) error
}

// pendingEnds are the executions of this process whose end is not recorded yet. Otherwise their requests would count as running
// until the lease ends. It is safe for concurrent use.
type pendingEnds struct {
	work  *startstop.Work
	clock clock.Clock
	wake  chan struct{}

	mu  sync.Mutex
	all []*pendingEnd
}

func (p *pendingEnds) init(clk clock.Clock) {
	p.clock, p.wake = clk, make(chan struct{}, 1)
	p.work = startstop.New("the recorder of ended requests", p.run)
}

// add schedules recording the end of an execution.
func (p *pendingEnds) add(one pendingEnd) {
	now := p.clock.Now()
	p.mu.Lock()
	p.all = append(slices.DeleteFunc(p.all, func(old *pendingEnd) bool { return !now.Before(old.until) }), &one)
	p.mu.Unlock()
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// record records the ends of the executions with a key, nil for all keys, up to the first failure.
func (p *pendingEnds) record(ctx context.Context, key []byte) error {
	p.mu.Lock()
	all := slices.Clone(p.all)
	p.mu.Unlock()
	for _, one := range all {
		if key != nil && !bytes.Equal(key, one.key) {
			continue
		}
		if p.clock.Now().Before(one.until) {
			if err := settled(ctx, one.end); err != nil {
				return err
			}
		}
		p.mu.Lock()
		p.all = slices.DeleteFunc(p.all, func(other *pendingEnd) bool { return other == one })
		p.mu.Unlock()
	}
	return nil
}

func (p *pendingEnds) run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-p.wake:
		}
		for p.record(ctx, nil) != nil {
			if clock.Sleep(ctx, retryAfter) != nil {
				return
			}
		}
	}
}
