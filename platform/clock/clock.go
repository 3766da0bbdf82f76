// Package clock is the only place that asks the machine what time it is, so that tests can say so instead.
package clock

import (
	"context"
	"time"
)

// Clock tells the time.
type Clock interface {
	// Now is the current instant in UTC.
	Now() time.Time
}

// System is the machine's clock.
type System struct{}

// Now is the machine's time in UTC.
func (System) Now() time.Time { return time.Now().UTC() }

// Sleep waits by the machine's clock. When ctx ends first, the error is why it did.
func Sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-t.C:
		return nil
	}
}

// Fixed is a clock that stands still, for tests.
type Fixed time.Time

// Now is always the same instant.
func (f Fixed) Now() time.Time { return time.Time(f).UTC() }
