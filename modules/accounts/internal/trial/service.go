// Package trial ends free trials: it notifies their holders three days before, and at the end sets the free plan.
package trial

import (
	"context"
	"fmt"
	"time"

	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/jobs"
	"gpatlas/platform/mail"
)

// Job finds trials that end.
const Job = "accounts.trial_check"

// The kinds of notifications about trials. Module notifications writes and sends them, unless they are outdated: the account
// may have subscribed meanwhile.
const (
	Ending = "trial_ending"
	Ended  = "trial_ended"
)

// notice is the payload of a notification: when the trial ends, or has ended.
type notice struct {
	At time.Time `json:"at"`
}

// NoticeBefore is how long before the end of a trial its holder is notified.
const NoticeBefore = 3 * 24 * time.Hour

const (
	batch   = 500
	timeout = time.Hour
)

// Service checks trials.
type Service struct {
	db    *database.DB
	clock clock.Clock
	queue *jobs.Enqueuer
	store *store
}

// NewService works on db.
func NewService(db *database.DB, clk clock.Clock, queue *jobs.Enqueuer) *Service {
	return &Service{db: db, clock: clk, queue: queue, store: &store{db}}
}

// Checked counts the results of a check.
type Checked struct {
	Noticed int // notified that their trial ends soon
	Ended   int // set to the free plan, and notified
}

// Check notifies each account whose trial ends within three days, once, and sets accounts whose trial is over to the free plan,
// once. A mark and its mail are one transaction. Deleted accounts are skipped; the next check covers a recovered one.
//
// Spec: not shown what tier an account has after its trial; the registration tier, free_trial, until there is a subscription:
// only the plan changes.
func (s *Service) Check(ctx context.Context) (Checked, error) {
	now := s.clock.Now().UTC().Truncate(time.Microsecond) // PostgreSQL's precision
	var c Checked
	var err error
	if c.Ended, err = s.all(ctx, Ended, func(ctx context.Context) ([]ending, error) { return s.store.end(ctx, now, batch) }); err != nil {
		return c, err
	}
	c.Noticed, err = s.all(ctx, Ending, func(ctx context.Context) ([]ending, error) {
		return s.store.notice(ctx, now, now.Add(NoticeBefore), batch)
	})
	return c, err
}

// all marks batch after batch until none is left, and enqueues the mail of each in the transaction of its mark.
func (s *Service) all(ctx context.Context, kind string, mark func(ctx context.Context) ([]ending, error)) (int, error) {
	return jobs.EnqueueAll(ctx, s.db, batch, mark, func(ctx context.Context, e ending) error {
		at := e.EndsAt.UTC()
		return mail.Notify(ctx, s.queue, mail.Notification{
			Kind: kind, UserID: e.ID, Key: fmt.Sprintf("%s:%d:%s", kind, e.ID, at.Format(time.RFC3339Nano)), Data: notice{at},
		})
	})
}

// Handlers are the jobs of trials.
func Handlers(s *Service) []jobs.Handler {
	return []jobs.Handler{{Type: Job, Timeout: timeout, Retries: 3, Run: jobs.Plain(s.Check)}}
}
