package web

import (
	"context"
	"sync"
	"time"

	"gpatlas/platform/clock"
)

const (
	probeTimeout = 2 * time.Second
	probeKept    = time.Second
)

// prober checks the database at most once a second, however often the health check is called: the check is public, and must not
// load a struggling database.
type prober struct {
	database Pinger
	clock    clock.Clock

	mu   sync.Mutex
	at   time.Time
	good bool
}

// answers reports whether the database answers. Concurrent callers share one check; without a database the result is false.
func (p *prober) answers(ctx context.Context) bool {
	if p.database == nil {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if now := p.clock.Now(); p.at.IsZero() || now.Sub(p.at) >= probeKept || now.Before(p.at) {
		ctx, cancel := context.WithTimeout(ctx, probeTimeout)
		defer cancel()
		p.good = p.database.Ping(ctx) == nil
		p.at = p.clock.Now()
	}
	return p.good
}
