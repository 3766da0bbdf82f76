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

// prober asks the database whether it is there, once a second at most, however often the health check is called:
// the check is public, and must not become a way to load a database that is in trouble.
type prober struct {
	database Pinger
	clock    clock.Clock

	mu   sync.Mutex
	at   time.Time
	good bool
}

// answers reports whether the database does. Callers that come while it is asked wait for the same word; without a database
// there is none that could answer.
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
