package receipt_test

import (
	"context"
	"errors"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/billing/internal/account"
	"gpatlas/modules/billing/internal/ledger"
	"gpatlas/modules/billing/internal/receipt"
	"gpatlas/modules/billing/internal/testkit/mailingtest"
	"gpatlas/platform/auth"
	"gpatlas/platform/charge"
	"gpatlas/platform/database"
	"gpatlas/platform/jobs"
	"gpatlas/platform/mail"
	"gpatlas/platform/testkit/clocktest"
	"gpatlas/platform/testkit/dbtest"
	"gpatlas/platform/testkit/jobstest"
	"gpatlas/platform/testkit/mailtest"
)

const half = 500_000

type bench struct {
	db      *database.DB
	clock   *clocktest.Clock
	service *receipt.Service
	meter   *ledger.Meter
	mails   *mailtest.Capture
}

func setup(t *testing.T) *bench {
	t.Helper()
	b := &bench{db: dbtest.New(t), clock: clocktest.At("2026-11-22T12:00:00Z")}
	mailer, mails := mailingtest.Mailer(mailingtest.NewDirectory(mailingtest.Ada(1)))
	b.mails, b.service = mails, receipt.NewService(b.db, b.clock, jobs.NewEnqueuer(b.db), mailer)
	b.meter = ledger.NewMeter(b.db, b.clock, slog.New(slog.DiscardHandler), ledger.Rules{}, ledger.Hooks{Bought: b.service.Bought})
	return b
}

// buy buys units of a team; mode is that of the key.
func (b *bench) buy(t *testing.T, userID int64, mode, crd string, units ...string) {
	t.Helper()
	_, err := b.meter.Charge(auth.With(t.Context(), &auth.Principal{Kind: auth.Session, UserID: userID, Mode: mode}), charge.Item{
		Operation: "get-team", Subject: crd, CRD: crd, Per: charge.PerPerson, UnitMicros: half, RequestID: "r", Product: "roster", Units: units,
	})
	require.NoError(t, err)
}

// mailed sweeps, delivers what waits twice over, and gives the different mails so far.
func (b *bench) mailed(t *testing.T) (list []mail.Message) {
	t.Helper()
	require.NoError(t, b.service.Sweep(t.Context()))
	for _, job := range jobstest.Waiting(t, b.db) {
		require.NoError(t, b.service.Part().Jobs[1].Run(t.Context(), []byte(job.Payload)))
	}
	jobstest.Deliver(t, b.db, b.service.Part().Jobs...)
	seen := map[string]mail.Message{}
	for _, m := range b.mails.Messages() {
		if first, again := seen[m.MessageID]; again {
			require.Equal(t, first, m, "a second run sends the same mail")
			continue
		}
		seen[m.MessageID] = m
		list = append(list, m)
	}
	return list
}

// 40 purchases of a unit each are one mail with one line for a manager. The next mail is an hour later, with what was bought since.
func TestOneMailAnHour(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for i := range 40 {
		b.buy(t, 1, "", "900001", "p"+strconv.Itoa(i))
	}
	b.buy(t, 1, "", "900002", "q1", "q2")
	b.buy(t, 1, "", "900002", "q1", "q2")                  // owned
	b.buy(t, 1, auth.ModeTest, "900001", "only looked at") // free
	require.Empty(t, b.mailed(t), "others may follow")
	b.clock.Move(5 * time.Minute)
	first := b.mailed(t)
	require.Len(t, first, 1)
	require.Equal(t, "Receipt for 41 purchases: 21.00 USD", first[0].Subject)
	text := strings.Join(strings.Fields(first[0].Text), " ")
	require.Contains(t, text, "- Harbor Ridge Capital Partners LLC (CRD 900001): 40 people of the team or alumni, 0.50 USD each, 20.00 USD - CRD 900002: 2 people of the team or alumni, 0.50 USD each, 1.00 USD ")
	require.Equal(t, "billing", first[0].Category)
	require.Equal(t, mailingtest.Stop, first[0].UnsubscribeURL)

	b.buy(t, 1, "", "900001", "later")
	for range 11 { // 55 minutes
		b.clock.Move(5 * time.Minute)
		require.Len(t, b.mailed(t), 1)
	}
	b.buy(t, 1, "", "900001", "much later")
	b.clock.Move(5 * time.Minute)
	sent := b.mailed(t)
	require.Len(t, sent, 2)
	require.Equal(t, "Receipt for 2 purchases: 1.00 USD", sent[1].Subject)
}

