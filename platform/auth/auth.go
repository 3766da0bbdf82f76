// Package auth identifies callers: anonymous, by an API key, or by a person's session. The modules with keys and sessions
// implement two interfaces; the host authenticates every request once, and each operation's access class decides whether the
// caller may call it.
package auth

import (
	"context"
	"net/netip"
	"time"
)

// Kind is how a caller was recognized.
type Kind uint8

// The kinds of callers.
const (
	Anonymous Kind = iota // no credential was sent
	Session               // a person, by the access token of a session
	Key                   // a program, by an API key
)

// ModeTest is the mode of keys that are charged nothing.
const ModeTest = "test"

// Principal is a caller.
type Principal struct {
	Kind      Kind
	UserID    int64  // of the account; 0 = anonymous
	SessionID string // "sess_…", of sessions
	KeyID     string // UUID, of keys
	CountedAs string // of keys: ID of the key whose limit windows this one continues; empty = it has its own
	// Mode of a key: live, or test (ModeTest), which is charged nothing.
	Mode    string
	APITier string // starter, growth or scale: of the key, or of a session's account. Rate limits depend only on it
	// Plan is the account's subscription plan: PlanFree, starter, pro or enterprise. After a trial it is PlanFree. It is
	// independent of APITier.
	Plan string
	// FreeTier: the account pays for neither a plan nor an API tier. Its live keys have a limited number of free calls.
	FreeTier bool
	Admin    bool // its account is an administrator's
	// Unverified: the account of the session or key has not confirmed its email address. It cannot use operations with a price, even
	// with its test keys. A live key exists only after the confirmation.
	Unverified bool
	Address    netip.Addr // where the request comes from
}

// The subscription plans and the API tiers. PlanFree is the plan of an account that pays for none.
const (
	PlanFree       = "free"
	PlanStarter    = "starter"
	PlanPro        = "pro"
	PlanEnterprise = "enterprise"

	TierStarter = "starter"
	TierGrowth  = "growth"
	TierScale   = "scale"
)

// Plans and Tiers are all of them, the lowest first.
var (
	Plans = []string{PlanFree, PlanStarter, PlanPro, PlanEnterprise}
	Tiers = []string{TierStarter, TierGrowth, TierScale}
)

// IsFreeTier reports whether an account with a plan and an API tier pays for neither. They are bought separately, and either
// ends the free calls.
//
// Spec: not shown; a "free-tier key" is one of such an account, whatever the key's own tier.
func IsFreeTier(plan, apiTier string) bool { return plan == PlanFree && apiTier == TierStarter }

// PlanNow is the present plan of an account. A trial ends on time, even before the job has stored it.
func PlanNow(plan string, trialEnds *time.Time, now time.Time) string {
	if trialEnds != nil && !trialEnds.After(now) {
		return PlanFree
	}
	return plan
}

// PlanNowSQL is PlanNow of an account a at @now: see TestPlanNowInSQL.
const PlanNowSQL = "CASE WHEN a.trial_ends_at <= @now THEN '" + PlanFree + "' ELSE a.subscription_plan END"

// SessionVerifier recognizes sessions. Module accounts implements it. An error of kind unauthenticated means that the token
// belongs to no current session; unavailable, that this cannot be checked now.
type SessionVerifier interface {
	VerifySession(ctx context.Context, token string) (*Principal, error)
}

// BrowserLifetime is how long a browser stays signed in after its last visit.
const BrowserLifetime = 30 * 24 * time.Hour

// BrowserVerifier recognizes the sessions of browsers by the secret in their cookie. Module accounts implements it, with errors
// like those of SessionVerifier. renewed means that the session, and so the cookie, lasts for another BrowserLifetime from now.
type BrowserVerifier interface {
	VerifyBrowser(ctx context.Context, secret string) (caller *Principal, renewed bool, err error)
}

// KeyVerifier recognizes API keys. Module keys implements it, with errors like those of SessionVerifier.
type KeyVerifier interface {
	VerifyKey(ctx context.Context, key string) (*Principal, error)
}
