// Package clocktest has a clock for tests that move time: it stands still until the test moves it, and Sleep moves it without
// waiting. [clock.Fixed] is enough if time never moves.
package clocktest

import (
	"context"
	"slices"
	"sync"
	"time"
)

// Clock stands still until it is moved. It may be used by several goroutines.
type Clock struct {
	mu    sync.Mutex
	at    time.Time
	slept []time.Duration
}

// New is a clock that shows an instant.
func New(at time.Time) *Clock { return &Clock{at: at.UTC()} }

// At is a clock at an instant in RFC 3339, such as "2026-11-20T10:00:00Z".
func At(text string) *Clock { return New(Instant(text)) }

// Instant parses RFC 3339. It panics for other text: the text is the test's own.
func Instant(text string) time.Time {
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		panic(err)
	}
	return at.UTC()
}

// Now is the instant that the clock shows, in UTC.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

// Move moves the clock forward or back.
func (c *Clock) Move(by time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(by)
}

// Set sets the clock to another instant.
func (c *Clock) Set(at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = at.UTC()
}

// Sleep moves the clock instead of waiting, and records by how much. It returns the cause of a canceled context.
func (c *Clock) Sleep(ctx context.Context, d time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
	c.slept = append(c.slept, d)
	return context.Cause(ctx)
}

// Slept lists the sleeps so far, the first one first.
func (c *Clock) Slept() []time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.slept)
}
