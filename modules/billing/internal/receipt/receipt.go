// Package receipt sends receipts for permanent purchases: at most one mail an hour to each account, with all purchases since
// the previous one. Fees have no receipts, because there are too many. The mail states their sum.
//
// Spec: not shown; a receipt lists what the account owns from then on. Fees entitle to nothing.
//
// The ledger writes a row for each purchase in the transaction of its charge. A sweep puts the rows of an account that wait
// into one receipt, in one transaction with the job of its mail: a purchase is in exactly one receipt.
package receipt

import (
	"context"
	"fmt"
	"time"

	"gpatlas/modules/billing/internal/ledger"
	"gpatlas/modules/billing/internal/mailing"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/jobs"
	"gpatlas/platform/mail"
	"gpatlas/platform/module"
)

// The jobs: SweepJob makes receipts of waiting purchases, MailJob sends one.
const (
	SweepJob = "billing.sweep_receipts"
	MailJob  = "billing.mail_receipt"
)

const (
	// every is the shortest time between two receipts of an account.
	every = time.Hour
	// settle is how long a purchase waits for others before its receipt is made.
	settle = 5 * time.Minute
	batch  = 500 // accounts of one transaction
)

// Receipt is the payload of MailJob.
type Receipt struct {
	UserID int64     `json:"user_id"`
	MadeAt time.Time `json:"made_at"`
}

// key is the natural key of the receipt, and of its mail.
func (r Receipt) key() string {
	return fmt.Sprintf("%s:%d:%s", MailJob, r.UserID, r.MadeAt.UTC().Format(time.RFC3339Nano))
}

// Service makes and sends receipts.
type Service struct {
	db     *database.DB
	store  *store
	clock  clock.Clock
	queue  *jobs.Enqueuer
	mailer *mailing.Mailer
}

// NewService works on db.
func NewService(db *database.DB, clk clock.Clock, queue *jobs.Enqueuer, mailer *mailing.Mailer) *Service {
	return &Service{db: db, store: &store{db}, clock: clk, queue: queue, mailer: mailer}
}

// Part is what the slice provides.
func (s *Service) Part() module.Part {
	return module.Part{
		Jobs: []jobs.Handler{
			{Type: SweepJob, Timeout: time.Minute, Retries: 3, Run: func(ctx context.Context, _ []byte) error { return s.Sweep(ctx) }},
			mail.Job(MailJob, s.mail),
		},
		Schedules: []jobs.Schedule{{Type: SweepJob, Cron: "*/5 * * * *", Bucket: jobs.Minutely}},
		Models:    []any{line{}}, Purged: []module.AccountListener{s.store.forget},
	}
}

// Bought stores a purchase. The ledger calls it in the transaction of the charge, for accounts that want receipts.
func (s *Service) Bought(ctx context.Context, b ledger.Bought) error {
	return s.store.add(ctx, line{ChargeID: b.ChargeID, UserID: b.UserID, BoughtAt: s.clock.Now().UTC()})
}

// Sweep makes the receipts that are due. It may run twice, also concurrently: the second waits for the first.
func (s *Service) Sweep(ctx context.Context) error {
	_, err := jobs.EnqueueAll(ctx, s.db, batch, func(ctx context.Context) (made []Receipt, err error) {
		now := s.clock.Now().UTC().Truncate(time.Microsecond) // as the database keeps it
		users, err := s.store.makeReceipts(ctx, now, now.Add(-settle), now.Add(-every), batch)
		for _, userID := range users {
			made = append(made, Receipt{UserID: userID, MadeAt: now})
		}
		return made, err
	}, func(ctx context.Context, r Receipt) error {
		return s.queue.Enqueue(ctx, jobs.Job{Type: MailJob, Payload: r, TaskID: r.key()})
	})
	return err
}
