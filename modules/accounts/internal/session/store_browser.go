package session

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"gpatlas/platform/database"
)

// browserCaller is what a request needs to know of its browser's session.
type browserCaller struct {
	caller

	ID        string
	UserID    int64
	ExpiresAt time.Time
}

// browser finds a browser's session that goes on and whose account is not deleted; nil when there is none. Like Store.caller it
// is one query, outside of any transaction.
func (s *Store) browser(ctx context.Context, hash []byte, now time.Time) (*browserCaller, error) {
	var c browserCaller
	err := s.db.Pool().QueryRow(ctx, `
		SELECT s.id, s.user_id, s.expires_at, s.last_active, u.subscription_plan, u.trial_ends_at, u.api_tier, u.is_admin
		FROM accounts.sessions s JOIN accounts.users u ON u.id = s.user_id
		WHERE s.browser_hash = $1 AND s.ended_at IS NULL AND s.expires_at > $2 AND u.deleted_at IS NULL`,
		hash, now).Scan(&c.ID, &c.UserID, &c.ExpiresAt, &c.LastActive, &c.Plan, &c.TrialEnds, &c.APITier, &c.Admin)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil //nolint:nilnil // may not be there
	}
	if err != nil {
		return nil, database.Failure("read a session", err)
	}
	return &c, nil
}
