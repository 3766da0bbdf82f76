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
	// settleTime bounds one attempt to end an execution. It has its own limit: that of the request may be used up, which is
	// why the request failed.
	settleTime = 2 * time.Second
	// retryAfter is the time between attempts while the database is unavailable.
	retryAfter = time.Second
)

// settled ends an execution.
func settled(ctx context.Context, end func(ctx context.Context) error) error {
	return end(database.WithLimit(context.WithoutCancel(ctx), settleTime))
}

// debt is an execution whose end could not be recorded.
type debt struct {
	key   []byte    // the hash
	until time.Time // afterwards nobody needs it
	end   func(ctx context.Context) error
}

// debts are the executions of this process whose end is still to be recorded. Without it their requests would count as
// running until the lease ends. It is safe for concurrent use.
type debts struct {
	work  *startstop.Work
	clock clock.Clock
	wake  chan struct{}

	mu  sync.Mutex
	all []*debt
}

func (d *debts) init(clk clock.Clock) {
	d.clock, d.wake = clk, make(chan struct{}, 1)
	d.work = startstop.New("the recorder of ended requests", d.run)
}

// owe has the end of an execution recorded later.
func (d *debts) owe(one debt) {
	now := d.clock.Now()
	d.mu.Lock()
	d.all = append(slices.DeleteFunc(d.all, func(old *debt) bool { return !now.Before(old.until) }), &one)
	d.mu.Unlock()
	select {
	case d.wake <- struct{}{}:
	default:
	}
}

// pay records the ends of the executions with a key, nil for all keys, up to the first failure.
func (d *debts) pay(ctx context.Context, key []byte) error {
	d.mu.Lock()
	all := slices.Clone(d.all)
	d.mu.Unlock()
	for _, one := range all {
		if key != nil && !bytes.Equal(key, one.key) {
			continue
		}
		if d.clock.Now().Before(one.until) {
			if err := settled(ctx, one.end); err != nil {
				return err
			}
		}
		d.mu.Lock()
		d.all = slices.DeleteFunc(d.all, func(other *debt) bool { return other == one })
		d.mu.Unlock()
	}
	return nil
}

func (d *debts) run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-d.wake:
		}
		for d.pay(ctx, nil) != nil {
			if clock.Sleep(ctx, retryAfter) != nil {
				return
			}
		}
	}
}
