package alert_test

import (
	"context"
	"errors"
	"log/slog"
	"sort"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/billing/internal/account"
	"gpatlas/modules/billing/internal/alert"
	"gpatlas/modules/billing/internal/ledger"
	"gpatlas/modules/billing/internal/mailing"
	"gpatlas/modules/billing/internal/testkit/mailingtest"
	"gpatlas/platform/auth"
	"gpatlas/platform/charge"
	"gpatlas/platform/database"
	"gpatlas/platform/jobs"
	"gpatlas/platform/mail"
	"gpatlas/platform/module"
	"gpatlas/platform/testkit/clocktest"
	"gpatlas/platform/testkit/dbtest"
	"gpatlas/platform/testkit/jobstest"
	"gpatlas/platform/testkit/mailtest"
)

const dollar = 1_000_000

// bench is a ledger whose alerts leave through an SMTP server.
type bench struct {
	db       *database.DB
	clock    *clocktest.Clock
	accounts *mailingtest.Directory
	server   *mailtest.Server
	alerts   *alert.Service
	part     module.Part
	meter    *ledger.Meter
}

func setup(t *testing.T) *bench {
	t.Helper()
	b := &bench{db: dbtest.New(t), clock: clocktest.At("2026-11-22T12:00:00Z"), accounts: mailingtest.NewDirectory(mailingtest.Ada(1)), server: mailtest.NewServer(t, mailtest.Options{})}
	sender, err := mail.New(b.server.Config(), b.clock)
	require.NoError(t, err)
	b.alerts = alert.NewService(b.db, b.clock, jobs.NewEnqueuer(b.db), mailing.NewMailer(b.accounts, mailingtest.Wishes{}, sender, mailingtest.Base), slog.New(slog.DiscardHandler))
	b.part = b.alerts.Part()
	b.meter = ledger.NewMeter(b.db, b.clock, slog.New(slog.DiscardHandler), ledger.Rules{}, ledger.Hooks{Alerted: b.alerts.Alerted})
	return b
}

func (b *bench) set(t *testing.T, userID, capMicros int64, thresholds ...int16) {
	t.Helper()
	_, err := account.NewStore(b.db).Update(t.Context(), userID, b.clock.Now(), func(a *account.Account) error {
		a.CapMicros, a.Thresholds = &capMicros, thresholds
		return nil
	})
	require.NoError(t, err)
}

// spend charges one dollar n times at the same time, and returns how many charges were refused.
func (b *bench) spend(t *testing.T, meter *ledger.Meter, userID int64, n int) (refused int) {
	t.Helper()
	ctx := auth.With(t.Context(), &auth.Principal{Kind: auth.Session, UserID: userID})
	item := charge.Item{Operation: "get-gp-metrics", Subject: "900001", CRD: "900001", Per: charge.PerRequest, UnitMicros: dollar, RequestID: "r"}
	var wg sync.WaitGroup
	var mutex sync.Mutex
	for range n {
		wg.Go(func() {
			if _, err := meter.Charge(ctx, item); err != nil {
				mutex.Lock()
				defer mutex.Unlock()
				refused++
			}
		})
	}
	wg.Wait()
	return refused
}

// mailed delivers what waits, twice over, and gives the subjects of the different mails that have come so far.
func (b *bench) mailed(t *testing.T) []string {
	t.Helper()
	waiting := jobstest.Waiting(t, b.db)
	jobstest.Deliver(t, b.db, b.part.Jobs...)
	subjects := map[string]string{}
	for _, got := range b.server.Messages() {
		m := mailtest.Parse(t, got.Data)
		subjects[m.Header.Get("Message-Id")] = m.Header.Get("Subject")
		require.Equal(t, "billing", m.Header.Get("X-Gpa-Category"))
	}
	tasks := map[string]bool{}
	for _, job := range waiting {
		require.False(t, tasks[job.TaskID], "%s is enqueued twice", job.TaskID)
		tasks[job.TaskID] = true
	}
	list := []string{}
	for _, s := range subjects {
		list = append(list, s)
	}
	sort.Strings(list)
	return list
}

