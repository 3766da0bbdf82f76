// Package free counts the calls that accounts with the free plan have: a thousand for ever, with live keys.
//
// The count is in the database and never passes the limit. So that not every request waits for it, a process takes a few
// calls ahead, adds them to the count at once, and gives them out from memory; the nearer the limit, the fewer, and the
// last fifty one by one. What it does not need it gives back ten seconds later and when it stops. So no number of processes
// gives out more than a thousand; near the limit an account may be refused for some seconds while another process still
// holds calls for it; and a process that is killed costs an account twenty calls at most.
package free

import (
	"context"
	"log/slog"
	"maps"
	"strings"
	"sync"
	"time"

	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
)

// Limit is how many calls an account has.
const Limit = 1_000

const (
	// idleAfter is how long calls are held for an account that does not use them; also how long one that has none left is
	// refused without asking again.
	idleAfter = 10 * time.Second
	// lookEvery is how often idle ones are looked for.
	lookEvery = 5 * time.Second
	// askTimeout bounds how long a request waits for the database, which is then left alone for retryAfter.
	askTimeout = 2 * time.Second
	retryAfter = time.Second
)

var errUsedUp = apperr.New(apperr.KindPaymentRequired,
	"All %d free API calls of this account are used; subscribe to a plan to continue. Test keys remain free of charge", Limit)

// purse is what a process holds for an account.
type purse struct {
	mu sync.Mutex
	// left are calls that may be given out. Below zero they were given out while the database was away, and are owed to it.
	left int64
	used time.Time // when one was last taken or given back
	// empty is when the database said that there are none left; zero where it did not.
	empty time.Time
	away  time.Time // when the database could not be reached; zero where it could
	gone  bool      // no longer in the map
}

// Allowance is a ratelimit.Allowance. It is safe for concurrent use.
type Allowance struct {
	store *Store
	clock clock.Clock
	log   *slog.Logger

	mu     sync.Mutex
	purses map[int64]*purse

	life    sync.Mutex
	stop    context.CancelFunc
	stopped bool
	done    chan struct{}
}

// NewAllowance makes an Allowance; nothing is given back before Start.
func NewAllowance(store *Store, clk clock.Clock, log *slog.Logger) *Allowance {
	return &Allowance{
		store: store, clock: clk, log: log.With(slog.String("part", "free calls")), purses: map[int64]*purse{}, done: make(chan struct{}),
	}
}

// Applies says whether a caller's calls are counted.
func Applies(caller *auth.Principal) bool {
	return caller.Kind == auth.Key && caller.Free && caller.Mode == "live"
}

// uncounted are the paths that use up no call: one must be able to read how many are left when there are none, and an
// administrator's scheduler is no use of the data.
//
// Spec: not shown which calls count; all others do that are answered with 2xx.
func uncounted(path string) bool {
	return path == "/v1/billing/free-tier-status" || path == "/v1/usage" || strings.HasPrefix(path, "/v1/usage/") ||
		strings.HasPrefix(path, "/v1/admin/")
}

// Take uses up one free call of the caller and says whether it has; the error says that there are none left.
//
// Where the database is away the call is let through and owed: reading on is what the service promises meanwhile.
func (a *Allowance) Take(ctx context.Context, caller *auth.Principal, path string) (taken bool, err error) {
	if !Applies(caller) || uncounted(path) {
		return false, nil
	}
	p := a.lock(caller.UserID)
	defer p.mu.Unlock()
	now := a.clock.Now()
	p.used = now
	if p.left <= 0 && (p.away.IsZero() || now.Sub(p.away) >= retryAfter) {
		if !p.empty.IsZero() && now.Sub(p.empty) < idleAfter {
			return false, errUsedUp
		}
		ctx, cancel := context.WithTimeout(ctx, askTimeout)
		defer cancel()
		granted, err := a.store.grant(ctx, caller.UserID, -p.left)
		p.away = time.Time{}
		switch {
		case err == nil && granted == 0:
			p.left, p.empty = 0, now
			return false, errUsedUp
		case err == nil:
			p.left, p.empty = granted, time.Time{}
		case database.Away(err) || apperr.From(err).Kind == apperr.KindUnavailable:
			p.away = now
		default:
			return false, err
		}
	}
	p.left--
	return true, nil
}

// GiveBack returns a call that Take has taken.
func (a *Allowance) GiveBack(caller *auth.Principal) {
	p := a.lock(caller.UserID)
	defer p.mu.Unlock()
	p.left++
	p.empty = time.Time{}
	p.used = a.clock.Now()
}

// lock gives the account's purse, locked.
func (a *Allowance) lock(userID int64) *purse {
	for {
		a.mu.Lock()
		p := a.purses[userID]
		if p == nil {
			p = &purse{}
			a.purses[userID] = p
		}
		a.mu.Unlock()
		p.mu.Lock()
		if !p.gone {
			return p
		}
		p.mu.Unlock()
	}
}

// held is what this process holds for an account.
func (a *Allowance) held(userID int64) int64 {
	a.mu.Lock()
	p := a.purses[userID]
	a.mu.Unlock()
	if p == nil {
		return 0
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.left
}

// Start gives idle calls back until Stop, and returns at once.
func (a *Allowance) Start(ctx context.Context) {
	a.life.Lock()
	defer a.life.Unlock()
	if a.stop != nil || a.stopped {
		return
	}
	ctx, a.stop = context.WithCancel(context.WithoutCancel(ctx))
	go func() {
		defer close(a.done)
		tick := time.NewTicker(lookEvery)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			if err := a.Settle(context.WithoutCancel(ctx), false); err != nil {
				a.log.WarnContext(ctx, "free calls are not given back; they are tried again", slog.Any("error", err))
			}
		}
	}()
}

// Stop gives everything back. The requests must have ended before.
func (a *Allowance) Stop(ctx context.Context) error {
	a.life.Lock()
	a.stopped = true
	stop := a.stop
	a.life.Unlock()
	if stop != nil {
		stop()
		select {
		case <-a.done:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return a.Settle(ctx, true)
}

// Settle gives back what is held for accounts that are idle, or for all of them, and pays what is owed.
func (a *Allowance) Settle(ctx context.Context, all bool) error {
	a.mu.Lock()
	list := maps.Clone(a.purses)
	a.mu.Unlock()
	for id, p := range list {
		if err := a.settle(ctx, id, p, all); err != nil {
			return err
		}
	}
	return nil
}

func (a *Allowance) settle(ctx context.Context, userID int64, p *purse, all bool) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	idle := a.clock.Now().Sub(p.used) >= idleAfter
	if p.gone || !all && !idle && p.left >= 0 {
		return nil
	}
	if p.left != 0 {
		ctx, cancel := context.WithTimeout(ctx, askTimeout)
		defer cancel()
		if err := a.store.settle(ctx, userID, p.left); err != nil {
			return err
		}
		p.left, p.away = 0, time.Time{}
	}
	if all || idle {
		p.gone = true
		a.mu.Lock()
		delete(a.purses, userID)
		a.mu.Unlock()
	}
	return nil
}
