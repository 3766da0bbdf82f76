// Package trial ends free trials: their holders are told three days before, and at the end the free plan takes over.
package trial

import (
	"context"
	"fmt"
	"time"

	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/jobs"
	"gpatlas/platform/notify"
)

// Job looks for trials that end.
const Job = "accounts.trial_check"

// The kinds of notifications about trials. Module notifications writes and sends them, and tells nothing that is overtaken:
// somebody may have subscribed meanwhile.
const (
	Ending = "trial_ending"
	Ended  = "trial_ended"
)

// notice is what a notification tells: when the trial ends, or has ended.
type notice struct {
	At time.Time `json:"at"`
}

// NoticeBefore is how long before the end of a trial its holder is told.
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

// Checked is what a check did.
type Checked struct {
	Noticed int // told that their trial ends soon
	Ended   int // lowered to the free plan, and told so
}

// Check tells whoever has a trial that ends within three days, once, and lowers whoever's trial is over to the free plan,
// once. A mark and its mail are one transaction. Deleted accounts are left alone; one that is recovered is seen to by the
// next check.
//
// Spec: not shown what tier an account has after its trial; the registration tier, free_trial, as decided, until there is a
// subscription: only the plan falls.
func (s *Service) Check(ctx context.Context) (Checked, error) {
	now := s.clock.Now().UTC().Truncate(time.Microsecond) // as the database keeps it
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

// all marks batch after batch until none is left, and enqueues the mail of each.
func (s *Service) all(ctx context.Context, kind string, mark func(ctx context.Context) ([]ending, error)) (int, error) {
	return jobs.EnqueueAll(ctx, s.db, batch, mark, func(ctx context.Context, e ending) error { return enqueue(ctx, s.queue, kind, e) })
}

// enqueue asks for the mail of a trial, in the transaction of its mark.
func enqueue(ctx context.Context, queue *jobs.Enqueuer, kind string, e ending) error {
	at := e.EndsAt.UTC()
	return notify.Enqueue(ctx, queue, notify.Notification{
		Kind: kind, UserID: e.ID, Key: fmt.Sprintf("%s:%d:%s", kind, e.ID, at.Format(time.RFC3339Nano)), Data: notice{at},
	})
}

// Handlers are the jobs of trials.
func Handlers(s *Service) []jobs.Handler {
	return []jobs.Handler{{Type: Job, Timeout: timeout, Retries: 3, Run: func(ctx context.Context, _ []byte) error {
		_, err := s.Check(ctx)
		return err
	}}}
}

// Schedules are the times of the check: daily at 6 in the morning, Eastern time.
func Schedules() []jobs.Schedule {
	return []jobs.Schedule{{Type: Job, Cron: "CRON_TZ=America/New_York 0 6 * * *", Bucket: jobs.Daily}}
}
