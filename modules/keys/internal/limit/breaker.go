package limit

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"

	"gpatlas/platform/clock"
	"gpatlas/platform/startstop"
)

// sayEvery is how often the log repeats that Redis is unavailable.
const sayEvery = time.Minute

// breaker keeps requests from waiting for an unavailable Redis: after one failure they pass without asking, while a goroutine
// probes until there is an answer.
type breaker struct {
	rdb   redis.UniversalClient
	every time.Duration
	clock clock.Clock
	log   *slog.Logger

	away atomic.Bool

	mu      sync.Mutex
	said    time.Time       // when the log was last written
	probing *startstop.Work // the newest, which may have ended; nil before the first
	stopped bool
}

// open is called for each failure.
func (b *breaker) open(ctx context.Context, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.stopped || b.away.Load() {
		return
	}
	b.away.Store(true)
	// A Redis that fails repeatedly is not logged more often.
	now := b.clock.Now()
	say := b.said.IsZero() || now.Sub(b.said) >= sayEvery
	if say {
		b.said = now
		b.log.WarnContext(ctx, "Redis is unavailable: requests pass without limits", slog.Any("error", err))
	}
	b.probing = startstop.New("the probe of Redis", func(ctx context.Context) { b.probe(ctx, say) })
	b.probing.Start(ctx)
}

// pass is called for each request that passes uncounted: it repeats the log message once a minute.
func (b *breaker) pass(ctx context.Context) {
	now := b.clock.Now()
	b.mu.Lock()
	defer b.mu.Unlock()
	if now.Sub(b.said) >= sayEvery {
		b.said = now
		b.log.WarnContext(ctx, "Redis is still unavailable: requests pass without limits")
	}
}

// probe ends when Redis runs the script: a read-only Redis is not enough.
func (b *breaker) probe(ctx context.Context, say bool) {
	for clock.Sleep(ctx, b.every) == nil {
		if _, err := run(ctx, b.rdb, []string{keySpace + "probe"}, make([]numbers, 1)); err == nil {
			if say {
				b.log.InfoContext(ctx, "Redis is available again: limits apply")
			}
			b.away.Store(false)
			return
		}
	}
}

// end stops the goroutine and waits for it, but not longer than ctx lasts.
func (b *breaker) end(ctx context.Context) error {
	b.mu.Lock()
	b.stopped = true
	probing := b.probing
	b.mu.Unlock()
	if probing == nil {
		return nil
	}
	return probing.Stop(ctx)
}
