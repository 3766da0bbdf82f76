package session

import (
	"context"
	"time"

	"gpatlas/platform/database"
)

// browserCaller is the part of a browser's session that its requests need.
type browserCaller struct {
	caller

	ID        string
	UserID    int64
	ExpiresAt time.Time
}

const browserSQL = "SELECT s.id, s.user_id, s.expires_at, " + currentSQL + "s.browser_hash = @hash"

// browser finds a browser's current session whose account is not deleted; nil if there is none.
func (s *Store) browser(ctx context.Context, hash []byte, now time.Time) (*browserCaller, error) {
	list, err := database.Select[browserCaller](ctx, s.db, "read a session", browserSQL, database.Args{"hash": hash, "now": now})
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return &list[0], nil
}
