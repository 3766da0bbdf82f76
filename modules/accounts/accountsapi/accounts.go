// Package accountsapi is the interface of module accounts for other modules. Heavy reads use the view accounts.pub_account.
package accountsapi

import (
	"context"
	"time"
)

// Account is what other modules may know of a person's account.
type Account struct {
	ID               int64
	Email            string
	FullName         string // empty until the address is verified
	EmailVerified    bool
	Educational      bool   // the address is one of those that registration takes for a student's
	Tier             string // registration tier: <school>_student, student, free_trial; later the plan
	SubscriptionPlan string // free, starter, pro, enterprise; free once a trial is over
	APITier          string // starter, growth, scale
	TrialEndsAt      time.Time
	Admin            bool
	MarketingConsent bool // as chosen at registration: whether marketing emails may be sent
	CreatedAt        time.Time
}

// ChangedChannel is the PostgreSQL channel on which an account's number is announced, when the transaction commits, whenever
// its plan, its API tier, its trial or its administrator's rights change, or it is deleted, recovered or purged. A trigger
// sends it, whatever makes the change.
const ChangedChannel = "accounts_changed"

// Directory finds accounts. Deleted ones are not found.
type Directory interface {
	FindAccount(ctx context.Context, id int64) (Account, bool, error)
}

// Plans changes what an account has subscribed to. Module billing calls it.
type Plans interface {
	// SetPlan sets the plan and the API tier of an account. An empty value leaves the setting as it is: changing one does not
	// change the other. A plan ends a trial and replaces the registration tier. The lowest values (free, starter) mean that the
	// subscription has ended: the account gets what a school or a .edu address provides. Setting the current values changes
	// nothing. Deleted accounts are set too. Errors: not found; internal for other values.
	SetPlan(ctx context.Context, userID int64, plan, apiTier string) error
	// HasAccount reports whether an account exists, including a deleted one that can be recovered.
	HasAccount(ctx context.Context, userID int64) (bool, error)
}

// PublicURL is the URL at which people reach the pages of the service, without a slash at the end: "https://atlas.example",
// with a path where the pages have one. It is the setting ACCOUNTS_PUBLIC_APP_URL.
type PublicURL string

// Page is the URL of a page; path begins with a slash: "/account".
func (u PublicURL) Page(path string) string { return string(u) + path }
