package ledger

import (
	"context"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"gpatlas/modules/billing/internal/account"
	"gpatlas/platform/apperr"
	"gpatlas/platform/charge"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/jobs"
	"gpatlas/platform/module"
	"gpatlas/platform/plaintext"
)

// The jobs of the books.
const (
	// VerifyJob verifies the ledger.
	VerifyJob = "billing.verify_ledger"
	// SweepJob removes executions that no request can refer to any more.
	SweepJob = "billing.sweep_executions"
)

const (
	verifyTimeout = time.Hour
	// executionsFor is how long executions are kept. Those of requests end after a day.
	executionsFor = 7 * 24 * time.Hour
	// loggedMax is how many faults one verification logs.
	loggedMax = 20
)

// Books are an operator's actions on the ledger.
type Books struct {
	db       *database.DB
	store    *store
	accounts *account.Store
	clock    clock.Clock
	log      *slog.Logger
	faults   prometheus.Gauge // nil counts nothing
}

// NewBooks works on db. A nil Registerer has no metric.
func NewBooks(db *database.DB, clk clock.Clock, log *slog.Logger, metrics prometheus.Registerer) *Books {
	b := &Books{db: db, store: &store{db}, accounts: account.NewStore(db), clock: clk, log: log.With(slog.String("part", "ledger"))}
	if metrics != nil {
		b.faults = prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "gpatlas_billing_ledger_faults", Help: "Faults that the last verification of the ledger found.",
		})
		metrics.MustRegister(b.faults)
	}
	return b
}

// Part is what the slice provides besides the meter.
func (b *Books) Part() module.Part {
	return module.Part{
		Exporters: []module.Exporter{{Name: "billing", For: b.ExportFor}},
		Purged:    []module.AccountListener{b.AccountPurged},
		Jobs: []jobs.Handler{
			{Type: VerifyJob, Queue: jobs.Low, Timeout: verifyTimeout, Retries: 3, Run: func(ctx context.Context, _ []byte) error { return b.watch(ctx) }},
			{Type: SweepJob, Queue: jobs.Low, Retries: 3, Run: func(ctx context.Context, _ []byte) error { return b.sweep(ctx) }},
		},
		Schedules: []jobs.Schedule{
			{Type: VerifyJob, Cron: "10 4 * * *", Bucket: jobs.Daily},
			{Type: SweepJob, Cron: "50 3 * * *", Bucket: jobs.Daily},
		},
	}
}

// Fault is a contradiction between tables of billing.
type Fault struct {
	UserID int64
	Period *time.Time // the month; nil if it is not known
	Fault  string
}

// Verify compares the ledger with the accounts' spending, entitlements, and the receipts of executions, all as of one instant,
// while charges continue.
func (b *Books) Verify(ctx context.Context) (faults []Fault, err error) {
	err = b.db.InTx(ctx, func(ctx context.Context) error {
		faults, err = b.store.verify(ctx)
		return err
	})
	return faults, err
}

// watch verifies the ledger and reports faults. A fault is no failure of the job: a retry would find it again.
func (b *Books) watch(ctx context.Context) error {
	faults, err := b.Verify(ctx)
	if err != nil {
		return err
	}
	if b.faults != nil {
		b.faults.Set(float64(len(faults)))
	}
	for _, f := range faults[:min(len(faults), loggedMax)] {
		b.log.ErrorContext(ctx, "the ledger has a fault", slog.Int64("account", f.UserID), slog.String("fault", f.Fault), slog.Int("faults", len(faults)))
	}
	return nil
}

// sweep removes old executions.
func (b *Books) sweep(ctx context.Context) error {
	return b.store.sweep(ctx, b.clock.Now().Add(-executionsFor))
}

// AdjustmentMax is the largest correction, in micro-dollars.
const AdjustmentMax = 1_000_000_000_000

// Adjust corrects an account's charges: a negative amount credits it. It returns the number of the row, and the new spending of
// the month. Neither the cap nor the limit of unbacked accounts applies to operators.
func (b *Books) Adjust(ctx context.Context, userID, micros int64, reason string) (id, spent int64, err error) {
	if micros == 0 || micros > AdjustmentMax || micros < -AdjustmentMax {
		return 0, 0, apperr.Invalid(apperr.FieldError{Field: "AMOUNT", Message: "must be from -" + charge.Dollars(AdjustmentMax) + " to " + charge.Dollars(AdjustmentMax) + ", and not 0"})
	}
	if reason == "" {
		return 0, 0, apperr.Invalid(apperr.FieldError{Field: "REASON", Message: "is required: it stays in the ledger for good"})
	}
	if message := plaintext.LineFault(reason); message != "" {
		return 0, 0, apperr.Invalid(apperr.FieldError{Field: "REASON", Message: message})
	}
	err = b.db.InTx(ctx, func(ctx context.Context) error {
		now := b.clock.Now().UTC()
		a, err := b.accounts.Lock(ctx, userID, now)
		if err != nil {
			return err
		}
		spent = a.SpentMicros + micros
		id, err = b.store.adjust(ctx, userID, now, micros, reason)
		return err
	})
	return id, spent, err
}

// Line is a row of the ledger in a statement.
type Line struct {
	ID           int64
	At           time.Time
	Operation    string
	Subject      string
	CRD          string
	Product      string
	Quantity     int
	UnitMicros   int64
	AmountMicros int64
	Mode         string
	KeyID        string
	RequestID    string
	Reason       string
}

// linesMax is how many rows of a statement are read at once.
const linesMax = 2_000

// Statement passes the rows of an account's month to show, in order.
func (b *Books) Statement(ctx context.Context, userID int64, month time.Time, show func(l *Line) error) error {
	for after := int64(0); ; {
		lines, err := b.store.lines(ctx, userID, account.Month(month), after)
		if err != nil {
			return err
		}
		for i := range lines {
			if err := show(&lines[i]); err != nil {
				return err
			}
		}
		if len(lines) < linesMax {
			return nil
		}
		after = lines[len(lines)-1].ID
	}
}
