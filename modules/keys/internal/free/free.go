// Package free counts the calls of accounts that pay for neither a plan nor an API tier: a thousand in all, with live keys.
//
// Each call is one conditional update in the database, so that several processes together never allow more than a thousand.
// While the database is unavailable, calls pass uncounted.
package free

import (
	"context"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/charge"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
)

const (
	// askTimeout bounds how long a request waits for the database.
	askTimeout = 2 * time.Second
	// retryAfter is how long the database is not asked again after a request found it unavailable.
	retryAfter = time.Second
)

// Allowance is a ratelimit.Allowance. It is safe for concurrent use.
type Allowance struct {
	store *Store
	clock clock.Clock
	log   *slog.Logger
	away  atomic.Int64 // Unix nanoseconds of the last request that found the database unavailable; 0 = available
}

// NewAllowance counts in store.
func NewAllowance(store *Store, clk clock.Clock, log *slog.Logger) *Allowance {
	return &Allowance{store: store, clock: clk, log: log.With(slog.String("part", "free calls"))}
}

// Applies reports whether a caller's calls are counted.
func Applies(caller *auth.Principal) bool {
	return caller.Kind == auth.Key && caller.FreeTier && caller.Mode == "live"
}

// Counts reports whether calls of a path use up free calls. Reading how many are left must work when there are none, and an
// administrator's scheduler does not read data.
//
// Spec: not shown which calls count; all others do that are answered with 2xx.
func (*Allowance) Counts(path string) bool {
	return path != "/v1/billing/free-tier-status" && path != "/v1/usage" && !strings.HasPrefix(path, "/v1/usage/") &&
		!strings.HasPrefix(path, "/v1/admin/")
}

// Take uses up one free call of the caller and reports whether it did. The error means that none are left.
func (a *Allowance) Take(ctx context.Context, caller *auth.Principal, path string) (taken bool, err error) {
	if !Applies(caller) || !a.Counts(path) || a.unavailable() {
		return false, nil
	}
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	taken, err = a.store.takeCall(ctx, caller.UserID)
	switch {
	case err != nil && unreachable(err):
		a.away.Store(a.clock.Now().UnixNano())
		return false, nil
	case err != nil:
		return false, err
	case !taken:
		return false, charge.FreeCallsUsed()
	}
	a.away.Store(0)
	return true, nil
}

// GiveBack returns a call that Take has taken. A call that cannot be returned stays used.
func (a *Allowance) GiveBack(ctx context.Context, caller *auth.Principal) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), askTimeout)
	defer cancel()
	if err := a.store.giveBack(ctx, caller.UserID); err != nil {
		a.log.WarnContext(ctx, "a free call was not returned to its account", slog.Int64("account", caller.UserID), slog.Any("error", err))
	}
}

// unavailable reports whether a request found the database unavailable less than retryAfter ago.
func (a *Allowance) unavailable() bool {
	at := a.away.Load()
	return at != 0 && a.clock.Now().UnixNano()-at < int64(retryAfter)
}

func unreachable(err error) bool {
	return database.Away(err) || apperr.From(err).Kind == apperr.KindUnavailable
}
