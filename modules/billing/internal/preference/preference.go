// Package preference stores how an account wants to buy, and which mails about money it wants.
package preference

import (
	"context"

	"gpatlas/modules/billing/internal/account"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/httpapi"
)

// Preferences are an account's own.
//
// Spec: defaults are not shown. Purchases need a request's confirmation, receipts are on, and the weekly digest is off.
type Preferences struct {
	OneClickEnabled   bool            `json:"one_click_enabled" doc:"Whether an unlock that costs no more than one_click_threshold is bought without confirm in the request. Default true." example:"true"`
	OneClickThreshold httpapi.Dollars `json:"one_click_threshold" doc:"USD. An unlock above it needs confirm in the request. 5 to 500, default 25." example:"25"`
	EmailReceipts     bool            `json:"email_receipts" doc:"Whether to send an email for each purchase and payment. Default true." example:"true"`
	WeeklyDigest      bool            `json:"weekly_digest" doc:"Whether to send the activity digest on Mondays instead of each day. Default false." example:"false"`
}

// SchemaName is its name in the OpenAPI document.
func (Preferences) SchemaName() string { return "PurchasePreferences" }

// Change is a change of preferences. A preference that is not set stays as it is.
type Change struct {
	OneClickEnabled   httpapi.Opt[bool]            `json:"one_click_enabled,omitzero" doc:"Whether an unlock at or below the threshold needs no confirmation." example:"true"`
	OneClickThreshold httpapi.Opt[httpapi.Dollars] `json:"one_click_threshold,omitzero" minimum:"5" maximum:"500" doc:"USD, 5 to 500, at most two decimals." example:"25"`
	EmailReceipts     httpapi.Opt[bool]            `json:"email_receipts,omitzero" doc:"Whether to send an email for each purchase and payment." example:"true"`
	WeeklyDigest      httpapi.Opt[bool]            `json:"weekly_digest,omitzero" doc:"Whether to send the activity digest on Mondays instead of each day." example:"false"`
}

// SchemaName is its name in the OpenAPI document.
func (Change) SchemaName() string { return "PurchasePreferencesChange" }

// Service reads and changes preferences.
type Service struct {
	accounts *account.Store
	clock    clock.Clock
}

// NewService works on db.
func NewService(db *database.DB, clk clock.Clock) *Service {
	return &Service{accounts: account.NewStore(db), clock: clk}
}

// Get returns the preferences of an account: the defaults until it changes them.
func (s *Service) Get(ctx context.Context, userID int64) (Preferences, error) {
	a, err := s.accounts.Find(ctx, userID, s.clock.Now())
	return of(a), err
}

// Update changes preferences, and returns all of them.
func (s *Service) Update(ctx context.Context, userID int64, c Change) (Preferences, error) {
	if c == (Change{}) { // writes nothing
		return s.Get(ctx, userID)
	}
	a, err := s.accounts.Update(ctx, userID, s.clock.Now(), func(a *account.Account) error {
		a.OneClickEnabled = c.OneClickEnabled.Or(a.OneClickEnabled)
		a.OneClickThresholdMicros = int64(c.OneClickThreshold.Or(httpapi.Dollars(a.OneClickThresholdMicros)))
		a.EmailReceipts = c.EmailReceipts.Or(a.EmailReceipts)
		a.WeeklyDigest = c.WeeklyDigest.Or(a.WeeklyDigest)
		return nil
	})
	return of(a), err
}

func of(a account.Account) Preferences {
	return Preferences{
		OneClickEnabled: a.OneClickEnabled, OneClickThreshold: httpapi.Dollars(a.OneClickThresholdMicros), EmailReceipts: a.EmailReceipts,
		WeeklyDigest: a.WeeklyDigest,
	}
}
