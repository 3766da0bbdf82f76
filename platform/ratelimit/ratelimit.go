// Package ratelimit is the seam between the host, which asks of every request whether it may pass, and the module that
// knows the limits. Without one every request passes and no limit is shown.
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
	// Policies are the windows that count for this caller, for the RateLimit headers.
	Policies []Policy
	// Of a refused request: the window that is full, and when it ends.
	Window     string // "burst", "minute", "day"
	RetryAfter time.Duration
	// Counted says that the request stands in the store's counts, so that GiveBack can take it back.
	Counted bool
	// None says that no limits apply (limits switched off): the headers say "unlimited".
	None bool
}

// Policy is one window as the RateLimit headers tell it.
type Policy struct {
	Name      string // "burst", "minute", "day"
	Quota     int64
	Seconds   int64
	Remaining int64
	Reset     int64 // seconds until it restarts
}

// Limiter decides. It never fails: where the store of the counts is away, requests pass.
type Limiter interface {
	Allow(ctx context.Context, caller *auth.Principal) Decision
	// AllowSpent decides about the few operations that tell callers what they have used: a day that is used up does not
	// refuse them and does not count them. The shorter windows hold.
	AllowSpent(ctx context.Context, caller *auth.Principal) Decision
	// AllowPage decides about pages, documents and operations that are always open, such as sign-in: they have limits of their
	// own without a day, so that neither refuses them what the caller has used of the data, nor do they use any of that up.
	AllowPage(ctx context.Context, caller *auth.Principal) Decision
	// GiveBack takes a request that d let pass out of the count of its day again, where nothing was delivered for it, and
	// brings d up to date. The shorter windows go on counting it.
	GiveBack(ctx context.Context, caller *auth.Principal, d *Decision)
}

// Usage is one answered request of a key.
type Usage struct {
	Caller    *auth.Principal
	Operation string // its id
	Status    int
	At        time.Time
	Elapsed   time.Duration
}

// The names in Usage.Operation of requests that came to no operation.
const (
	NameLimited = "rate-limited" // refused by the limits before the operation was known
	NameUnknown = "unknown-path" // no operation has this path, or none with this method
	NameNone    = "none"         // others: malformed requests
)

// Recorder counts the requests of keys. It must not block.
type Recorder interface {
	// Learn says, before the first request, which method and path an operation has.
	Learn(operation, method, path string)
	Record(u Usage)
}
