package account

import (
	"context"
	"errors"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"gpatlas/platform/database"
)

// Store reads and writes accounts.
type Store struct{ db *database.DB }

// NewStore works on db.
func NewStore(db *database.DB) *Store { return &Store{db} }

// Ensure creates the row of an account if it is missing.
func (s *Store) Ensure(ctx context.Context, userID int64, now time.Time) error {
	row := New(userID, Month(now))
	err := s.db.From(ctx).Clauses(clause.OnConflict{DoNothing: true}).Create(&row).Error
	return database.Failure("make a billing account", err)
}

// Find reads an account. One without a row is New.
func (s *Store) Find(ctx context.Context, userID int64, now time.Time) (Account, error) {
	var row Account
	err := s.db.From(ctx).Where("user_id = ?", userID).Take(&row).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return New(userID, Month(now)), nil
	}
	return row.At(now), database.Failure("read a billing account", err)
}

// FindByCustomer finds the account of a customer of Stripe; 0 for none.
func (s *Store) FindByCustomer(ctx context.Context, customer string) (userID int64, err error) {
	var row Account
	err = s.db.From(ctx).Select("user_id").Where("stripe_customer = ?", customer).Take(&row).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return 0, nil
	}
	return row.UserID, database.Failure("look for a billing account", err)
}

// WithWeeklyDigest returns those of some accounts that want their digest on Mondays.
func (s *Store) WithWeeklyDigest(ctx context.Context, userIDs []int64) ([]int64, error) {
	const statement = "SELECT user_id FROM billing.accounts WHERE user_id = ANY (@users) AND weekly_digest"
	return database.Values[int64](ctx, s.db, "read who wants weekly digests", statement, database.Args{"users": userIDs})
}

// Lock creates an account's row if it is missing, and locks it until the transaction of ctx ends: no charge is made meanwhile.
// It is called in a transaction, before any other table of billing is written.
func (s *Store) Lock(ctx context.Context, userID int64, now time.Time) (Account, error) {
	row, err := s.lock(ctx, userID)
	if errors.Is(err, gorm.ErrRecordNotFound) {
		if err := s.Ensure(ctx, userID, now); err != nil {
			return Account{}, err
		}
		row, err = s.lock(ctx, userID)
	}
	return row.At(now), database.Failure("lock a billing account", err)
}

func (s *Store) lock(ctx context.Context, userID int64) (row Account, err error) {
	err = s.db.From(ctx).Clauses(clause.Locking{Strength: "UPDATE"}).Where("user_id = ?", userID).Take(&row).Error
	return row, err
}

// columns are the columns that Update writes: all except the ledger's.
var columns = []string{
	"CapMicros", "Thresholds", "OneClickEnabled", "OneClickThresholdMicros", "EmailReceipts", "WeeklyDigest", "Backed", "StripeCustomer",
}

// Update changes an account under its lock, and returns the result. Changes of the spending are not written.
func (s *Store) Update(ctx context.Context, userID int64, now time.Time, change func(a *Account) error) (a Account, err error) {
	err = s.db.InTx(ctx, func(ctx context.Context) error {
		if a, err = s.Lock(ctx, userID, now); err != nil {
			return err
		}
		if err := change(&a); err != nil {
			return err
		}
		return database.Failure("change a billing account", s.db.From(ctx).Model(&a).Select(columns).Updates(&a).Error)
	})
	return a, err
}

// Forget resets an account's settings, and unlinks its customer. The spending stays.
func (s *Store) Forget(ctx context.Context, userID int64) error {
	none := New(userID, time.Time{})
	err := s.db.From(ctx).Model(&Account{}).Where("user_id = ?", userID).Select(columns).Updates(&none).Error
	return database.Failure("forget a billing account", err)
}
