package trial

import (
	"context"
	_ "embed"
	"time"

	"gpatlas/platform/database"
)

// store marks trials.
type store struct{ db *database.DB }

// ending is a trial that ends, or has ended.
type ending struct {
	ID     int64
	EndsAt time.Time
}

const noticeSQL = `UPDATE accounts.users SET trial_noticed_at = @now, updated_at = @now
WHERE id IN (
	SELECT id FROM accounts.users
	WHERE trial_ends_at > @now AND trial_ends_at <= @until AND trial_noticed_at IS NULL AND deleted_at IS NULL
	ORDER BY id LIMIT @limit FOR UPDATE
)
RETURNING id, trial_ends_at AS ends_at`

// notice marks trials that end until an instant as notified.
func (s *store) notice(ctx context.Context, now, until time.Time, limit int) ([]ending, error) {
	args := database.Args{"now": now, "until": until, "limit": limit}
	return database.Select[ending](ctx, s.db, "mark trials that end soon", noticeSQL, args)
}

//go:embed end.sql
var endSQL string

// end sets the free plan for trials that are over. A trial grants no API tier: one above the lowest is paid for.
func (s *store) end(ctx context.Context, now time.Time, limit int) ([]ending, error) {
	return database.Select[ending](ctx, s.db, "end trials", endSQL, database.Args{"now": now, "limit": limit})
}
