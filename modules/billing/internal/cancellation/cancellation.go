// Package cancellation ends the subscriptions of deleted accounts at Stripe.
package cancellation

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"gpatlas/modules/accounts/accountsapi"
	"gpatlas/modules/billing/internal/stripe"
	"gpatlas/platform/database"
	"gpatlas/platform/jobs"
	"gpatlas/platform/module"
)

// Job cancels the subscriptions of a deleted account.
const Job = "billing.cancel_subscriptions"

// Stripe may be unavailable for long: twenty attempts at growing intervals span most of a day.
const (
	timeout = 5 * time.Minute
	retries = 20
)

// Service cancels subscriptions.
type Service struct {
	store    *store
	queue    *jobs.Enqueuer
	accounts accountsapi.Directory
	stripe   *stripe.Client
}

// NewService enqueues through queue and cancels through client.
func NewService(db *database.DB, queue *jobs.Enqueuer, accounts accountsapi.Directory, client *stripe.Client) *Service {
	return &Service{&store{db}, queue, accounts, client}
}

// Part is what the slice provides.
func (s *Service) Part() module.Part {
	return module.Part{Deleted: []module.AccountListener{s.AccountDeleted}, Jobs: []jobs.Handler{
		{Type: Job, Timeout: timeout, Retries: retries, Run: s.run},
	}}
}

type payload struct {
	Account int64 `json:"account"`
}

// AccountDeleted enqueues the cancellation in the transaction of the deletion, if the account has a customer at Stripe. The job
// has no natural key: an account can be deleted, recovered and deleted again within a day.
func (s *Service) AccountDeleted(ctx context.Context, userID int64) error {
	customers, err := s.store.customers(ctx, userID)
	if err != nil || len(customers) == 0 {
		return err
	}
	return Enqueue(ctx, s.queue, userID)
}

// Enqueue enqueues the cancellation of a deleted account's subscriptions, in the caller's transaction.
func Enqueue(ctx context.Context, queue *jobs.Enqueuer, userID int64) error {
	return queue.Enqueue(ctx, jobs.Job{Type: Job, Payload: payload{userID}})
}

func (s *Service) run(ctx context.Context, text []byte) error {
	var p payload
	if err := json.Unmarshal(text, &p); err != nil {
		return jobs.Never(err)
	}
	return s.Cancel(ctx, p.Account)
}

// Cancel cancels all current subscriptions of a deleted account. It is idempotent. An account that was recovered meanwhile
// keeps them.
func (s *Service) Cancel(ctx context.Context, userID int64) error {
	if _, recovered, err := s.accounts.FindAccount(ctx, userID); err != nil || recovered {
		return err
	}
	customers, err := s.store.customers(ctx, userID)
	if err != nil {
		return err
	}
	var faults []error
	for _, customer := range customers {
		list, err := s.stripe.Subscriptions(ctx, customer)
		if err != nil {
			faults = append(faults, err)
		}
		for _, sub := range list {
			if err := s.stripe.CancelSubscription(ctx, sub.ID); err != nil {
				faults = append(faults, fmt.Errorf("%s: %w", sub.ID, err))
			}
		}
	}
	return errors.Join(faults...)
}
