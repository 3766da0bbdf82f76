package account_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/billing/internal/account"
	"gpatlas/platform/apperr"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/clocktest"
	"gpatlas/platform/testkit/dbtest"
)

var (
	now      = clocktest.Instant("2026-11-22T12:00:00Z")
	november = clocktest.Instant("2026-11-01T00:00:00Z")
)

func TestMonth(t *testing.T) {
	t.Parallel()
	for at, want := range map[string]string{
		"2026-11-01T00:00:00Z":           "2026-11-01T00:00:00Z",
		"2026-11-30T23:59:59.999Z":       "2026-11-01T00:00:00Z",
		"2026-11-30T23:30:00-05:00":      "2026-12-01T00:00:00Z",
		"2027-01-01T01:00:00.5+02:00":    "2026-12-01T00:00:00Z",
		"2026-12-01T00:00:00.000000001Z": "2026-12-01T00:00:00Z",
	} {
		require.Equal(t, clocktest.Instant(want), account.Month(clocktest.Instant(at)), at)
	}
}

func TestModels(t *testing.T) {
	t.Parallel()
	dbtest.CheckModels(t, dbtest.New(t), account.Models()...)
}

// The defaults of the columns are those of New.
func TestEnsure(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	s := account.NewStore(db)
	_, err := database.Run(t.Context(), db, "", "INSERT INTO billing.accounts (user_id, period) VALUES (1, '2026-11-01')", nil)
	require.NoError(t, err)
	require.NoError(t, s.Ensure(t.Context(), 2, now))
	require.NoError(t, s.Ensure(t.Context(), 2, now.AddDate(0, 1, 0)), "twice")
	for _, userID := range []int64{1, 2, 3} {
		a, err := s.Find(t.Context(), userID, now)
		require.NoError(t, err)
		require.Equal(t, account.New(userID, november), a)
	}
	rows, err := database.Values[int64](t.Context(), db, "", "SELECT user_id FROM billing.accounts ORDER BY 1", nil)
	require.NoError(t, err)
	require.Equal(t, []int64{1, 2}, rows, "Find wrote a row")
}

func TestAccountInAnotherMonth(t *testing.T) {
	t.Parallel()
	a := account.New(1, november)
	a.SpentMicros = 7
	require.Equal(t, a, a.At(now))
	require.Equal(t, a, a.At(now.AddDate(0, -1, 0)), "a clock that is behind")
	december := a.At(clocktest.Instant("2026-12-01T00:00:00Z"))
	require.Equal(t, clocktest.Instant("2026-12-01T00:00:00Z"), december.Period)
	require.Zero(t, december.SpentMicros)
}

func TestUpdate(t *testing.T) {
	t.Parallel()
	s := account.NewStore(dbtest.New(t))
	customer := "cus_1"
	changed, err := s.Update(t.Context(), 1, now, func(a *account.Account) error {
		a.CapMicros, a.Thresholds, a.OneClickEnabled, a.OneClickThresholdMicros = new(int64(10_000_000)), account.Percents{}, false, 5_000_000
		a.EmailReceipts, a.WeeklyDigest, a.Backed, a.StripeCustomer = false, true, true, &customer
		return nil
	})
	require.NoError(t, err)
	found, err := s.Find(t.Context(), 1, now)
	require.NoError(t, err)
	require.Equal(t, changed, found)
	require.Equal(t, account.Percents{}, found.Thresholds)

	userID, err := s.FindByCustomer(t.Context(), customer)
	require.NoError(t, err)
	require.EqualValues(t, 1, userID)
	userID, err = s.FindByCustomer(t.Context(), "cus_2")
	require.NoError(t, err)
	require.Zero(t, userID)

	_, err = s.Update(t.Context(), 1, now, func(a *account.Account) error { a.CapMicros = nil; a.SpentMicros = 99; return nil })
	require.NoError(t, err)
	wrong := errors.New("no")
	_, err = s.Update(t.Context(), 1, now, func(a *account.Account) error { a.Backed = false; return wrong })
	require.ErrorIs(t, err, wrong)
	found, err = s.Find(t.Context(), 1, now)
	require.NoError(t, err)
	require.Nil(t, found.CapMicros)
	require.True(t, found.Backed, "what fails changes nothing")
	require.Zero(t, found.SpentMicros, "the ledger alone changes it")
}

// Updates of one account wait for each other.
func TestUpdatesAtTheSameTime(t *testing.T) {
	t.Parallel()
	s := account.NewStore(dbtest.New(t))
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			_, err := s.Update(t.Context(), 1, now, func(a *account.Account) error { a.OneClickThresholdMicros++; return nil })
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	a, err := s.Find(t.Context(), 1, now)
	require.NoError(t, err)
	require.EqualValues(t, 25_000_020, a.OneClickThresholdMicros)
}

func TestWithoutADatabase(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	s := account.NewStore(db)
	db.Close()
	for what, ask := range map[string]func(ctx context.Context) error{
		"Ensure":         func(ctx context.Context) error { return s.Ensure(ctx, 1, time.Time{}) },
		"Find":           func(ctx context.Context) error { _, err := s.Find(ctx, 1, now); return err },
		"FindByCustomer": func(ctx context.Context) error { _, err := s.FindByCustomer(ctx, "cus_1"); return err },
		"Update": func(ctx context.Context) error {
			_, err := s.Update(ctx, 1, now, func(*account.Account) error { return nil })
			return err
		},
	} {
		require.Equal(t, apperr.KindUnavailable, apperr.From(ask(t.Context())).Kind, what)
	}
}
