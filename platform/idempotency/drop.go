package idempotency

import (
	"context"
	_ "embed"

	"gpatlas/platform/database"
)

//go:embed drop.sql
var dropSQL string

// Drop drops the kept answers of operations, in the caller's transaction: what they show may no longer be shown. Answers are
// encrypted with the callers' keys, so nobody can tell which of them show it. The next request with a key is executed again, and is
// not charged again (see httpapi.OnlyOwned). Whoever is executing one meanwhile answers, and keeps nothing.
//
// A request may begin between this statement and the end of the transaction, and read what was there before: whoever must be
// sure drops once more after it.
func Drop(ctx context.Context, db *database.DB, operations []string) error {
	_, err := database.Run(ctx, db, "drop kept answers", dropSQL, database.Args{"operations": operations})
	return err
}