func reached(percents ...string) []string {
	list := []string{}
	for _, p := range percents {
		if p == "0%" {
			list = append(list, "Your spending has begun")
			continue
		}
		list = append(list, "Your spending has reached "+p+" of your cap")
	}
	sort.Strings(list)
	return list
}

func (b *bench) sweep(t *testing.T) {
	t.Helper()
	require.NoError(t, b.alerts.Sweep(t.Context()))
}

// A hundred charges at the same time cross three thresholds: three mails. Raising the cap sends none of them again, a new
// month all of them.
func TestThresholdsAreMailedOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.set(t, 1, 100*dollar, 50, 80, 100)
	require.Zero(t, b.spend(t, b.meter, 1, 100))
	require.Equal(t, reached("50%", "80%", "100%"), b.mailed(t))
	require.Len(t, b.server.Messages(), 3)
	require.Equal(t, 5, b.spend(t, b.meter, 1, 5), "the cap is reached")

	b.set(t, 1, 200*dollar, 50, 80, 100)
	require.Zero(t, b.spend(t, b.meter, 1, 100))
	b.sweep(t)
	require.Len(t, b.mailed(t), 3)
	require.Len(t, b.server.Messages(), 3)

	b.clock.Set(clocktest.Instant("2026-12-01T00:00:00Z"))
	require.Zero(t, b.spend(t, b.meter, 1, 160))
	b.mailed(t)
	require.Len(t, b.server.Messages(), 5, "50% and 80% of the new month")
}

// The words of a mail are those of the moment when the threshold was reached.
func TestMail(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.set(t, 1, 10*dollar, 0, 80)
	require.Zero(t, b.spend(t, b.meter, 1, 8))
	require.Zero(t, b.spend(t, b.meter, 1, 1))
	b.set(t, 1, 1000*dollar)
	require.Equal(t, reached("0%", "80%"), b.mailed(t))
	for _, got := range b.server.Messages() {
		m := mailtest.Parse(t, got.Data)
		require.Equal(t, "ada@larkspur.example", got.To)
		require.Equal(t, "https://atlas.example/account/billing", mailtest.Link(t, m.Text))
		require.Contains(t, m.Text, "zero on 1 December 2026")
		if strings.Contains(m.Header.Get("Subject"), "80%") {
			require.Contains(t, m.Text, "8.00 USD of 10.00 USD on 22 November 2026 at 12:00 UTC")
		}
	}
}

// Without a cap or without thresholds, nothing is told; neither are accounts that are gone.
func TestNothingToTell(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.Zero(t, b.spend(t, b.meter, 1, 30))
	b.set(t, 2, 10*dollar)
	require.Zero(t, b.spend(t, b.meter, 2, 10))
	require.Empty(t, jobstest.Waiting(t, b.db))
	b.set(t, 3, 10*dollar, 50)
	require.Zero(t, b.spend(t, b.meter, 3, 10))
	require.Len(t, jobstest.Waiting(t, b.db), 1)
	require.Empty(t, b.mailed(t), "the account is not in the directory")
}

// What the process did not live to enqueue, the schedule does, once, however many workers there are.
func TestSweep(t *testing.T) {
	t.Parallel()
	b := setup(t)
	silent := ledger.NewMeter(b.db, b.clock, slog.New(slog.DiscardHandler), ledger.Rules{}, ledger.Hooks{})
	for userID := int64(1); userID <= 5; userID++ {
		b.set(t, userID, 10*dollar, 50, 100)
		require.Zero(t, b.spend(t, silent, userID, 10))
	}
	require.Empty(t, jobstest.Waiting(t, b.db))
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() { b.sweep(t) })
	}
	wg.Wait()
	require.Len(t, jobstest.Waiting(t, b.db), 10)
	require.Equal(t, reached("50%", "100%"), b.mailed(t), "of the one account that there is")
	b.sweep(t)
	require.Empty(t, jobstest.Waiting(t, b.db))

	schedule := b.part.Schedules[0]
	require.Equal(t, alert.SweepJob, schedule.Type)
	require.NotEqual(t, schedule.Bucket(b.clock.Now()), schedule.Bucket(b.clock.Now().Add(5*time.Minute)))
}

