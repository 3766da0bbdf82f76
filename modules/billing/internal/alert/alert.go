// Package alert emails accounts whose charges have reached a threshold of their spending cap, or the limit of accounts without a
// subscription.
//
// The ledger writes the row of a threshold in the charge's transaction, once a month. This package makes one job of each row, right
// after the charge or, if the process ended in between, by a schedule.
package alert

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"gpatlas/modules/billing/internal/account"
	"gpatlas/modules/billing/internal/mailing"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/jobs"
	"gpatlas/platform/mail"
	"gpatlas/platform/module"
	"gpatlas/templates/email"
)

// The jobs: SweepJob finds thresholds whose mail is not enqueued, MailJob sends one mail.
const (
	SweepJob = "billing.sweep_alerts"
	MailJob  = "billing.mail_alert"
)

const (
	batch = 500
	// queueTimeout bounds how long a charged request waits for its alerts to be enqueued; the schedule enqueues them then.
	queueTimeout = 2 * time.Second
	billingPath  = "/account/billing"
	plansPath    = "/plans"
)

// Alert is the payload of MailJob.
type Alert struct {
	UserID    int64     `json:"user_id"`
	Period    time.Time `json:"period"`    // the month, by its first day
	Threshold int       `json:"threshold"` // percent, or account.UnbackedThreshold
}

// key is the natural key of the alert, and of its mail.
func (a Alert) key() string {
	return fmt.Sprintf("%s:%d:%s:%d", MailJob, a.UserID, a.Period.UTC().Format("2006-01"), a.Threshold)
}

// Service sends alerts.
type Service struct {
	db     *database.DB
	store  *store
	clock  clock.Clock
	queue  *jobs.Enqueuer
	mailer *mailing.Mailer
	log    *slog.Logger
}

// NewService works on db.
func NewService(db *database.DB, clk clock.Clock, queue *jobs.Enqueuer, mailer *mailing.Mailer, log *slog.Logger) *Service {
	return &Service{db: db, store: &store{db}, clock: clk, queue: queue, mailer: mailer, log: log}
}

// Part is what the slice provides.
func (s *Service) Part() module.Part {
	return module.Part{
		Jobs: []jobs.Handler{
			{Type: SweepJob, Timeout: time.Minute, Retries: 3, Run: func(ctx context.Context, _ []byte) error { return s.Sweep(ctx) }},
			mail.Job(MailJob, s.mail),
		},
		Schedules: []jobs.Schedule{{Type: SweepJob, Cron: "*/5 * * * *", Bucket: jobs.Minutely}},
		Models:    []any{row{}},
	}
}

// Alerted enqueues the mails of an account that has reached thresholds. The ledger calls it after a charge. A failure here does
// not undo the charge: the schedule retries.
func (s *Service) Alerted(ctx context.Context, userID int64) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), queueTimeout)
	defer cancel()
	if err := s.enqueue(ctx, &userID); err != nil {
		s.log.WarnContext(ctx, "spending alerts wait for the next sweep", slog.Int64("account", userID), slog.Any("error", err))
	}
}

// Sweep enqueues all mails that are not enqueued yet.
func (s *Service) Sweep(ctx context.Context) error { return s.enqueue(ctx, nil) }

// enqueue enqueues the mails of one account or of all. It leaves out rows that another process is marking.
func (s *Service) enqueue(ctx context.Context, userID *int64) error {
	_, err := jobs.EnqueueAll(ctx, s.db, batch, func(ctx context.Context) ([]Alert, error) {
		return s.store.markQueued(ctx, userID, s.clock.Now(), batch)
	}, func(ctx context.Context, a Alert) error {
		return s.queue.Enqueue(ctx, jobs.Job{Type: MailJob, Payload: a, TaskID: a.key()})
	})
	return err
}

// mail sends one alert, with the state when the threshold was reached.
func (s *Service) mail(ctx context.Context, a Alert) error {
	crossed, err := s.store.find(ctx, a)
	if err != nil || crossed == nil {
		return err
	}
	return s.mailer.Send(ctx, a.UserID, a.key(), func(to mailing.Recipient) email.Mail {
		if a.Threshold == account.UnbackedThreshold {
			return email.SpendingLimit{
				FullName: to.FullName, Spent: email.USD(crossed.SpentMicros), Limit: email.USD(crossed.CapMicros), ReachedAt: crossed.CrossedAt,
				NewMonth: crossed.Period.AddDate(0, 1, 0), URL: s.mailer.Page(plansPath), UnsubscribeURL: to.UnsubscribeURL,
			}
		}
		return email.SpendingAlert{
			FullName: to.FullName, Threshold: fmt.Sprintf("%d%%", a.Threshold), Spent: email.USD(crossed.SpentMicros),
			Cap: email.USD(crossed.CapMicros), CrossedAt: crossed.CrossedAt, NewMonth: crossed.Period.AddDate(0, 1, 0), URL: s.mailer.Page(billingPath),
			UnsubscribeURL: to.UnsubscribeURL,
		}
	})
}
