// Package apikey creates, names and revokes API keys, and recognizes them on every request.
package apikey

import (
	"slices"
	"time"

	"gpatlas/modules/keys/internal/secret"
	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/clock"
)

// ActiveMax is how many keys of an account may be active at the same time.
const ActiveMax = 10

// CreatedMax is how many keys of both modes an account may create in a day (UTC).
//
// Spec: not shown; limits are enforced per key, so an account that replaced its keys without end would have none.
const CreatedMax = 20

// rank orders tiers; an unknown one is the lowest.
func rank(tier string) int { return max(0, slices.Index(auth.Tiers, tier)) }

// lower is the lower of two tiers.
func lower(a, b string) string { return auth.Tiers[min(rank(a), rank(b))] }

// Key is an API key as its owner sees it.
//
// Spec: beside id, name, tier, mode and last_used_at the fields are not shown; hint lets owners distinguish their keys.
type Key struct {
	ID         string     `json:"id" format:"uuid" doc:"ID of the key." example:"0190a5b2-7c41-4d6e-9a3f-1c2b3d4e5f60"`
	Name       string     `json:"name" doc:"Name given by the owner." example:"Nightly import"`
	Tier       string     `json:"tier" enum:"starter,growth,scale" doc:"Tier of the key, which sets its limits. Never changes. If the api_tier of the account is lower now, the limits of that tier apply." example:"starter"`
	Mode       string     `json:"mode" enum:"live,test" doc:"live or test. A test key is never charged. It returns the same data, but invented people." example:"live"`
	Hint       string     `json:"hint" doc:"Prefix and last four characters." example:"gpa_live_…x7Qd"`
	CreatedAt  time.Time  `json:"created_at" doc:"When the key was created (UTC)." example:"2026-11-20T09:30:00.000000Z"`
	RevokedAt  *time.Time `json:"revoked_at" doc:"When the key was revoked (UTC). Null while the key is active." example:"2026-11-21T10:00:00.000000Z"`
	LastUsedAt *time.Time `json:"last_used_at" doc:"When the key was last used (UTC), to the minute. Null before its first use." example:"2026-11-20T11:04:00.000000Z"`
}

// SchemaName is its name in the OpenAPI document.
func (Key) SchemaName() string { return "APIKey" }

// Created is a new key: the only response that contains its secret.
type Created struct {
	ID        string    `json:"id" format:"uuid" doc:"ID of the key." example:"0190a5b2-7c41-4d6e-9a3f-1c2b3d4e5f60"`
	Key       string    `json:"key" doc:"The secret, 52 characters. It is not stored and cannot be shown again." example:"gpa_live_11111111111111111111111111111111111113ep3yS"`
	Warning   string    `json:"warning" doc:"Reminder that the secret is shown only now." example:"Store this key now: it is shown only once and cannot be retrieved later."`
	Name      string    `json:"name" doc:"Name given by the owner." example:"Nightly import"`
	Tier      string    `json:"tier" enum:"starter,growth,scale" doc:"Tier of the key, which sets its limits." example:"starter"`
	Mode      string    `json:"mode" enum:"live,test" doc:"live or test. A test key is never charged. It returns the same data, but invented people." example:"live"`
	CreatedAt time.Time `json:"created_at" doc:"When the key was created (UTC)." example:"2026-11-20T09:30:00.000000Z"`
}

// SchemaName is its name in the OpenAPI document.
func (Created) SchemaName() string { return "CreatedAPIKey" }

const warning = "Store this key now: it is shown only once and cannot be retrieved later."

// ListMeta describes a list of keys.
type ListMeta struct {
	Total     int `json:"total" doc:"Keys in this response." example:"1"`
	Active    int `json:"active" doc:"Active keys of the account." example:"1"`
	ActiveMax int `json:"active_max" doc:"Maximum number of active keys." example:"10"`
}

// SchemaName is its name in the OpenAPI document.
func (ListMeta) SchemaName() string { return "APIKeyListMeta" }

// The refusals.
var (
	errNoKey      = apperr.NotFound("API key not found")
	errRevoked    = apperr.New(apperr.KindConflict, "This API key is revoked. Its record is kept for audit and cannot change")
	errNoAccount  = apperr.New(apperr.KindUnauthenticated, "Could not validate credentials")
	errUnverified = apperr.New(apperr.KindForbidden, "Verify your email address first: a live key needs a verified email address; a test key does not")
	errTooMany    = apperr.New(apperr.KindConflict, "An account can have at most %d active API keys; revoke one first", ActiveMax)
	errMade       = apperr.New(apperr.KindConflict, "This form has already made an API key, which is shown once. Submit this one to make another")
	errBadKey     = apperr.New(apperr.KindUnauthenticated, "Invalid or revoked API key")
)

// tooManyToday refuses creations until the day (UTC) is over.
func tooManyToday(now time.Time) error {
	const text = "An account can create at most %d API keys in a day (UTC); revoked ones count too"
	return apperr.New(apperr.KindRateLimited, text, CreatedMax).Wrap(wait(day(now).AddDate(0, 0, 1).Sub(now)))
}

// day is the beginning of the day of an instant, in UTC.
func day(t time.Time) time.Time { return t.UTC().Truncate(24 * time.Hour) }

// wait is the cause of a refusal, an httpapi.Waiter.
type wait time.Duration

func (w wait) Error() string { return "wait for " + time.Duration(w).String() }

// RetryAfter is how long the caller should wait.
func (w wait) RetryAfter() time.Duration { return time.Duration(w) }

func errTier(tier, account string) error {
	return apperr.New(apperr.KindForbidden, "The API tier of your account is %s; a key of tier %s is not available", account, tier)
}

func rowToKey(r row) Key {
	return Key{
		ID: r.ID, Name: r.Name, Tier: r.Tier, Mode: r.Mode, Hint: secret.Hint(r.Mode, r.LastFour), CreatedAt: r.CreatedAt.UTC(),
		RevokedAt: clock.UTC(r.RevokedAt), LastUsedAt: clock.UTC(r.LastUsedAt),
	}
}
