package cancellation

import (
	"context"

	"gpatlas/platform/database"
)

// store reads an account's customers at Stripe.
type store struct{ db *database.DB }

// The account's own customer, and those of subscriptions that are known from events.
const customersSQL = `SELECT stripe_customer FROM billing.accounts WHERE user_id = @user AND stripe_customer IS NOT NULL
UNION
SELECT customer FROM billing.subscriptions WHERE user_id = @user AND NOT deleted AND customer <> ''
ORDER BY 1`

// customers returns the customers of an account: usually one.
func (s *store) customers(ctx context.Context, userID int64) ([]string, error) {
	return database.Values[string](ctx, s.db, "read the customers of an account", customersSQL, database.Args{"user": userID})
}
