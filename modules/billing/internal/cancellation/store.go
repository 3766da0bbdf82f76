package cancellation

import (
	"context"
	_ "embed"

	"gpatlas/platform/database"
)

// store reads who an account is at Stripe.
type store struct{ db *database.DB }

//go:embed customers.sql
var customersSQL string

// customers are the customers of an account: usually one.
func (s *store) customers(ctx context.Context, userID int64) ([]string, error) {
	return database.Values[string](ctx, s.db, "read the customers of an account", customersSQL, database.Args{"user": userID})
}
