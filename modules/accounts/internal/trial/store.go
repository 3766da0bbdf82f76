package trial

import (
	"context"
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

// notice marks trials that end until an instant as told of.
func (s *store) notice(ctx context.Context, now, until time.Time, limit int) ([]ending, error) {
	var list []ending
	err := s.db.From(ctx).Raw(`
		UPDATE accounts.users SET trial_noticed_at = @now, updated_at = @now
		WHERE id IN (
			SELECT id FROM accounts.users
			WHERE trial_ends_at > @now AND trial_ends_at <= @until AND trial_noticed_at IS NULL AND deleted_at IS NULL
			ORDER BY id LIMIT @limit FOR UPDATE)
		RETURNING id, trial_ends_at AS ends_at`, map[string]any{"now": now, "until": until, "limit": limit}).Scan(&list).Error
	return list, database.Failure("mark trials that end soon", err)
}

// end puts the free plan in the place of trials that are over. A trial gives no API tier: one above the lowest is paid for.
func (s *store) end(ctx context.Context, now time.Time, limit int) ([]ending, error) {
	var list []ending
	err := s.db.From(ctx).Raw(`
		WITH over AS (
			SELECT id, trial_ends_at AS ends_at FROM accounts.users
			WHERE trial_ends_at <= @now AND deleted_at IS NULL
			ORDER BY id LIMIT @limit FOR UPDATE)
		UPDATE accounts.users u
		SET subscription_plan = 'free', trial_ends_at = NULL, updated_at = @now
		FROM over WHERE u.id = over.id
		RETURNING u.id, over.ends_at`, map[string]any{"now": now, "limit": limit}).Scan(&list).Error
	return list, database.Failure("end trials", err)
}
