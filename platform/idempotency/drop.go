package idempotency

import (
	"context"

	"gpatlas/platform/database"
)

// Takes back the answers of operations, and the right to keep one from the process that executes a request of theirs now. The next request
// with the key is executed again, under the same ID. It is remembered which were answered with 2xx: a failure has delivered nothing.
// The lease ends when it began: the next request may have read its clock before this statement ran, and must not wait.
const dropSQL = `UPDATE platform.idempotency SET
    holder = gen_random_uuid(), lease_until = created_at, answered = answered OR coalesce(status < 300, false), status = NULL, answer = NULL
WHERE operation = ANY (@operations)`

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
