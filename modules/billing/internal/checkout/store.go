package checkout

import (
	"context"
	_ "embed"

	"gpatlas/platform/database"
)

// store reads what accounts are subscribed to.
type store struct{ db *database.DB }

// holding is what a subscription gives; empty for nothing.
type holding struct{ Plan, APITier string }

//go:embed held.sql
var heldSQL string

// held is what an account's subscriptions give, the newest first.
func (s *store) held(ctx context.Context, userID int64) ([]holding, error) {
	return database.Select[holding](ctx, s.db, "read what an account is subscribed to", heldSQL, database.Args{"user": userID})
}
