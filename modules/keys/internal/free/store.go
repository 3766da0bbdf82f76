package free

import (
	"context"

	"gpatlas/platform/charge"
	"gpatlas/platform/database"
)

// row is a row of keys.free_calls.
type row struct {
	UserID int64 `gorm:"column:user_id;primaryKey"`
	Used   int64 `gorm:"column:used"`
}

// TableName is the table with its schema.
func (row) TableName() string { return "keys.free_calls" }

// Store keeps the counts.
type Store struct{ db *database.DB }

// NewStore works on db.
func NewStore(db *database.DB) *Store { return &Store{db: db} }

const takeSQL = `INSERT INTO keys.free_calls AS f (user_id, used) VALUES (@user, 1)
ON CONFLICT (user_id) DO UPDATE SET used = f.used + 1 WHERE f.used < @limit`

// takeCall counts one call of an account and reports whether it did: not if all are used.
func (s *Store) takeCall(ctx context.Context, userID int64) (taken bool, err error) {
	counted, err := database.Run(ctx, s.db, "take a free call", takeSQL, database.Args{"user": userID, "limit": charge.FreeCalls})
	return counted == 1, err
}

// giveBack takes one call of an account out of its count.
func (s *Store) giveBack(ctx context.Context, userID int64) error {
	const statement = "UPDATE keys.free_calls SET used = used - 1 WHERE user_id = @user AND used > 0"
	_, err := database.Run(ctx, s.db, "return a free call", statement, database.Args{"user": userID})
	return err
}

// used reads the count of an account.
func (s *Store) used(ctx context.Context, userID int64) (int64, error) {
	const statement = "SELECT coalesce((SELECT used FROM keys.free_calls WHERE user_id = @user), 0)"
	used, err := database.Values[int64](ctx, s.db, "read free calls", statement, database.Args{"user": userID})
	if err != nil {
		return 0, err
	}
	return used[0], nil
}
