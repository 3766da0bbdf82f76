package reset

import (
	"context"

	"gpatlas/modules/accounts/internal/user"
	"gpatlas/platform/database"
)

// store looks addresses up.
type store struct{ db *database.DB }

// holder is the account of an address, without deleted ones; 0 if there is none. Either way the result is one row with one
// number, so that reading it takes equally long.
func (s *store) holder(ctx context.Context, address string) (int64, error) {
	const statement = "SELECT coalesce((SELECT id FROM accounts.users WHERE email_key = @key AND deleted_at IS NULL), 0)"
	ids, err := database.Values[int64](ctx, s.db, "look an address up", statement, database.Args{"key": user.Key(address)})
	if err != nil {
		return 0, err
	}
	return ids[0], nil
}
