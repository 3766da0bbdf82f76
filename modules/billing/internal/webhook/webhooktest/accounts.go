package webhooktest

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/accounts/accountsapi"
	"gpatlas/platform/apperr"
	"gpatlas/platform/database"
)

// Accounts replaces module accounts, on its table: its writes are part of the transaction.
type Accounts struct {
	db    *database.DB
	fault atomic.Pointer[error]
	set   atomic.Int64
	made  atomic.Int64
}

// Make makes an account in its trial.
func (a *Accounts) Make(tb testing.TB) int64 {
	tb.Helper()
	ids, err := database.Values[int64](tb.Context(), a.db, "make an account", `INSERT INTO accounts.users (email, email_key, full_name, password_hash, tier,
		subscription_plan, api_tier, trial_ends_at, email_verified_at, created_at, updated_at)
		VALUES (@email, @email, 'Ada Larkspur', '-', 'free_trial', 'pro', 'starter', @ends, @now, @now, @now) RETURNING id`,
		database.Args{"email": fmt.Sprintf("ada%d@larkspur.example", a.made.Add(1)), "now": Start, "ends": Start.AddDate(0, 0, 14)})
	require.NoError(tb, err)
	return ids[0]
}

// Standing is an account's tier, plan and API tier, such as "pro pro growth", with "trial" where it is on trial.
func (a *Accounts) Standing(tb testing.TB, userID int64) string {
	tb.Helper()
	words, err := database.Values[string](tb.Context(), a.db, "", `SELECT tier || ' ' || subscription_plan || ' ' || api_tier ||
		CASE WHEN trial_ends_at IS NULL THEN '' ELSE ' trial' END FROM accounts.users WHERE id = @id`, database.Args{"id": userID})
	require.NoError(tb, err)
	require.Len(tb, words, 1)
	return words[0]
}

// Delete deletes an account; it can be recovered.
func (a *Accounts) Delete(tb testing.TB, userID int64) {
	tb.Helper()
	_, err := database.Run(tb.Context(), a.db, "", "UPDATE accounts.users SET deleted_at = @now WHERE id = @id", database.Args{"id": userID, "now": Start})
	require.NoError(tb, err)
}

// Recover recovers a deleted account.
func (a *Accounts) Recover(tb testing.TB, userID int64) {
	tb.Helper()
	_, err := database.Run(tb.Context(), a.db, "", "UPDATE accounts.users SET deleted_at = NULL WHERE id = @id", database.Args{"id": userID})
	require.NoError(tb, err)
}

// Purge removes an account.
func (a *Accounts) Purge(tb testing.TB, userID int64) {
	tb.Helper()
	_, err := database.Run(tb.Context(), a.db, "", "DELETE FROM accounts.users WHERE id = @id", database.Args{"id": userID})
	require.NoError(tb, err)
}

// Fail makes every further SetPlan return err, after it has written; nil ends that.
func (a *Accounts) Fail(err error) { a.fault.Store(&err) }

// Sets is how often a plan or an API tier was set.
func (a *Accounts) Sets() int64 { return a.set.Load() }

type person struct {
	ID               int64
	Email            string
	FullName         string
	Tier             string
	SubscriptionPlan string
	APITier          string
	CreatedAt        time.Time
}

// FindAccount is that of the directory.
func (a *Accounts) FindAccount(ctx context.Context, id int64) (accountsapi.Account, bool, error) {
	list, err := database.Select[person](ctx, a.db, "find an account", `SELECT id, email, full_name, tier, subscription_plan, api_tier, created_at
		FROM accounts.users WHERE id = @id AND deleted_at IS NULL`, database.Args{"id": id})
	if err != nil || len(list) == 0 {
		return accountsapi.Account{}, false, err
	}
	p := list[0]
	return accountsapi.Account{
		ID: p.ID, Email: p.Email, FullName: p.FullName, EmailVerified: true, Tier: p.Tier, SubscriptionPlan: p.SubscriptionPlan,
		APITier: p.APITier, CreatedAt: p.CreatedAt,
	}, true, nil
}

// HasAccount is that of the plans.
func (a *Accounts) HasAccount(ctx context.Context, id int64) (bool, error) {
	list, err := database.Values[bool](ctx, a.db, "look for an account", "SELECT EXISTS (SELECT FROM accounts.users WHERE id = @id)", database.Args{"id": id})
	return err == nil && list[0], err
}

// SetPlan is that of the plans.
func (a *Accounts) SetPlan(ctx context.Context, userID int64, plan, apiTier string) error {
	a.set.Add(1)
	n, err := database.Run(ctx, a.db, "set a plan", `UPDATE accounts.users SET
		subscription_plan = CASE WHEN @plan = '' THEN subscription_plan ELSE @plan END, tier = CASE WHEN @plan = '' THEN tier ELSE @plan END,
		trial_ends_at = CASE WHEN @plan = '' THEN trial_ends_at END, api_tier = CASE WHEN @tier = '' THEN api_tier ELSE @tier END
		WHERE id = @id`, database.Args{"id": userID, "plan": plan, "tier": apiTier})
	if fault := a.fault.Load(); err == nil && fault != nil {
		err = *fault
	}
	if err == nil && n == 0 {
		err = apperr.NotFound("There is no account %d", userID)
	}
	return err
}