// A mail server that is unavailable delays a mail, and nothing is sent twice under two names.
func TestFailures(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.set(t, 1, 10*dollar, 100)
	require.Zero(t, b.spend(t, b.meter, 1, 10))
	payload := []byte(jobstest.Waiting(t, b.db)[0].Payload)
	send := b.part.Jobs[1]
	require.Equal(t, alert.MailJob, send.Type)
	b.server.Refuse(mailtest.AtRecipient, 451, "later")
	err := send.Run(t.Context(), payload)
	require.Error(t, err)
	require.False(t, jobstest.Never(err))
	b.server.Refuse(mailtest.AtRecipient, 550, "never")
	require.True(t, jobstest.Never(send.Run(t.Context(), payload)))
	b.server.Refuse(mailtest.AtRecipient, 0, "")
	for range 2 {
		require.NoError(t, send.Run(t.Context(), payload))
	}
	require.Len(t, b.mailed(t), 1, "the same mail")
	require.True(t, jobstest.Never(send.Run(t.Context(), []byte("x"))))
	require.NoError(t, send.Run(t.Context(), []byte(`{"user_id":9,"period":"2026-11-01T00:00:00Z","threshold":80}`)), "no such alert")
	b.accounts.Fail(errors.New("away"))
	require.Error(t, send.Run(t.Context(), payload))
	b.db.Close()
	b.alerts.Alerted(t.Context(), 1) // says nothing to the charged caller
	require.Error(t, b.alerts.Sweep(context.WithoutCancel(t.Context())))
}

// An account without a subscription hears once a month that it has reached its limit: by a charge that reaches it exactly, or by the
// first refusal, of a fee before any work is done or of units.
func TestTheLimitIsMailedOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	meter := func() *ledger.Meter {
		return ledger.NewMeter(b.db, b.clock, slog.New(slog.DiscardHandler), ledger.Rules{UnbackedMicros: new(int64(5 * dollar / 2))}, ledger.Hooks{Alerted: b.alerts.Alerted})
	}
	one := meter()
	require.Zero(t, b.spend(t, one, 1, 2))
	require.Empty(t, b.mailed(t))
	require.Equal(t, 5, b.spend(t, one, 1, 5))
	require.Equal(t, 5, b.spend(t, meter(), 1, 5), "another process")
	ctx := auth.With(t.Context(), &auth.Principal{Kind: auth.Session, UserID: 1})
	item := charge.Item{Operation: "get-gp-metrics", Subject: "900001", Per: charge.PerRequest, UnitMicros: dollar}
	require.Error(t, meter().Allow(ctx, item))
	want := []string{"Spending limit for accounts without a subscription reached"}
	require.Equal(t, want, b.mailed(t))
	b.clock.Set(clocktest.Instant("2026-12-01T00:00:00Z"))
	item.UnitMicros = 5 * dollar / 2
	_, err := one.Charge(ctx, item)
	require.NoError(t, err)
	require.Len(t, b.mailed(t), 2, "exactly the limit, in the next month")
	b.clock.Set(clocktest.Instant("2027-01-01T00:00:00Z"))
	item.UnitMicros = 3 * dollar
	require.Error(t, one.Allow(ctx, item))
	require.Error(t, one.Allow(ctx, item))
	require.Len(t, b.mailed(t), 3, "refused before anything was charged")
	_, err = database.Run(t.Context(), b.db, "", "UPDATE billing.accounts SET backed = true", nil)
	require.NoError(t, err)
	b.clock.Set(clocktest.Instant("2027-02-01T00:00:00Z"))
	_, err = one.Charge(ctx, item)
	require.NoError(t, err)
	require.Len(t, b.mailed(t), 3, "with a subscription there is no limit")
}
