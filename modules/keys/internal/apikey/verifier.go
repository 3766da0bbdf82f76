package apikey

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"golang.org/x/sync/singleflight"

	"gpatlas/modules/keys/internal/secret"
	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/startstop"
)

const (
	// lookUpTimeout is how long a request waits for the database.
	lookUpTimeout = 2 * time.Second
	// lookUpsMax limits concurrent look-ups: unknown keys must not take every connection.
	lookUpsMax = 4
	// retryAfter is how long the database is not asked after it was unreachable.
	retryAfter = time.Second
	// staleFor is how long a known key works while the database is unavailable. Keys cannot be revoked meanwhile, unless the
	// database is unreachable only from here.
	staleFor = 10 * time.Minute
)

// Verifier is the auth.KeyVerifier over keys.api_keys: a cache, and the database for what it does not know. It is safe
// for concurrent use.
type Verifier struct {
	*startstop.Work // receives changes by other processes

	store *Store
	clock clock.Clock
	log   *slog.Logger

	cache   cache
	flight  singleflight.Group
	slots   chan struct{}
	retryAt atomic.Int64 // nanoseconds; until then the database counts as unavailable
	heard   atomic.Bool  // announcements are being received
}

// NewVerifier makes a Verifier; nothing happens before Start.
func NewVerifier(store *Store, clk clock.Clock, log *slog.Logger) *Verifier {
	v := &Verifier{store: store, clock: clk, log: log.With(slog.String("part", "keys")), slots: make(chan struct{}, lookUpsMax)}
	v.Work = startstop.New("the verifier of keys", v.watch)
	return v
}

// VerifyKey recognizes a key. The Principal is shared by all requests with the key: it must not be changed.
func (v *Verifier) VerifyKey(ctx context.Context, key string) (*auth.Principal, error) {
	if _, ok := secret.Parse(key); !ok {
		return nil, errBadKey
	}
	hash, now := secret.Sum(key), v.clock.Now()
	held, found, _ := v.cache.find(hash)
	if found && held.fresh(now, v.heard.Load()) {
		return held.answer()
	}
	e, err := v.ask(ctx, hash)
	if err == nil {
		return e.answer()
	}
	if found && held.principal != nil && apperr.From(err).Kind == apperr.KindUnavailable && now.Sub(held.at) < staleFor {
		return held.withoutRights().answer()
	}
	return nil, err
}

// withoutRights is the entry without an administrator's rights, for a time in which they cannot be checked.
func (e entry) withoutRights() entry {
	if e.principal != nil && e.principal.Admin {
		ordinary := *e.principal
		ordinary.Admin = false
		e.principal = &ordinary
	}
	return e
}

func (e entry) answer() (*auth.Principal, error) {
	if e.principal == nil {
		return nil, errBadKey
	}
	return e.principal, nil
}

var errBusy = apperr.Unavailable("API keys cannot be verified now; try again")

// ask asks the database, once for all concurrent requests with the same key.
func (v *Verifier) ask(ctx context.Context, hash secret.Hash) (entry, error) {
	if v.clock.Now().UnixNano() < v.retryAt.Load() {
		return entry{}, errBusy
	}
	answer := v.flight.DoChan(string(hash[:]), func() (any, error) { return v.lookUp(context.WithoutCancel(ctx), hash) })
	select {
	case a := <-answer:
		if a.Err != nil {
			return entry{}, a.Err
		}
		e, _ := a.Val.(entry)
		return e, nil
	case <-ctx.Done():
		return entry{}, ctx.Err()
	}
}

func (v *Verifier) lookUp(ctx context.Context, hash secret.Hash) (entry, error) {
	ctx, cancel := context.WithTimeout(ctx, lookUpTimeout)
	defer cancel()
	select {
	case v.slots <- struct{}{}:
		defer func() { <-v.slots }()
	case <-ctx.Done():
		return entry{}, errBusy.Wrap(errors.New("too many unknown keys are being looked up"))
	}
	_, _, mark := v.cache.find(hash)
	now := v.clock.Now()
	id, err := v.store.identify(ctx, hash)
	if err != nil {
		if database.Away(err) || apperr.From(err).Kind == apperr.KindUnavailable {
			v.retryAt.Store(now.Add(retryAfter).UnixNano())
		}
		return entry{}, err
	}
	e := entry{at: now}
	if id != nil {
		e.principal = id.principal(now)
		if id.TrialEndsAt != nil && id.TrialEndsAt.After(now) {
			e.until = *id.TrialEndsAt
		}
	}
	v.cache.keep(hash, e, mark)
	return e, nil
}

// principal is the caller of a key.
//
// Spec: not shown; if an account's api_tier has become lower than its key's, the lower limits apply.
func (id *identity) principal(now time.Time) *auth.Principal {
	plan := auth.PlanNow(id.SubscriptionPlan, id.TrialEndsAt, now)
	return &auth.Principal{
		Kind: auth.Key, UserID: id.UserID, KeyID: id.ID, CountedAs: id.CountedAs, Mode: id.Mode, APITier: lower(id.Tier, id.APITier),
		Plan: plan, FreeTier: auth.IsFreeTier(plan, id.APITier), Admin: id.IsAdmin, Unverified: !id.EmailVerified,
	}
}

// Forget drops revoked keys in this process: other processes are notified by the database.
func (v *Verifier) Forget(hashes []secret.Hash) {
	for _, h := range hashes {
		v.cache.forget(h)
	}
}
