package deletion

import (
	"context"
	"time"

	"gpatlas/platform/database"
)

// store finds and removes accounts whose time is over.
type store struct{ db *database.DB }

// overdue gives accounts that were deleted at an instant or before, in the order of their numbers, from after one on.
func (s *store) overdue(ctx context.Context, until time.Time, after int64, limit int) ([]int64, error) {
	var ids []int64
	err := s.db.From(ctx).Raw("SELECT id FROM accounts.users WHERE deleted_at <= ? AND id > ? ORDER BY id LIMIT ?", until, after, limit).Scan(&ids).Error
	return ids, database.Failure("read accounts to be purged", err)
}

// lock keeps others from recovering an account that is overdue; false when it is not, or not any more.
func (s *store) lock(ctx context.Context, id int64, until time.Time) (bool, error) {
	var ids []int64
	err := s.db.From(ctx).Raw("SELECT id FROM accounts.users WHERE id = ? AND deleted_at <= ? FOR UPDATE", id, until).Scan(&ids).Error
	return len(ids) == 1, database.Failure("read an account to be purged", err)
}

// remove deletes an account's row, and with it its sessions, tokens and answers.
func (s *store) remove(ctx context.Context, id int64) error {
	return database.Failure("purge an account", s.db.From(ctx).Exec("DELETE FROM accounts.users WHERE id = ?", id).Error)
}
