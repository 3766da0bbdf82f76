package free

import (
	"context"

	"gpatlas/platform/database"
)

// row is a row of keys.free_calls.
type row struct {
	UserID int64 `gorm:"column:user_id;primaryKey"`
	Used   int64 `gorm:"column:used"`
}

// TableName is where the counts stand.
func (row) TableName() string { return "keys.free_calls" }

// Models are the structures that mirror tables, for the test that compares the two.
func Models() []any { return []any{row{}} }

// Store keeps the counts.
type Store struct{ db *database.DB }

// NewStore works on db.
func NewStore(db *database.DB) *Store { return &Store{db: db} }

// grant takes calls ahead for an account, after paying those that are owed, and says how many; 0 when none are left.
func (s *Store) grant(ctx context.Context, userID, owed int64) (granted int64, err error) {
	if owed > 0 {
		if err := s.settle(ctx, userID, -owed); err != nil {
			return 0, err
		}
	}
	granted, err = s.take(ctx, userID)
	if granted > 0 || err != nil {
		return granted, err
	}
	// None left; or the first call of the account, which may be begun in another process at this very moment.
	if err := s.db.From(ctx).Exec("INSERT INTO keys.free_calls (user_id, used) VALUES (?, 0) ON CONFLICT DO NOTHING", userID).Error; err != nil {
		return 0, database.Failure("begin to count free calls", err)
	}
	return s.take(ctx, userID)
}

// take takes calls of an account whose count is there; 0 when it is not, or none are left.
func (s *Store) take(ctx context.Context, userID int64) (int64, error) {
	var list []int64
	err := s.db.From(ctx).Raw(`UPDATE keys.free_calls f SET used = f.used + g.n
		FROM (SELECT user_id, greatest(1, least(20, (@limit - used) / 50)) AS n FROM keys.free_calls
			WHERE user_id = @user AND used < @limit FOR UPDATE) g
		WHERE f.user_id = g.user_id RETURNING g.n`, map[string]any{"limit": Limit, "user": userID}).Scan(&list).Error
	if err != nil || len(list) == 0 {
		return 0, database.Failure("take free calls", err)
	}
	return list[0], nil
}

// settle gives calls back, or adds those that are owed, of which more than the limit cannot be told from the limit.
func (s *Store) settle(ctx context.Context, userID, left int64) error {
	err := s.db.From(ctx).Exec(`INSERT INTO keys.free_calls AS f (user_id, used) VALUES (@user, least(@limit, greatest(0, -CAST(@left AS bigint))))
		ON CONFLICT (user_id) DO UPDATE SET used = least(@limit, greatest(0, f.used - CAST(@left AS bigint)))`,
		map[string]any{"limit": Limit, "user": userID, "left": left}).Error
	return database.Failure("give free calls back", err)
}

// used reads the count of an account.
func (s *Store) used(ctx context.Context, userID int64) (used int64, err error) {
	err = s.db.From(ctx).Raw("SELECT coalesce((SELECT used FROM keys.free_calls WHERE user_id = ?), 0)", userID).Scan(&used).Error
	return used, database.Failure("read free calls", err)
}

// isFree says whether an account has the free plan, of which a session's caller does not know.
func (s *Store) isFree(ctx context.Context, userID int64) (is bool, err error) {
	err = s.db.From(ctx).Raw(`SELECT EXISTS (SELECT 1 FROM accounts.pub_account WHERE id = ? AND subscription_plan = 'free')`, userID).Scan(&is).Error
	return is, database.Failure("read the plan of an account", err)
}
