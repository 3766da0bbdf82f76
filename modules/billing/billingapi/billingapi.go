// Package billingapi is the billing's face to other modules. They charge through platform/charge; here they ask what an
// account has bought and how it wants to buy.
package billingapi

import "context"

// Purchases says what accounts have bought for ever.
type Purchases interface {
	// Owned gives those of some units of a product that the account owns.
	Owned(ctx context.Context, userID int64, product string, units []string) (map[string]bool, error)
}

// Preferences are an account's own.
type Preferences interface {
	// WeeklyDigest says whether the account wants its digest on Mondays and not each day.
	WeeklyDigest(ctx context.Context, userID int64) (bool, error)
	// WeeklyDigests gives those of some accounts that do.
	WeeklyDigests(ctx context.Context, userIDs []int64) (map[int64]bool, error)
}

// Wishes is what billing needs from other modules before it sends a mail. Billing may import neither notifications nor the catalog, so
// module notifications implements it.
type Wishes interface {
	// Billing returns whether an account wants mails of category billing, and the URL that stops them.
	Billing(ctx context.Context, userID int64) (unsubscribeURL string, wanted bool, err error)
	// Managers returns the legal names of managers by CRD. Managers that the catalog does not list are left out.
	Managers(ctx context.Context, crds []string) (map[string]string, error)
}