// Requests that are charged each are no purchases. The mail states what they cost since the receipt before, or since the month began,
// so that it does not leave out charges without a word.
func TestFeesAreStated(t *testing.T) {
	t.Parallel()
	b := setup(t)
	fee := func(userID, micros int64, mode string) {
		t.Helper()
		_, err := b.meter.Charge(auth.With(t.Context(), &auth.Principal{Kind: auth.Session, UserID: userID, Mode: mode}), charge.Item{
			Operation: "get-gp-metrics", Subject: "900001", CRD: "900001", Per: charge.PerRequest, UnitMicros: micros, RequestID: "r",
		})
		require.NoError(t, err)
	}
	fee(1, 150_000, "")
	fee(1, 150_000, auth.ModeTest)
	fee(2, 250_000, "")
	b.buy(t, 1, "", "900001", "a")
	fee(1, half, "")
	b.clock.Move(5 * time.Minute)
	text := func(m mail.Message) string { return strings.Join(strings.Fields(m.Text), " ") }
	first := b.mailed(t)
	require.Len(t, first, 1)
	require.Equal(t, "Receipt for 1 purchase: 0.50 USD", first[0].Subject)
	require.Contains(t, text(first[0]), "Requests that are charged each cost 0.65 USD between 1 November 2026 at 00:00 UTC and 22 November 2026 at 12:05 UTC. "+
		"They are not purchases and not in this receipt. GET /v1/me/purchases lists all charges.")

	b.clock.Move(time.Minute)
	fee(1, 250_000, "")
	b.buy(t, 1, "", "900001", "b")
	b.clock.Move(time.Hour)
	second := b.mailed(t)
	require.Len(t, second, 2)
	require.Contains(t, text(second[1]), "charged each cost 0.25 USD between 22 November 2026 at 12:05 UTC and 22 November 2026 at 13:06 UTC.")

	b.buy(t, 1, "", "900001", "c")
	b.clock.Move(time.Hour)
	third := b.mailed(t)
	require.Len(t, third, 3)
	require.NotContains(t, text(third[2]), "charged each", "there were none")
}

// Receipts are for those who want them. One that cannot be noted undoes the charge.
func TestNotWanted(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, err := account.NewStore(b.db).Update(t.Context(), 1, b.clock.Now(), func(a *account.Account) error { a.EmailReceipts = false; return nil })
	require.NoError(t, err)
	b.buy(t, 1, "", "900001", "a")
	b.buy(t, 2, "", "900001", "a") // of an account that is not in the directory
	b.clock.Move(time.Hour)
	require.Empty(t, b.mailed(t))

	meter := ledger.NewMeter(b.db, b.clock, slog.New(slog.DiscardHandler), ledger.Rules{}, ledger.Hooks{Bought: func(ctx context.Context, bought ledger.Bought) error {
		require.NoError(t, b.service.Bought(ctx, bought))
		return context.DeadlineExceeded
	}})
	_, err = meter.Charge(auth.With(t.Context(), &auth.Principal{Kind: auth.Session, UserID: 3}), charge.Item{Operation: "x", Product: "roster", Units: []string{"a"}, UnitMicros: half, Per: charge.PerPerson})
	require.Error(t, err)
	require.Equal(t, []int64{2}, b.values(t, "SELECT user_id FROM billing.receipt_lines"))
	require.NoError(t, b.service.Part().Purged[0](t.Context(), 2))
	require.Empty(t, b.values(t, "SELECT user_id FROM billing.receipt_lines"))
}

func (b *bench) values(t *testing.T, statement string) []int64 {
	t.Helper()
	list, err := database.Values[int64](t.Context(), b.db, "", statement, nil)
	require.NoError(t, err)
	return list
}

// Guarantee: each purchase is in exactly one receipt, while accounts buy, two workers sweep, and sweeps are killed in the middle.
func TestNothingIsLost(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const accounts, purchases = 5, 20
	var wg sync.WaitGroup
	for userID := int64(1); userID <= accounts; userID++ {
		wg.Go(func() {
			for i := range purchases {
				b.buy(t, userID, "", "900001", "p"+strconv.Itoa(i))
			}
		})
	}
	killed := errors.New("killed")
	for range 2 {
		wg.Go(func() {
			for i := range 20 {
				b.clock.Move(10 * time.Minute)
				err := b.db.InTx(t.Context(), func(ctx context.Context) error {
					if err := b.service.Sweep(ctx); err != nil {
						return err
					}
					if i%2 == 0 {
						return killed
					}
					return nil
				})
				if err != nil && !errors.Is(err, killed) {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	b.clock.Move(2 * time.Hour)
	require.NoError(t, b.service.Sweep(t.Context()))
	require.Empty(t, b.values(t, "SELECT charge_id FROM billing.receipt_lines WHERE made_at IS NULL"))
	require.Len(t, b.values(t, "SELECT charge_id FROM billing.receipt_lines"), accounts*purchases)
	tasks := map[string]bool{}
	for _, job := range jobstest.Waiting(t, b.db) {
		require.False(t, tasks[job.TaskID], "%s is enqueued twice", job.TaskID)
		tasks[job.TaskID] = true
	}
	require.Len(t, tasks, int(b.values(t, "SELECT count(*) FROM (SELECT DISTINCT user_id, made_at FROM billing.receipt_lines) r")[0]), "a mail for each receipt")
	require.Empty(t, b.values(t, `SELECT a.user_id FROM billing.receipt_lines a JOIN billing.receipt_lines b USING (user_id)
		WHERE a.made_at < b.made_at AND b.made_at - a.made_at < interval '1 hour'`), "two within the hour")
}

func TestFaults(t *testing.T) {
	t.Parallel()
	b := setup(t)
	send := b.service.Part().Jobs[1]
	require.True(t, jobstest.Never(send.Run(t.Context(), []byte("x"))))
	require.NoError(t, send.Run(t.Context(), []byte(`{"user_id":1,"made_at":"2026-11-22T12:00:00Z"}`)), "there is no such receipt")
	b.db.Close()
	require.Error(t, send.Run(t.Context(), []byte(`{"user_id":1,"made_at":"2026-11-22T12:00:00Z"}`)))
	require.Error(t, b.service.Sweep(t.Context()))
}
