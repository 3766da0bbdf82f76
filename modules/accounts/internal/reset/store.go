package reset

import (
	"context"

	"gpatlas/modules/accounts/internal/user"
	"gpatlas/platform/database"
)

// store looks addresses up.
type store struct{ db *database.DB }

// holder is the account that an address belongs to, deleted ones left out; 0 where there is none. Either way the answer is
// one row of one number, so that reading it takes as long.
func (s *store) holder(ctx context.Context, address string) (int64, error) {
	var id int64
	err := s.db.From(ctx).Raw("SELECT coalesce((SELECT id FROM accounts.users WHERE email_key = ? AND deleted_at IS NULL), 0)", user.Key(address)).Scan(&id).Error
	return id, database.Failure("look an address up", err)
}
