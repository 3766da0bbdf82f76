package billing

import (
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"slices"
	"strings"

	"gpatlas/modules/billing/internal/price"
	"gpatlas/platform/charge"
)

// Config holds the settings of billing; their prefix is BILLING_.
type Config struct {
	// StripeSecretKey is the secret API key of a Stripe account (sk_… or rk_…, live or test). Without it nothing is collected:
	// anonymous callers are served free of charge, accounts are still charged in their ledger, and checkout, portal and webhook
	// answer 503.
	StripeSecretKey string `env:"STRIPE_SECRET_KEY"`
	// StripeWebhookSecrets are the signing secrets of the webhook endpoint (whsec_…), separated by commas. All of them verify, so that a
	// secret can be replaced without losing an event. Required if a secret key is set.
	StripeWebhookSecrets []string `env:"STRIPE_WEBHOOK_SECRETS"`
	// StripeURL is the URL of Stripe's API. Tests point it to a stand-in on 127.0.0.1.
	StripeURL string `env:"STRIPE_URL" envDefault:"https://api.stripe.com"`
	// Prices are the entitlements of each Stripe price, separated by commas: "price_a=plan:pro,price_b=tier:growth". Plans are
	// starter, pro and enterprise; API tiers are growth and scale.
	Prices string `env:"PRICES"`
	// PlanPrices are the monthly prices of plans and API tiers in dollars, separated by commas:
	// "plan:pro=199,tier:growth=99.50". The page /plans shows them. Stripe collects its own prices: keep the two equal.
	PlanPrices string `env:"PLAN_PRICES"`
	// EduCoupon is the ID of a Stripe coupon that checkout applies for accounts with a confirmed address of .edu. Empty = no discount.
	EduCoupon string `env:"EDU_COUPON"`
	// UnbackedLimitUSD is how much an account without an active subscription can spend in a month, in dollars. It applies only if a
	// Stripe secret key is set.
	UnbackedLimitUSD int `env:"UNBACKED_LIMIT_USD" envDefault:"25" min:"0" max:"1000000"`
	// Collect turns on the job that makes one Stripe invoice item of each account's charges of a closed month, for accounts with a customer at
	// Stripe. When it is turned on, it also collects the closed months of the last year.
	Collect bool `env:"COLLECT" envDefault:"false"`
}

// On reports whether Stripe is set up.
func (c Config) On() bool { return c.StripeSecretKey != "" }

// PriceList is the parsed Prices.
func (c Config) PriceList() (price.List, error) {
	list, err := price.Parse(c.Prices)
	if err != nil {
		return nil, fmt.Errorf("BILLING_PRICES: %w", err)
	}
	return list, nil
}

// Offers are the settings about plans.
func (c Config) Offers() (charge.Offers, error) {
	monthly, err := price.ParseMonthly(c.PlanPrices)
	if err != nil {
		return charge.Offers{}, fmt.Errorf("BILLING_PLAN_PRICES: %w", err)
	}
	return charge.Offers{Monthly: monthly, EduDiscount: c.On() && c.EduCoupon != ""}, nil
}

// Validate returns all faults of the settings, each with the setting's name.
func (c Config) Validate() error {
	var faults []error
	if _, err := c.PriceList(); err != nil {
		faults = append(faults, err)
	}
	if _, err := c.Offers(); err != nil {
		faults = append(faults, err)
	}
	if c.EduCoupon != "" && (!c.On() || strings.ContainsAny(c.EduCoupon, " \t\r\n")) {
		faults = append(faults, errors.New("BILLING_EDU_COUPON: must be the ID of a Stripe coupon, and needs BILLING_STRIPE_SECRET_KEY"))
	}
	if u, err := url.Parse(c.StripeURL); err != nil || u.Host == "" || u.Scheme != "https" && (u.Scheme != "http" || u.Hostname() != "127.0.0.1") {
		faults = append(faults, errors.New("BILLING_STRIPE_URL: must begin with https://, or with http://127.0.0.1 for a stand-in"))
	}
	if c.On() && !strings.HasPrefix(c.StripeSecretKey, "sk_") && !strings.HasPrefix(c.StripeSecretKey, "rk_") {
		faults = append(faults, errors.New("BILLING_STRIPE_SECRET_KEY: must begin with sk_ or rk_"))
	}
	if err := c.secretFault(); err != nil {
		faults = append(faults, err)
	}
	if c.Collect && !c.On() {
		faults = append(faults, errors.New("BILLING_COLLECT: needs BILLING_STRIPE_SECRET_KEY"))
	}
	return errors.Join(faults...)
}

// secretFault reports what is wrong with the webhook's secrets, without showing them.
func (c Config) secretFault() error {
	has := func(bad func(string) bool) bool { return slices.ContainsFunc(c.StripeWebhookSecrets, bad) }
	var fault string
	switch {
	// A signature made with an empty secret verifies against an empty secret.
	case has(func(s string) bool { return strings.TrimSpace(s) == "" }):
		fault = "holds an empty secret"
	case has(func(s string) bool { return strings.ContainsAny(s, "; \t\r\n") }):
		fault = "secrets must be separated by commas"
	case has(func(s string) bool { return !strings.HasPrefix(s, "whsec_") }):
		fault = "each secret must begin with whsec_"
	case c.On() && len(c.StripeWebhookSecrets) == 0:
		fault = "is not set, but BILLING_STRIPE_SECRET_KEY is"
	case !c.On() && len(c.StripeWebhookSecrets) > 0:
		fault = "is set, but BILLING_STRIPE_SECRET_KEY is not"
	default:
		return nil
	}
	return errors.New("BILLING_STRIPE_WEBHOOK_SECRETS: " + fault)
}

// announce logs whether Stripe is on, the mode of the key and how many prices there are, and warns if nothing can be bought.
func (c Config) announce(log *slog.Logger) {
	if !c.On() {
		log.Info("Stripe is off: charges are recorded and not collected")
		return
	}
	mode := "live"
	if _, rest, _ := strings.Cut(c.StripeSecretKey, "_"); strings.HasPrefix(rest, "test_") {
		mode = "test"
	}
	prices, _ := c.PriceList() // Validate has read it
	log.Info("Stripe is on", "mode", mode, "prices", len(prices), "collect", c.Collect)
	if len(prices) == 0 {
		log.Warn("nothing can be bought: BILLING_PRICES is not set")
	}
}
