// Package clock is the only code that reads the system time, so that tests can set it.
package clock

import (
	"context"
	"time"
)

// Clock returns the time.
type Clock interface {
	// Now is the current instant in UTC.
	Now() time.Time
}

// Today is the day in UTC, at midnight.
func Today(c Clock) time.Time { return c.Now().UTC().Truncate(24 * time.Hour) }

// DayNumber is the number of an instant's day in UTC: 0 is 1 January 1970.
func DayNumber(t time.Time) int64 { return t.Truncate(24*time.Hour).Unix() / daySeconds }

// DayOf is the day with a number.
func DayOf(number int64) time.Time { return time.Unix(number*daySeconds, 0).UTC() }

const daySeconds = 24 * 60 * 60

// UTC is an optional instant in UTC.
func UTC(t *time.Time) *time.Time {
	if t == nil {
		return nil
	}
	return new(t.UTC())
}

// System is the system's clock.
type System struct{}

// Now is the system's time in UTC.
func (System) Now() time.Time { return time.Now().UTC() }

// Sleep waits by the system's clock. If ctx ends first, it returns ctx's cause.
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

// Fixed is a clock that never moves, for tests.
type Fixed time.Time

// Now is always the same instant.
func (f Fixed) Now() time.Time { return time.Time(f).UTC() }
