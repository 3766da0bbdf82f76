package ledger

import (
	"context"
	_ "embed"
	"time"

	"gpatlas/modules/billing/internal/account"
	"gpatlas/platform/database"
)

//go:embed verify.sql
var verifySQL string

// verify reads the whole ledger, however long that takes. It is called in a transaction.
func (s *store) verify(ctx context.Context) ([]Fault, error) {
	ctx = database.WithStatementLimit(ctx, database.LongStatement)
	if _, err := database.Run(ctx, s.db, "verify the ledger", "SET LOCAL statement_timeout = 0", nil); err != nil {
		return nil, err
	}
	return database.Select[Fault](ctx, s.db, "verify the ledger", verifySQL, nil)
}

// sweep removes the executions before an instant.
func (s *store) sweep(ctx context.Context, before time.Time) error {
	return database.Failure("remove old executions", s.db.From(ctx).Where("at < ?", before).Delete(&execution{}).Error)
}

//go:embed adjust.sql
var adjustSQL string

// adjust writes a correction. The account is locked.
func (s *store) adjust(ctx context.Context, userID int64, now time.Time, micros int64, reason string) (id int64, err error) {
	ids, err := database.Values[int64](ctx, s.db, "adjust an account", adjustSQL, database.Args{
		"user": userID, "month": account.Month(now), "at": now, "amount": micros, "request": "gpatlas billing adjust", "reason": reason,
	})
	if err != nil {
		return 0, err
	}
	return ids[0], nil
}

const statementSQL = `SELECT id, at, operation, subject, coalesce(crd, '') AS crd, coalesce(product, '') AS product, quantity, unit_micros, amount_micros, mode,
	coalesce(key_id::text, '') AS key_id, request_id, coalesce(reason, '') AS reason
FROM billing.charges
WHERE user_id = @user AND period = @month AND id > @after
ORDER BY id
LIMIT @limit`

func (s *store) lines(ctx context.Context, userID int64, month time.Time, after int64) ([]Line, error) {
	args := database.Args{"user": userID, "month": month, "after": after, "limit": linesMax}
	return database.Select[Line](ctx, s.db, "read a statement", statementSQL, args)
}

const findSQL = `SELECT id
FROM accounts.pub_account
WHERE lower(email) = lower(@email)`

// Find returns the number of the account with an email address; false for none. Deleted accounts are not found by their
// address.
func (b *Books) Find(ctx context.Context, email string) (userID int64, found bool, err error) {
	ids, err := database.Values[int64](ctx, b.db, "look for an account", findSQL, database.Args{"email": email})
	if err != nil || len(ids) == 0 {
		return 0, false, err
	}
	return ids[0], true, nil
}

// Whether an account with a number exists, or existed. Deleted accounts are known by their charges.
const knownSQL = `SELECT EXISTS (SELECT FROM accounts.pub_account WHERE id = @user) OR EXISTS (SELECT FROM billing.accounts WHERE user_id = @user)`

// Known reports whether the account exists.
func (b *Books) Known(ctx context.Context, userID int64) (bool, error) {
	list, err := database.Values[bool](ctx, b.db, "look for an account", knownSQL, database.Args{"user": userID})
	return len(list) > 0 && list[0], err
}

const exportedSQL = `SELECT id, at, operation, subject, coalesce(crd, '') AS crd, coalesce(product, '') AS product, quantity, unit_micros, amount_micros, mode,
	coalesce(key_id::text, '') AS key_id, request_id, coalesce(reason, '') AS reason
FROM billing.charges
WHERE user_id = @user
ORDER BY id`

func (s *store) exported(ctx context.Context, userID int64) ([]Line, error) {
	return database.Select[Line](ctx, s.db, "read all charges of an account", exportedSQL, database.Args{"user": userID})
}

const countsSQL = `SELECT product, count(*) AS units
FROM billing.entitlements
WHERE user_id = @user
GROUP BY product
ORDER BY product`

// counts returns how many units of each product an account owns.
func (s *store) counts(ctx context.Context, userID int64) (map[string]int64, error) {
	type count struct {
		Product string
		Units   int64
	}
	list, err := database.Select[count](ctx, s.db, "count what an account owns", countsSQL, database.Args{"user": userID})
	counts := map[string]int64{}
	for _, c := range list {
		counts[c.Product] = c.Units
	}
	return counts, err
}

func (s *store) forgetAlerts(ctx context.Context, userID int64) error {
	const statement = "DELETE FROM billing.alerts WHERE user_id = @user"
	_, err := database.Run(ctx, s.db, "remove an account's alerts", statement, database.Args{"user": userID})
	return err
}

func (s *store) forgetPlaces(ctx context.Context, userID int64) error {
	const statement = "DELETE FROM billing.places WHERE user_id = @user"
	_, err := database.Run(ctx, s.db, "remove where an account's units were delivered", statement, database.Args{"user": userID})
	return err
}
