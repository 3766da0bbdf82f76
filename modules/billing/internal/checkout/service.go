// Package checkout opens Stripe's pages for accounts: checkout, for subscribing, and the customer portal, for changing or
// ending subscriptions.
package checkout

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"gpatlas/modules/accounts/accountsapi"
	"gpatlas/modules/billing/internal/account"
	"gpatlas/modules/billing/internal/price"
	"gpatlas/modules/billing/internal/stripe"
	"gpatlas/modules/billing/internal/subscription"
	"gpatlas/platform/apperr"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
)

// errDiscount is the error of a checkout whose coupon Stripe rejects. Without the coupon, people would pay the full price unnoticed.
var errDiscount = apperr.Unavailable("The discount for .edu addresses cannot be applied now, so no checkout was opened. Ask the operator of this service")

// Service makes sessions of Stripe's pages.
type Service struct {
	rows          *account.Store
	clock         clock.Clock
	accounts      accountsapi.Directory
	subscriptions *subscription.Service
	stripe        *stripe.Client
	prices        price.List
	url           accountsapi.PublicURL
	coupon        string
}

// NewService sells prices to accounts of the directory; the pages link back to url. eduCoupon is the coupon of accounts with a
// confirmed address of .edu; empty for none.
func NewService(
	db *database.DB, clk clock.Clock, accounts accountsapi.Directory, subscriptions *subscription.Service, client *stripe.Client, prices price.List,
	url accountsapi.PublicURL, eduCoupon string,
) *Service {
	return &Service{account.NewStore(db), clk, accounts, subscriptions, client, prices, url, eduCoupon}
}

// Order is what an account wants to subscribe to: one of Plan, APITier and Price. The URLs are the return URLs; empty for the
// default ones.
type Order struct {
	Plan, APITier, Price  string
	SuccessURL, CancelURL string
}

// Session is a checkout session.
type Session struct {
	CheckoutURL string `json:"checkout_url" format:"uri" doc:"Page of Stripe on which the subscription is paid for. Open it in a browser." example:"https://checkout.stripe.com/c/pay/cs_test_a1b2c3"`
	SessionID   string `json:"session_id" doc:"Stripe's ID of the checkout session." example:"cs_test_a1b2c3"`
}

// SchemaName is its name in the OpenAPI document.
func (Session) SchemaName() string { return "CheckoutSession" }

// Checkout makes a checkout session. A second call in the same minute returns the same session.
func (s *Service) Checkout(ctx context.Context, userID int64, order Order) (*Session, error) {
	if !s.stripe.On() {
		return nil, stripe.ErrOff
	}
	chosen, err := s.choose(order)
	if err != nil {
		return nil, err
	}
	success, cancel, err := s.pages(order)
	if err != nil {
		return nil, err
	}
	who, err := s.find(ctx, userID)
	if err != nil {
		return nil, err
	}
	if err := s.refuseSecond(ctx, who, chosen.Entitlement); err != nil {
		return nil, err
	}
	customer, err := s.customer(ctx, who)
	if err != nil {
		return nil, err
	}
	wanted := stripe.Checkout{
		Key:    fmt.Sprintf("checkout:%d:%s:%d%s", userID, chosen.ID, s.minute(), suffix(order.SuccessURL, order.CancelURL)),
		UserID: userID, Customer: customer, Price: chosen.ID, SuccessURL: success, CancelURL: cancel,
	}
	// Spec: the discount of .edu addresses is decided, its form is not shown; they are those of registration.
	if s.coupon != "" && who.EmailVerified && who.Educational {
		wanted.Coupon = s.coupon
		wanted.Key += suffix(s.coupon)
	}
	id, url, err := s.stripe.CreateCheckout(ctx, wanted)
	if stripe.Missing(err, "customer") { // removed by hand at Stripe
		if err = s.forget(ctx, userID, customer); err == nil {
			wanted.Customer, err = s.customer(ctx, who)
		}
		if err == nil {
			id, url, err = s.stripe.CreateCheckout(ctx, wanted)
		}
	}
	if stripe.RefusedFor(err, "discounts") {
		return nil, errDiscount.Wrap(err)
	}
	if err != nil {
		return nil, err
	}
	return &Session{CheckoutURL: url, SessionID: id}, nil
}

