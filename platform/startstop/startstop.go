// Package startstop runs background work: one goroutine that is started once and stopped once.
package startstop

import (
	"context"
	"fmt"
	"sync"
)

// Work is one goroutine's work. It is safe for concurrent use.
type Work struct {
	name string
	run  func(ctx context.Context)

	mu      sync.Mutex
	cancel  context.CancelFunc // nil before the start
	stopped bool
	done    chan struct{}
}

// New prepares work; nothing happens before Start. run ends when its context does. name is the work's name in an error of Stop:
// "the index refresher".
func New(name string, run func(ctx context.Context)) *Work {
	return &Work{name: name, run: run, done: make(chan struct{})}
}

// Start begins the work in the background and returns at once. It keeps the values of ctx, but not its end: Stop ends the work.
// A second Start does nothing, nor does one after Stop.
func (w *Work) Start(ctx context.Context) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.cancel != nil || w.stopped {
		return
	}
	ctx, w.cancel = context.WithCancel(context.WithoutCancel(ctx))
	go func() {
		defer close(w.done)
		defer w.cancel()
		w.run(ctx)
	}()
}

// Stop ends the work and waits for it, at most as long as ctx lasts: then the error is ctx's. It may be called at any time,
// also before Start, and more than once.
func (w *Work) Stop(ctx context.Context) error {
	w.mu.Lock()
	w.stopped = true
	cancel := w.cancel
	w.mu.Unlock()
	if cancel == nil {
		return nil
	}
	cancel()
	select {
	case <-w.done:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("stop %s: %w", w.name, ctx.Err())
	}
}
