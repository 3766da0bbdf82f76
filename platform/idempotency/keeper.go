package idempotency

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"gpatlas/platform/apperr"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/seal"
)

const (
	// Remembered is how long a key is stored.
	Remembered = 24 * time.Hour
	// Lease is how long a request counts as running: longer than any request takes.
	Lease = time.Minute
	// young is the age up to which a running request will probably end soon.
	young = 5 * time.Second
)

// Keeper executes requests once: an httpapi.Keeper.
type Keeper struct {
	store   *store
	clock   clock.Clock
	secrets Secrets
	pending pendingEnds
}

// New keeps responses in db. Without secrets it accepts no request.
func New(db *database.DB, clk clock.Clock, secrets Secrets) *Keeper {
	k := &Keeper{store: &store{db: db}, clock: clk, secrets: secrets}
	k.pending.init(clk)
	return k
}

// Start records, in the background, the ends of executions that the database could not record at once.
func (k *Keeper) Start(ctx context.Context) { k.pending.work.Start(ctx) }

// Stop ends the background work.
func (k *Keeper) Stop(ctx context.Context) error { return k.pending.work.Stop(ctx) }

// busy is the refusal of a request that is being executed.
type busy struct{ wait time.Duration }

func (busy) Error() string               { return "the request is being executed" }
func (b busy) RetryAfter() time.Duration { return b.wait }

// Begin implements httpapi.Keeper.
func (k *Keeper) Begin(ctx context.Context, request httpapi.KeyedRequest) (httpapi.Execution, *httpapi.KeptAnswer, error) {
	if len(k.secrets) == 0 {
		return nil, nil, apperr.Internal(errUnreadable)
	}
	now := k.clock.Now()
	until := now.Add(Lease)
	own := row{
		UserID: request.Account, KeyHash: hashKey(request), ID: newID(), Operation: request.Operation,
		Fingerprint: fingerprint(request), Holder: newID(), LeaseUntil: &until,
	}
	if err := k.pending.record(ctx, own.KeyHash); err != nil {
		return nil, nil, err
	}
	for range 3 { // a row that is forgotten between the two statements is created in the next round
		got, err := k.store.take(ctx, own, now, now.Add(-Remembered))
		e := &execution{keeper: k, request: request, row: own}
		if err != nil {
			k.pending.add(pendingEnd{own.KeyHash, until, e.release}) // the row may have been created: that is unknown when a connection is lost
			return nil, nil, err
		}
		if got.ID != "" {
			e.row.ID, e.again, e.row.Answered = got.ID, got.ID != own.ID, got.Answered
			return e, nil, nil
		}
		other, found, err := k.store.find(ctx, own.UserID, own.KeyHash)
		if err != nil {
			return nil, nil, err
		}
		if found {
			answer, err := k.judge(request, own, other, now)
			return nil, answer, err
		}
	}
	return nil, nil, k.running(0)
}

// Kept implements httpapi.Keeper.
func (k *Keeper) Kept(ctx context.Context, request httpapi.KeyedRequest) (*httpapi.KeptAnswer, error) {
	own := row{UserID: request.Account, KeyHash: hashKey(request), Fingerprint: fingerprint(request)}
	if err := k.pending.record(ctx, own.KeyHash); err != nil {
		return nil, err
	}
	other, found, err := k.store.find(ctx, own.UserID, own.KeyHash)
	now := k.clock.Now()
	left := other.LeaseUntil != nil && !other.LeaseUntil.After(now)
	if err != nil || !found || left || !other.CreatedAt.After(now.Add(-Remembered)) {
		return nil, err
	}
	return k.judge(request, own, other, now)
}

// judge decides about a request whose key exists.
func (k *Keeper) judge(request httpapi.KeyedRequest, own, other row, now time.Time) (*httpapi.KeptAnswer, error) {
	switch {
	case !bytes.Equal(own.Fingerprint, other.Fingerprint):
		return nil, apperr.New(apperr.KindUnprocessable, "The Idempotency-Key was sent with another request; use a new key for each request")
	case other.LeaseUntil != nil:
		return nil, k.running(other.LeaseUntil.Sub(now))
	}
	answer, err := openAnswer(k.secrets, request, other.Answer)
	if errors.Is(err, seal.ErrUnreadable) {
		return nil, apperr.New(apperr.KindConflict, "The request with this Idempotency-Key was executed, but its response can no longer be read; use a new key").Wrap(err)
	}
	return answer, err
}

// running refuses a request that is being executed. Most end soon; one that runs longer was probably left by a killed process,
// and is free when its lease ends.
func (k *Keeper) running(left time.Duration) error {
	if Lease-left < young {
		left = time.Second
	}
	return apperr.New(apperr.KindConflict, httpapi.StillRunning).Wrap(busy{max(left, time.Second)})
}

// execution is the right to execute a request.
type execution struct {
	keeper  *Keeper
	request httpapi.KeyedRequest
	row     row
	again   bool
}

// ID implements httpapi.Execution.
func (e *execution) ID() string { return e.row.ID }

// Again implements httpapi.Execution.
func (e *execution) Again() bool { return e.again }

// Answered implements httpapi.Execution.
func (e *execution) Answered() bool { return e.row.Answered }

// Keep implements httpapi.Execution.
func (e *execution) Keep(ctx context.Context, answer httpapi.KeptAnswer) error {
	sealed, err := sealAnswer(e.keeper.secrets, e.request, answer)
	if err != nil {
		return err
	}
	status := int16(answer.Status)
	e.row.Status, e.row.Answer = &status, sealed
	return e.settle(ctx, e.keeper.clock.Now().Add(Remembered), func(ctx context.Context) error { return e.keeper.store.finish(ctx, e.row) })
}

// Release implements httpapi.Execution.
func (e *execution) Release(ctx context.Context) error {
	return e.settle(ctx, *e.row.LeaseUntil, e.release)
}

func (e *execution) release(ctx context.Context) error {
	return e.keeper.store.release(ctx, e.row, e.keeper.clock.Now())
}

// Forget implements httpapi.Execution.
func (e *execution) Forget(ctx context.Context) error {
	return e.settle(ctx, *e.row.LeaseUntil, func(ctx context.Context) error { return e.keeper.store.remove(ctx, e.row) })
}

// settle ends an execution; if that fails, it is retried until it is useless.
func (e *execution) settle(ctx context.Context, until time.Time, end func(ctx context.Context) error) error {
	err := settled(ctx, end)
	if err != nil {
		e.keeper.pending.add(pendingEnd{e.row.KeyHash, until, end})
	}
	return err
}

// forgetBatch is how many requests one statement removes.
const forgetBatch = 10_000

// Forget removes expired requests and returns how many.
func (k *Keeper) Forget(ctx context.Context) (int64, error) {
	before := k.clock.Now().Add(-Remembered)
	for total := int64(0); ; {
		gone, err := k.store.forget(ctx, before, forgetBatch)
		if total += gone; err != nil {
			return total, fmt.Errorf("after %d requests: %w", total, err)
		}
		if gone < forgetBatch {
			return total, nil
		}
	}
}

// ForgetAccount removes the requests of an account, in the caller's transaction. A request that begins after it, while the deletion is not yet
// committed, leaves a row without an answer: Forget removes it.
func (k *Keeper) ForgetAccount(ctx context.Context, userID int64) error {
	return k.store.forgetAccount(ctx, userID)
}
