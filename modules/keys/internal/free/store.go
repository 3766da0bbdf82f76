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

// take counts one call of an account and says whether it did: not when all are used.
func (s *Store) take(ctx context.Context, userID int64) (taken bool, err error) {
	done := s.db.From(ctx).Exec(`INSERT INTO keys.free_calls AS f (user_id, used) VALUES (?, 1)
		ON CONFLICT (user_id) DO UPDATE SET used = f.used + 1 WHERE f.used < ?`, userID, Limit)
	return done.RowsAffected == 1, database.Failure("take a free call", done.Error)
}

// giveBack takes one call of an account out of its count.
func (s *Store) giveBack(ctx context.Context, userID int64) error {
	err := s.db.From(ctx).Exec("UPDATE keys.free_calls SET used = used - 1 WHERE user_id = ? AND used > 0", userID).Error
	return database.Failure("return a free call", err)
}

// used reads the count of an account.
func (s *Store) used(ctx context.Context, userID int64) (used int64, err error) {
	err = s.db.From(ctx).Raw("SELECT coalesce((SELECT used FROM keys.free_calls WHERE user_id = ?), 0)", userID).Scan(&used).Error
	return used, database.Failure("read free calls", err)
}
