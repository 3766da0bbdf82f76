package checkout

import (
	"context"

	"gpatlas/platform/database"
)

// store reads what accounts are subscribed to.
type store struct{ db *database.DB }

// holding is what a subscription grants; empty for nothing.
type holding struct{ Plan, APITier string }

const heldSQL = `SELECT coalesce(plan, '') AS plan, coalesce(api_tier, '') AS api_tier
FROM billing.subscriptions
WHERE user_id = @user AND NOT deleted AND status IN ('active', 'trialing', 'past_due')
ORDER BY last_event DESC, id`

// held returns what an account's subscriptions grant, the newest first.
func (s *store) held(ctx context.Context, userID int64) ([]holding, error) {
	return database.Select[holding](ctx, s.db, "read what an account is subscribed to", heldSQL, database.Args{"user": userID})
}
