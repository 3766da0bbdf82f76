package idempotency

import (
	"context"

	"gpatlas/platform/database"
)

// Drops the responses of operations, and the right of running executions to store one. The next request with the key is
// executed again, under the same ID. The row keeps whether the response was 2xx: a failure has delivered nothing. The lease
// ends when it began, because the next request may have read its clock before this statement, and must not wait.
const dropSQL = `UPDATE platform.idempotency SET
    holder = gen_random_uuid(), lease_until = created_at, answered = answered OR coalesce(status < 300, false), status = NULL, answer = NULL
WHERE operation = ANY (@operations)`

// Drop drops the kept responses of operations, in the caller's transaction: their contents must no longer be shown. Responses
// are encrypted with the callers' keys, so it cannot be checked which of them are affected. The next request with a key is
// executed again, and is not charged again (see httpapi.OnlyOwned). Executions that are running still respond, and store
// nothing.
//
// A request may begin between this statement and the end of the transaction, and read the old data: to be sure, call Drop again
// after the transaction.
func Drop(ctx context.Context, db *database.DB, operations []string) error {
	_, err := database.Run(ctx, db, "drop kept answers", dropSQL, database.Args{"operations": operations})
	return err
}
