// Package preference stores which mails an account wants.
package preference

import (
	"context"
	"slices"

	"gpatlas/modules/accounts/accountsapi"
	"gpatlas/modules/notifications/internal/kind"
	"gpatlas/modules/notifications/internal/render"
	"gpatlas/platform/apperr"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/httpapi"
)

// All represents every category that can be refused.
const All = "all"

// Preferences are an account's own.
type Preferences struct {
	Account        bool `json:"account" doc:"Emails about the account, its trial and plan, failed payments and its security. Always true." example:"true"`
	Billing        bool `json:"billing" doc:"Receipts and spending alerts. Default true. email_receipts of PATCH /v1/me/preferences turns off receipts only." example:"true"`
	ActivityDigest bool `json:"activity_digest" doc:"The digest of what changed at watched GPs. Default true. PATCH /v1/me/preferences sets weekly_digest." example:"true"`
	MarketIntel    bool `json:"market_intel" doc:"The weekly market report of plan enterprise. Default true." example:"true"`
	Product        bool `json:"product" doc:"News about the product. Default: marketing_consent of the registration." example:"true"`
}

// SchemaName is its name in the OpenAPI document.
func (Preferences) SchemaName() string { return "NotificationPreferences" }

// defaults are the preferences of an account that has changed nothing.
//
// Spec: all are on at first. The consent at registration takes precedence: without it there are no emails of category product.
func (s *Service) defaults(ctx context.Context, userID int64) (Preferences, error) {
	account, _, err := s.accounts.FindAccount(ctx, userID)
	return Preferences{true, true, true, true, account.MarketingConsent}, err
}

// field is the preference of a category; nil for an unknown one.
func (p *Preferences) field(category string) *bool {
	switch category {
	case kind.Account:
		return &p.Account
	case kind.Billing:
		return &p.Billing
	case kind.ActivityDigest:
		return &p.ActivityDigest
	case kind.MarketIntel:
		return &p.MarketIntel
	case kind.Product:
		return &p.Product
	}
	return nil
}

// Change is a change of preferences. A preference that is not set stays as it is.
type Change struct {
	Billing        httpapi.Opt[bool] `json:"billing,omitzero" doc:"Receipts and spending alerts." example:"true"`
	ActivityDigest httpapi.Opt[bool] `json:"activity_digest,omitzero" doc:"The digest of what changed at watched GPs." example:"false"`
	MarketIntel    httpapi.Opt[bool] `json:"market_intel,omitzero" doc:"The weekly market report." example:"true"`
	Product        httpapi.Opt[bool] `json:"product,omitzero" doc:"News about the product." example:"true"`
	Account        httpapi.Opt[bool] `json:"account,omitzero" doc:"Refused: emails about the account and its security cannot be turned off." example:"true"`
}

// SchemaName is its name in the OpenAPI document.
func (Change) SchemaName() string { return "NotificationPreferencesChange" }

// Service reads and changes preferences.
type Service struct {
	store *store
	db    *database.DB
	clock clock.Clock

	accounts accountsapi.Directory
}

// NewService works on db. accounts has the consent given at registration.
func NewService(db *database.DB, clk clock.Clock, accounts accountsapi.Directory) *Service {
	return &Service{&store{db}, db, clk, accounts}
}

// Get returns the preferences of an account: the defaults until it changes them.
func (s *Service) Get(ctx context.Context, userID int64) (Preferences, error) {
	p, found, err := s.store.find(ctx, userID)
	if err != nil || found {
		return p, err
	}
	return s.defaults(ctx, userID)
}

// Wants reports whether an account wants the mails of a category.
func (s *Service) Wants(ctx context.Context, userID int64, category string) (bool, error) {
	if !kind.Refusable(category) {
		return true, nil
	}
	p, err := s.Get(ctx, userID)
	return *p.field(category), err
}

// WantsSQL is the condition for an account a, with its row p of notifications.preferences if there is one, that its address is confirmed and it Wants
// the mails of a category that is on at first.
func WantsSQL(category string) string {
	return "a.email_verified AND coalesce(p." + category + ", true)"
}

// Update changes preferences, and returns all of them.
func (s *Service) Update(ctx context.Context, userID int64, c Change) (Preferences, error) {
	if c.Account.Set {
		return Preferences{}, apperr.Invalid(apperr.FieldError{
			Field: kind.Account, Message: "cannot be changed: emails about the account and its security cannot be turned off",
		})
	}
	return s.change(ctx, userID, func(p *Preferences) {
		p.Billing = c.Billing.Or(p.Billing)
		p.ActivityDigest = c.ActivityDigest.Or(p.ActivityDigest)
		p.MarketIntel = c.MarketIntel.Or(p.MarketIntel)
		p.Product = c.Product.Or(p.Product)
	})
}

// Refuse turns a category off, or All of them. It is idempotent.
func (s *Service) Refuse(ctx context.Context, userID int64, category string) error {
	_, err := s.change(ctx, userID, func(p *Preferences) {
		for _, c := range kind.Categories() {
			if kind.Refusable(c) && (category == c || category == All) {
				*p.field(c) = false
			}
		}
	})
	return err
}

// change creates the row if it is missing, so that concurrent changes wait for one another.
func (s *Service) change(ctx context.Context, userID int64, change func(p *Preferences)) (p Preferences, err error) {
	defaults, err := s.defaults(ctx, userID)
	if err != nil {
		return p, err
	}
	err = s.db.InTx(ctx, func(ctx context.Context) error {
		if p, err = s.store.lock(ctx, userID, defaults, s.clock.Now()); err != nil {
			return err
		}
		change(&p)
		return s.store.save(ctx, userID, p, s.clock.Now())
	})
	return p, err
}

// Refusable are the names of the categories that can be refused, and All.
func Refusable() []string {
	list := slices.DeleteFunc(kind.Categories(), func(c string) bool { return !kind.Refusable(c) })
	return append(list, All)
}

// Wishes implements billingapi.Wishes: what billing needs before it sends a mail. Billing may call neither this module nor the catalog.
type Wishes struct {
	db           *database.DB
	preferences  *Service
	unsubscriber render.Unsubscriber
}

// NewWishes works on db.
func NewWishes(db *database.DB, preferences *Service, unsubscriber render.Unsubscriber) *Wishes {
	return &Wishes{db, preferences, unsubscriber}
}

// Billing implements billingapi.Wishes.
func (w *Wishes) Billing(ctx context.Context, userID int64) (unsubscribeURL string, wanted bool, err error) {
	if wanted, err = w.preferences.Wants(ctx, userID, kind.Billing); err != nil {
		return "", false, err
	}
	unsubscribeURL, err = w.unsubscriber.URL(ctx, userID, kind.Billing)
	return unsubscribeURL, wanted, err
}

// Managers implements billingapi.Wishes.
func (w *Wishes) Managers(ctx context.Context, crds []string) (map[string]string, error) {
	const statement = "SELECT crd, legal_name AS name FROM catalog.pub_gp WHERE crd = ANY(@crds::text[])"
	rows, err := database.Select[struct{ CRD, Name string }](ctx, w.db, "read names of managers", statement, database.Args{"crds": crds})
	names := make(map[string]string, len(rows))
	for _, r := range rows {
		names[r.CRD] = r.Name
	}
	return names, err
}
