package user

import (
	"context"
	"errors"

	"gpatlas/platform/apperr"
	"gpatlas/platform/database"
)

// InTx runs fn in a transaction, as database.DB.InTx does, and names what was being done when the transaction itself
// fails: a database that is away is Unavailable here, too. Errors that say something to the caller pass as they are.
func InTx(ctx context.Context, db *database.DB, what string, fn func(ctx context.Context) error) error {
	err := db.InTx(ctx, fn)
	if _, said := errors.AsType[*apperr.Error](err); said {
		return err
	}
	return database.Failure(what, err)
}