// Portal opens the customer portal for an account. Each call makes a new session.
func (s *Service) Portal(ctx context.Context, userID int64) (url string, err error) {
	if !s.stripe.On() {
		return "", stripe.ErrOff
	}
	row, err := s.rows.Find(ctx, userID, s.clock.Now())
	if err != nil {
		return "", err
	}
	if row.StripeCustomer == nil {
		return "", errNoCustomer
	}
	url, err = s.stripe.CreatePortal(ctx, "portal:"+uuid.NewString(), *row.StripeCustomer, s.url.Page(accountPage))
	if stripe.Missing(err, "customer") {
		if err := s.forget(ctx, userID, *row.StripeCustomer); err != nil {
			return "", err
		}
		return "", errNoCustomer
	}
	return url, err
}

var errNoCustomer = apperr.New(apperr.KindConflict,
	"The account has not subscribed to anything yet, so there is nothing to manage. Subscribe with POST /v1/billing/checkout first")

func (s *Service) find(ctx context.Context, userID int64) (accountsapi.Account, error) {
	who, found, err := s.accounts.FindAccount(ctx, userID)
	if err == nil && !found {
		err = apperr.NotFound("The account does not exist")
	}
	return who, err
}

// refuseSecond refuses what the account has already, and a second subscription of the same kind: both would be paid for. A free
// trial of a plan is no subscription to it.
func (s *Service) refuseSecond(ctx context.Context, who accountsapi.Account, entitlement price.Entitlement) error {
	if entitlement.Plan != "" && who.Tier == entitlement.Plan || entitlement.APITier != "" && who.APITier == entitlement.APITier {
		return errSubscribed(entitlement)
	}
	held, err := s.subscriptions.Collected(ctx, who.ID)
	if err != nil {
		return err
	}
	for _, h := range held {
		switch {
		case (entitlement.Plan == "" || h.Plan == "") && (entitlement.APITier == "" || h.APITier == ""):
		case h.Lapsed:
			return apperr.New(apperr.KindConflict, "The account has not paid for the %s. Pay or cancel it on the page that POST /v1/billing/portal opens", named(h.Entitlement))
		default:
			return errSubscribed(h.Entitlement)
		}
	}
	return nil
}

func errSubscribed(has price.Entitlement) error {
	return apperr.New(apperr.KindConflict, "The account has the %s already. Change or cancel it on the page that POST /v1/billing/portal opens", named(has))
}

func named(has price.Entitlement) string {
	if has.Plan == "" {
		return "API tier " + has.APITier
	}
	return "plan " + has.Plan
}

// customer is the account's customer at Stripe. It is created with the first checkout. If it was created before, but its ID was
// lost, it is found again.
func (s *Service) customer(ctx context.Context, who accountsapi.Account) (string, error) {
	row, err := s.rows.Find(ctx, who.ID, s.clock.Now())
	if err != nil {
		return "", err
	}
	if row.StripeCustomer != nil {
		return *row.StripeCustomer, nil
	}
	id, err := s.stripe.FindCustomer(ctx, who.ID, who.Email)
	if err == nil && id == "" {
		// The minute is part of the key because Stripe repeats a 500 under its key for a day.
		id, err = s.stripe.CreateCustomer(ctx, fmt.Sprintf("customer:%d:%d%s", who.ID, s.minute(), suffix(who.Email)), who.ID, who.Email)
	}
	if err != nil {
		return "", err
	}
	row, err = s.rows.Update(ctx, who.ID, s.clock.Now(), func(a *account.Account) error {
		if a.StripeCustomer == nil {
			a.StripeCustomer = &id
		}
		return nil
	})
	if err != nil {
		return "", err
	}
	return *row.StripeCustomer, nil
}

// forget drops a customer that no longer exists at Stripe.
func (s *Service) forget(ctx context.Context, userID int64, customer string) error {
	_, err := s.rows.Update(ctx, userID, s.clock.Now(), func(a *account.Account) error {
		if a.StripeCustomer != nil && *a.StripeCustomer == customer {
			a.StripeCustomer = nil
		}
		return nil
	})
	return err
}

func (s *Service) minute() int64 { return s.clock.Now().Unix() / int64(time.Minute/time.Second) }

// suffix distinguishes idempotency keys of the same minute: for the same key Stripe requires the identical request.
func suffix(values ...string) string {
	if strings.Join(values, "") == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(strings.Join(values, "\n")))
	return ":" + hex.EncodeToString(sum[:8])
}
