package billing

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"gpatlas/modules/billing/internal/price"
)

// Config holds the settings of billing; their prefix is BILLING_.
type Config struct {
	// StripeSecretKey is the secret API key of a Stripe account (sk_live_… or sk_test_…). Without it nothing is collected:
	// anonymous callers are served free of charge, accounts are charged to their ledger as ever, and checkout, portal and webhook answer 503.
	StripeSecretKey string `env:"STRIPE_SECRET_KEY"`
	// StripeWebhookSecrets are the signing secrets of the webhook endpoint (whsec_…), separated by commas. All of them verify, so that a
	// secret can be replaced without losing an event. Required if a secret key is set.
	StripeWebhookSecrets []string `env:"STRIPE_WEBHOOK_SECRETS"`
	// StripeURL is the URL of Stripe's API. Tests point it to a stand-in on 127.0.0.1.
	StripeURL string `env:"STRIPE_URL" envDefault:"https://api.stripe.com"`
	// Prices say what each Stripe price gives, separated by commas: "price_a=plan:pro,price_b=tier:growth". Plans are
	// starter, pro and enterprise; API tiers are growth and scale.
	Prices string `env:"PRICES"`
	// UnbackedLimitUSD is how much an account without an active subscription can spend in a month, in dollars. It applies only if a
	// Stripe secret key is set.
	UnbackedLimitUSD int `env:"UNBACKED_LIMIT_USD" envDefault:"25" min:"0" max:"1000000"`
	// Collect turns on the job that makes one Stripe invoice item of each account's charges of a closed month, for accounts with a customer at
	// Stripe. When it is turned on, it also collects the closed months of the last year.
	Collect bool `env:"COLLECT" envDefault:"false"`
}

// On says whether Stripe is set up.
func (c Config) On() bool { return c.StripeSecretKey != "" }

// PriceList is what Prices say.
func (c Config) PriceList() (price.List, error) {
	list, err := price.Parse(c.Prices)
	if err != nil {
		return nil, fmt.Errorf("BILLING_PRICES: %w", err)
	}
	return list, nil
}

// Validate says everything that is wrong with the settings, each fault with the setting's name.
func (c Config) Validate() error {
	var faults []error
	if _, err := c.PriceList(); err != nil {
		faults = append(faults, err)
	}
	if u, err := url.Parse(c.StripeURL); err != nil || u.Host == "" || u.Scheme != "https" && (u.Scheme != "http" || u.Hostname() != "127.0.0.1") {
		faults = append(faults, errors.New("BILLING_STRIPE_URL: must begin with https://, or with http://127.0.0.1 for a stand-in"))
	}
	// A signature made with an empty secret verifies against an empty secret.
	if slices.ContainsFunc(c.StripeWebhookSecrets, func(s string) bool { return strings.TrimSpace(s) == "" }) {
		faults = append(faults, errors.New("BILLING_STRIPE_WEBHOOK_SECRETS: holds an empty secret"))
	}
	if c.On() && len(c.StripeWebhookSecrets) == 0 {
		faults = append(faults, errors.New("BILLING_STRIPE_WEBHOOK_SECRETS: is not set, but BILLING_STRIPE_SECRET_KEY is"))
	}
	if c.Collect && !c.On() {
		faults = append(faults, errors.New("BILLING_COLLECT: needs BILLING_STRIPE_SECRET_KEY"))
	}
	return errors.Join(faults...)
}
