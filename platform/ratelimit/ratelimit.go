// Package ratelimit is the interface between the host, which asks for every request whether it may pass, and the module with
// the limits. Without such a module every request passes and no limit is shown.
package ratelimit

import (
	"context"
	"time"

	"gpatlas/platform/auth"
)

// Decision is the limiter's answer for one request.
type Decision struct {
	Allowed bool
	// Limited is false for callers without a daily limit: their headers say "unlimited".
	Limited   bool
	Limit     int64     // requests a day
	Remaining int64     // of them, after this one
	Reset     time.Time // when the day ends
	// Policies are the windows of this caller, for the RateLimit headers.
	Policies []Policy
	// Of a refused request: the window that is full, and when it ends.
	Window     string // "burst", "minute", "day"
	RetryAfter time.Duration
	// Counted reports whether the request is in the store's counts, so that GiveBack can remove it.
	Counted bool
	// Weight is how many requests it counts as; 0: Weigh does not apply to it.
	Weight int64
	// None means that no limits apply (limits switched off): the headers show "unlimited".
	None bool
}

// Policy is one window in the RateLimit headers.
type Policy struct {
	Name      string // "burst", "minute", "day"
	Quota     int64
	Seconds   int64
	Remaining int64
	Reset     int64 // seconds until it restarts
}

// Limiter decides. It never fails: if the store of the counts is unavailable, requests pass.
type Limiter interface {
	Allow(ctx context.Context, caller *auth.Principal) Decision
	// AllowSpent decides about the few operations beyond the day: a used-up day does not refuse them and does
	// not count them. The shorter windows apply.
	AllowSpent(ctx context.Context, caller *auth.Principal) Decision
	// AllowPage decides about pages, documents and operations that are always open, such as sign-in: they have separate limits
	// without a daily one, so that using the data does not block them, and they do not use up the data's limits.
	AllowPage(ctx context.Context, caller *auth.Principal) Decision
	// Weigh counts a request that Allow let pass as weight requests, at most as many as the shortest window has, and updates d. If a
	// window has no room for them, d refuses the request, which then counts in no window.
	Weigh(ctx context.Context, caller *auth.Principal, d *Decision, weight int64)
	// GiveBack removes a request that d let pass from its day's count, if nothing was delivered for it or it is beyond the day, and updates d. The
	// shorter windows keep counting it.
	GiveBack(ctx context.Context, caller *auth.Principal, d *Decision)
}

// Usage is one answered request of a key.
type Usage struct {
	Caller    *auth.Principal
	Operation string // its ID
	Status    int
	At        time.Time
	Elapsed   time.Duration
}

// The names in Usage.Operation of requests that reached no operation.
const (
	NameLimited = "rate-limited" // refused by the limits before the operation was known
	NameUnknown = "unknown-path" // no operation has this path, or not with this method
	NameNone    = "none"         // others: malformed requests
)

// Recorder counts the requests of keys. It must not block.
type Recorder interface {
	// Learn sets the method and path of an operation, before the first request.
	Learn(operation, method, path string)
	Record(u Usage)
}
