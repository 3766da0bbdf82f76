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

const browserSQL = `SELECT s.id, s.user_id, s.expires_at, s.last_active, u.subscription_plan AS plan, u.trial_ends_at AS trial_ends, u.api_tier,
	u.is_admin AS admin, u.email_verified_at IS NULL AS unverified
FROM accounts.sessions s JOIN accounts.users u ON u.id = s.user_id
WHERE s.browser_hash = @hash AND s.ended_at IS NULL AND s.expires_at > @now AND u.deleted_at IS NULL`

// browser finds a browser's current session whose account is not deleted; nil if there is none.
func (s *Store) browser(ctx context.Context, hash []byte, now time.Time) (*browserCaller, error) {
	list, err := database.Select[browserCaller](ctx, s.db, "read a session", browserSQL, database.Args{"hash": hash, "now": now})
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return &list[0], nil
}
