// Package billingapi is the interface of module billing for other modules. They charge through platform/charge; here they read
// purchases and preferences.
package billingapi

import "context"

// Purchases reads permanent purchases of accounts.
type Purchases interface {
	// Owned returns those of some units of a product that the account owns.
	Owned(ctx context.Context, userID int64, product string, units []string) (map[string]bool, error)
	// Placed returns those of some places (charge.Item) in which the account was delivered units of a product. Free answers depend on
	// them and not on Owned: a unit may have been bought in another place.
	Placed(ctx context.Context, userID int64, product string, places []string) (map[string]bool, error)
}

// Preferences are an account's own.
type Preferences interface {
	// WeeklyDigest reports whether the account wants its digest on Mondays and not each day.
	WeeklyDigest(ctx context.Context, userID int64) (bool, error)
	// WeeklyDigests returns those of some accounts that do.
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
