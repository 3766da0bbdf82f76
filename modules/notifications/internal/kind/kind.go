// Package kind has the kinds of mails that this program can send, and their properties.
package kind

import (
	"context"
	"slices"

	"gpatlas/templates/email"
)

// The categories of mails. An account can refuse each of them except Account.
const (
	Account        = email.CategoryAccount
	Billing        = email.CategoryBilling
	ActivityDigest = email.CategoryDigest
	MarketIntel    = email.CategoryMarket
	Product        = email.CategoryProduct
)

// Categories are all of them.
func Categories() []string { return email.Categories() }

// Refusable reports whether an account can refuse the mails of a category.
func Refusable(category string) bool {
	return category != Account && slices.Contains(Categories(), category)
}

// The kinds that the program sends by itself.
const (
	TrialEnding = "trial_ending"
	TrialEnded  = "trial_ended"
	Digest      = "activity_digest"
	Market      = "market_intel"
	Test        = "notification_test"
	// UnknownPrice is for administrators: Stripe has a price that BILLING_PRICES does not name. They cannot refuse it, because a
	// customer who pays for an unknown plan keeps the last known one until they act.
	UnknownPrice = "unknown_price"
	// WebhookDisabled says that a webhook endpoint of the account is no longer called. Module feed sends it.
	WebhookDisabled = "webhook_disabled"
	// SearchAlert has the news of saved searches. Module feed sends it.
	SearchAlert = "search_alert"
)

// Kind is one kind of mail.
type Kind struct {
	ID        string // snake_case
	Category  string
	Enabled   bool
	MaxPerDay int // mails to one account on one day (UTC); 0 = no limit
}

// Kinds finds kinds. The delivery calls it for each batch, so that a change of the registry takes effect at once.
type Kinds interface {
	// Find returns a kind as it is now.
	Find(ctx context.Context, id string) (k Kind, found bool, err error)
}

// Default limits of mails a day.
const (
	digestPerDay = 1
	perDay       = 5
)

// BuiltIn are the kinds that the program sends, with their defaults.
func BuiltIn() []Kind {
	return []Kind{
		{TrialEnding, Account, true, perDay},
		{TrialEnded, Account, true, perDay},
		{Digest, ActivityDigest, true, digestPerDay},
		{Market, MarketIntel, true, digestPerDay},
		{Test, Product, true, perDay},
		{UnknownPrice, Account, true, 1},
		{WebhookDisabled, Account, true, perDay},
		{SearchAlert, ActivityDigest, true, perDay},
	}
}

// InCode are the built-in kinds as they are in code: the delivery uses them unless there is a registry.
type InCode struct{}

// Find implements Kinds.
func (InCode) Find(_ context.Context, id string) (Kind, bool, error) {
	for _, k := range BuiltIn() {
		if k.ID == id {
			return k, true, nil
		}
	}
	return Kind{}, false, nil
}
