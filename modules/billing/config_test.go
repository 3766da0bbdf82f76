package billing

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestValidate(t *testing.T) {
	t.Parallel()
	good := Config{StripeURL: "https://api.stripe.com"}
	require.NoError(t, good.Validate())
	for want, change := range map[string]func(*Config){
		"BILLING_PRICES":                          func(c *Config) { c.Prices = "price_a=plan:gold" },
		"BILLING_PLAN_PRICES":                     func(c *Config) { c.PlanPrices = "plan:pro=cheap" },
		"BILLING_EDU_COUPON":                      func(c *Config) { c.EduCoupon = "EDU20" },
		"BILLING_STRIPE_URL":                      func(c *Config) { c.StripeURL = "http://stripe.example" },
		"BILLING_STRIPE_SECRET_KEY: must begin":   func(c *Config) { c.StripeSecretKey = "pk_live_1" },
		"BILLING_PRICES: \"prod_a\" is not":       func(c *Config) { c.Prices = "prod_a=plan:pro" },
		"BILLING_STRIPE_WEBHOOK_SECRETS: is not":  func(c *Config) { c.StripeSecretKey = "sk_test_1" },
		"BILLING_STRIPE_WEBHOOK_SECRETS: is set":  func(c *Config) { c.StripeWebhookSecrets = []string{"whsec_a"} },
		"each secret must begin with whsec_":      func(c *Config) { c.StripeWebhookSecrets = []string{"whsec_a", "sk_b"} },
		"secrets must be separated by commas":     func(c *Config) { c.StripeWebhookSecrets = []string{"whsec_a;whsec_b"} },
		"BILLING_STRIPE_WEBHOOK_SECRETS: holds":   func(c *Config) { c.StripeWebhookSecrets = []string{"whsec_a", " "} },
		"BILLING_COLLECT: needs BILLING_STRIPE_S": func(c *Config) { c.Collect = true },
	} {
		c := good
		change(&c)
		require.ErrorContains(t, c.Validate(), want)
	}
	for _, key := range []string{"sk_test_1", "sk_live_1", "rk_live_1"} {
		c := Config{StripeURL: good.StripeURL, StripeSecretKey: key, StripeWebhookSecrets: []string{"whsec_a", "whsec_b"}, Prices: "price_a=plan:pro"}
		require.NoError(t, c.Validate())
	}
}

// The start says what is set up, and shows no secret.
func TestAnnounce(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		config Config
		want   []string
	}{
		{Config{}, []string{"level=INFO msg=\"Stripe is off"}},
		{Config{StripeSecretKey: "rk_live_secret", Prices: "price_a=plan:pro,price_b=tier:growth"}, []string{"level=INFO msg=\"Stripe is on\" mode=live prices=2"}},
		{Config{StripeSecretKey: "sk_test_secret"}, []string{"mode=test prices=0", "level=WARN msg=\"nothing can be bought: BILLING_PRICES is not set\""}},
	} {
		var out bytes.Buffer
		c.config.announce(slog.New(slog.NewTextHandler(&out, nil)))
		require.Equal(t, len(c.want), strings.Count(out.String(), "\n"))
		for _, want := range c.want {
			require.Contains(t, out.String(), want)
		}
		require.NotContains(t, out.String(), "secret")
	}
}
