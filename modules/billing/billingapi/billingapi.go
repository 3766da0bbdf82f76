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

// Wishes is what the mails of billing ask about their readers. Module notifications, which keeps what accounts want to read and may ask
// the catalog, implements it: billing may ask neither.
type Wishes interface {
	// Billing says whether an account wants mails of category billing, and gives the page that stops them.
	Billing(ctx context.Context, userID int64) (unsubscribeURL string, wanted bool, err error)
	// Managers are the legal names of some managers, by CRD. One that the catalog does not list is left out.
	Managers(ctx context.Context, crds []string) (map[string]string, error)
}
