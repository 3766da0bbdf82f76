package user

import (
	"context"
	"fmt"
	"slices"
	"time"

	"gpatlas/modules/accounts/accountsapi"
	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/clock"
)

// Directory is the interface of accounts for other modules: it implements accountsapi.Directory and accountsapi.Plans.
type Directory struct {
	store *Store
	clock clock.Clock
}

// NewDirectory works on a store.
func NewDirectory(store *Store, clk clock.Clock) *Directory {
	return &Directory{store: store, clock: clk}
}

// FindAccount finds an account that is not deleted.
func (d *Directory) FindAccount(ctx context.Context, id int64) (accountsapi.Account, bool, error) {
	u, err := d.store.FindByID(ctx, id)
	if err != nil || u == nil || u.Deleted() {
		return accountsapi.Account{}, false, err
	}
	account := accountsapi.Account{
		ID: u.ID, Email: u.Email, FullName: u.ConfirmedName(), EmailVerified: u.EmailVerifiedAt != nil, Educational: educational(u.Email), Tier: u.Tier,
		SubscriptionPlan: auth.PlanNow(u.SubscriptionPlan, u.TrialEndsAt, d.clock.Now()), APITier: u.APITier, Admin: u.IsAdmin,
		MarketingConsent: u.MarketingConsent, CreatedAt: u.CreatedAt.UTC(),
	}
	if u.TrialEndsAt != nil {
		account.TrialEndsAt = u.TrialEndsAt.UTC()
	}
	return account, true, nil
}

// HasAccount reports whether an account exists, including a deleted one that can be recovered.
func (d *Directory) HasAccount(ctx context.Context, id int64) (bool, error) {
	u, err := d.store.FindByID(ctx, id)
	return u != nil, err
}

// withoutSubscription is what an account has after its subscription has ended: what its school or its .edu address grants until
// graduation, as at registration, or else the lowest values. A student who has missed a survey loses it with the next daily
// check.
func (u *User) withoutSubscription(now time.Time) Assignment {
	switch {
	case u == nil:
	case u.School != nil && u.GraduationYear != nil && *u.GraduationYear >= now.UTC().Year():
		return School{Slug: *u.School}.Grant()
	default:
		if a := Assign(u.Email, nil, now); a.Tier == TierStudent {
			return a
		}
	}
	return Assignment{Tier: auth.PlanFree, SubscriptionPlan: auth.PlanFree, APITier: auth.TierStarter}
}

// SetPlan sets what an account has subscribed to. The plan replaces the registration tier, and a trial ends. Deleted accounts
// are set too: the end of their subscription is reported after the deletion, and a recovered account must not have an unpaid
// plan. Setting the current values changes nothing.
func (d *Directory) SetPlan(ctx context.Context, userID int64, plan, apiTier string) error {
	known := plan+apiTier != "" && (plan == "" || slices.Contains(auth.Plans, plan)) && (apiTier == "" || slices.Contains(auth.Tiers, apiTier))
	if !known {
		return apperr.Internal(fmt.Errorf("account %d: no plan %q with API tier %q", userID, plan, apiTier))
	}
	u, err := d.store.FindByID(ctx, userID)
	if err != nil {
		return err
	}
	given := u.withoutSubscription(d.clock.Now())
	columns := map[string]any{"updated_at": d.clock.Now()}
	if plan != "" {
		columns["subscription_plan"], columns["tier"], columns["trial_ends_at"] = plan, plan, (*time.Time)(nil)
		if plan == auth.PlanFree {
			columns["subscription_plan"], columns["tier"] = given.SubscriptionPlan, given.Tier
		}
	}
	if apiTier != "" {
		columns["api_tier"], columns["api_tier_subscribed"] = apiTier, apiTier != auth.TierStarter
		if apiTier == auth.TierStarter {
			columns["api_tier"] = given.APITier
		}
	}
	found, err := d.store.change(ctx, userID, columns)
	if err == nil && !found {
		return apperr.NotFound("There is no account %d", userID)
	}
	return err
}
