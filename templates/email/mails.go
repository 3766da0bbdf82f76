package email

import (
	"fmt"
	"slices"
)

// The categories of mails. CategoryAccount cannot be refused.
const (
	CategoryAccount = "account"
	CategoryBilling = "billing"
	CategoryDigest  = "activity_digest"
	CategoryMarket  = "market_intel"
	CategoryProduct = "product"
)

// Categories are all of them.
func Categories() []string {
	return []string{CategoryAccount, CategoryBilling, CategoryDigest, CategoryMarket, CategoryProduct}
}

// Rule is what holds for one of the mails.
type Rule struct {
	Name     string // of its templates
	Category string // empty: any but CategoryAccount, as its kind in the registry has it
	Stops    string // what stops it besides its category; empty: nothing
}

// Rules is the one table of every mail that GP Atlas sends; docs/notifications.md shows it.
func Rules() []Rule {
	const receipts = "`email_receipts` of `PATCH /v1/me/preferences`"
	return []Rule{
		{"verify_email", CategoryAccount, ""},
		{"reset_password", CategoryAccount, ""},
		{"password_changed", CategoryAccount, ""},
		{"data_exported", CategoryAccount, ""},
		{"account_deleted", CategoryAccount, ""},
		{"account_recovered", CategoryAccount, ""},
		{"trial_ending", CategoryAccount, ""},
		{"trial_ended", CategoryAccount, ""},
		{"payment_failed", CategoryAccount, ""},
		{"payment_failed_again", CategoryAccount, ""},
		{"payment_failed_last", CategoryAccount, ""},
		{"plan_ended", CategoryAccount, ""},
		{"purchase_receipt", CategoryBilling, receipts},
		{"payment_receipt", CategoryBilling, receipts},
		{"spending_alert", CategoryBilling, "no thresholds in `PUT /v1/settings/spending-cap/alerts`"},
		{"spending_limit", CategoryBilling, ""},
		{"activity_digest", CategoryDigest, "no GP on the watchlist with alerts on"},
		{"market_intel", CategoryMarket, "a plan other than `enterprise`; a week without news"},
		{"notification_test", CategoryProduct, "a test that the account asks for is sent even with the category off"},
		{"notice", "", "its kind disabled"},
	}
}

// RuleOf returns the rule of a mail. A mail without a rule cannot be written.
func RuleOf(name string) (Rule, error) {
	rules := Rules()
	i := slices.IndexFunc(rules, func(r Rule) bool { return r.Name == name })
	if i < 0 {
		return Rule{}, fmt.Errorf("mail %s has no row in Rules", name)
	}
	return rules[i], nil
}
