package user

import (
	"context"
	"time"

	"gorm.io/gorm/clause"

	"gpatlas/platform/database"
)

// Models are the rows of this package.
func Models() []any { return []any{User{}} }

// Insert writes a new account and sets its ID; false if the address is in use, also by a deleted account. Of concurrent calls
// one succeeds, and an outer transaction stays usable.
func (s *Store) Insert(ctx context.Context, u *User) (bool, error) {
	u.EmailKey = Key(u.Email)
	result := s.db.From(ctx).Clauses(clause.OnConflict{Columns: []clause.Column{{Name: "email_key"}}, DoNothing: true}).Create(u)
	if result.Error != nil {
		return false, database.Failure("write a new account", result.Error)
	}
	return result.RowsAffected == 1, nil
}

const advanceSQL = `UPDATE accounts.users SET
	onboarding_step = CASE WHEN onboarding_completed OR @completed THEN 3 ELSE greatest(onboarding_step, @step) END,
	onboarding_completed = onboarding_completed OR @completed OR greatest(onboarding_step, @step) = 3,
	updated_at = @now
WHERE id = @id AND deleted_at IS NULL
RETURNING id, email, email_key, full_name, company, job_title, use_case, marketing_consent, password_hash, email_verified_at, tier,
	school, graduation_year, subscription_plan, api_tier, api_tier_subscribed, trial_ends_at, trial_noticed_at, onboarding_step,
	onboarding_completed, is_admin, created_at, updated_at, last_login_at, deleted_at`

// Advance moves the onboarding forward, never back: to step, and to its end if completed or the last step is reached. It
// returns the account after the change; nil if there is none.
func (s *Store) Advance(ctx context.Context, id int64, step int, completed bool, now time.Time) (*User, error) {
	args := database.Args{"id": id, "step": step, "completed": completed, "now": now}
	rows, err := database.Select[User](ctx, s.db, "write the onboarding", advanceSQL, args)
	if err != nil || len(rows) == 0 {
		return nil, err // the account may be gone
	}
	return &rows[0], nil
}

// SetAdmin makes the account of an address an administrator's or an ordinary one. found is false if there is no account or it
// is deleted; changed is false if nothing had to change.
func (s *Store) SetAdmin(ctx context.Context, email string, admin bool, now time.Time) (found, changed bool, err error) {
	result := s.db.From(ctx).Model(&User{}).Where("email_key = ? AND deleted_at IS NULL AND is_admin <> ?", Key(email), admin).
		Updates(map[string]any{"is_admin": admin, "updated_at": now})
	if result.Error != nil {
		return false, false, database.Failure("write an administrator", result.Error)
	}
	if result.RowsAffected > 0 {
		return true, true, nil
	}
	u, err := s.FindByEmail(ctx, email)
	return u != nil && !u.Deleted(), false, err
}

// change is Update that reports whether the account exists.
func (s *Store) change(ctx context.Context, id int64, columns map[string]any) (bool, error) {
	result := s.db.From(ctx).Model(&User{}).Where("id = ?", id).Updates(columns)
	return result.RowsAffected > 0, database.Failure("write an account", result.Error)
}
