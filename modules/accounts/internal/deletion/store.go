package deletion

import (
	"context"
	"time"

	"gpatlas/modules/accounts/internal/user"
	"gpatlas/platform/database"
)

// store finds and removes accounts whose thirty days are over.
type store struct{ db *database.DB }

// overdue returns accounts that were deleted at or before an instant, ordered by number, with numbers above after.
func (s *store) overdue(ctx context.Context, until time.Time, after int64, limit int) ([]int64, error) {
	const statement = "SELECT id FROM accounts.users WHERE deleted_at <= @until AND id > @after ORDER BY id LIMIT @limit"
	args := database.Args{"until": until, "after": after, "limit": limit}
	return database.Values[int64](ctx, s.db, "read accounts to be purged", statement, args)
}

// lock keeps others from recovering an overdue account; false if it is not overdue (any more).
func (s *store) lock(ctx context.Context, id int64, until time.Time) (bool, error) {
	const statement = "SELECT FROM accounts.users WHERE id = @id AND deleted_at <= @until FOR UPDATE"
	locked, err := database.Run(ctx, s.db, "read an account to be purged", statement, database.Args{"id": id, "until": until})
	return locked == 1, err
}

// remove deletes an account's row, and with it its sessions, tokens and answers.
func (s *store) remove(ctx context.Context, id int64) error {
	return database.Failure("purge an account", s.db.From(ctx).Delete(&user.User{ID: id}).Error)
}
