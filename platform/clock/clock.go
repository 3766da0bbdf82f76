// Package clock is the only place that asks the machine what time it is, so that tests can say so instead.
package clock

import "time"

// Clock tells the time.
type Clock interface {
	// Now is the current instant in UTC.
	Now() time.Time
}

// System is the machine's clock.
type System struct{}

// Now is the machine's time in UTC.
func (System) Now() time.Time { return time.Now().UTC() }

// Fixed is a clock that stands still, for tests.
type Fixed time.Time

// Now is always the same instant.
func (f Fixed) Now() time.Time { return time.Time(f).UTC() }
