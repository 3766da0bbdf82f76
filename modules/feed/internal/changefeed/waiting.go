package changefeed

import (
	"sync"
	"time"

	"gpatlas/platform/apperr"
)

const (
	// waitsOfAccount and waitsOfProcess are how many requests may wait for events at the same time.
	waitsOfAccount, waitsOfProcess = 5, 1000
	// fullRetryAfter is the Retry-After of a request that is refused because too many wait.
	fullRetryAfter = 5 * time.Second
)

// waiting counts the requests that wait. It is safe for concurrent use.
type waiting struct {
	mu  sync.Mutex
	all int
	of  map[int64]int // by account; 0 is everyone without one
}

// full is the cause of a refusal; it sets Retry-After.
type full struct{}

func (full) Error() string             { return "no place to wait" }
func (full) RetryAfter() time.Duration { return fullRetryAfter }

var (
	errAccountWaits = apperr.Unavailable("Too many requests of your account wait for changes: at most 5 at the same time. Try again in a few seconds.").Wrap(full{})
	errProcessWaits = apperr.Unavailable("Too many requests wait for changes. Try again in a few seconds, or send wait=0.").Wrap(full{})
)

// enter takes a place until leave is called. leave may be called more than once.
func (w *waiting) enter(user int64) (leave func(), err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.of[user] >= waitsOfAccount:
		return nil, errAccountWaits
	case w.all >= waitsOfProcess:
		return nil, errProcessWaits
	}
	if w.of == nil {
		w.of = map[int64]int{}
	}
	w.all++
	w.of[user]++
	return sync.OnceFunc(func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.all--
		if w.of[user]--; w.of[user] == 0 {
			delete(w.of, user)
		}
	}), nil
}
