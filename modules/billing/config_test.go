package billing

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestValidate(t *testing.T) {
	t.Parallel()
	good := Config{StripeURL: "https://api.stripe.com"}
	require.NoError(t, good.Validate())
	for want, change := range map[string]func(*Config){
		"BILLING_PRICES":                          func(c *Config) { c.Prices = "price_a=plan:gold" },
		"BILLING_STRIPE_URL":                      func(c *Config) { c.StripeURL = "http://stripe.example" },
		"BILLING_STRIPE_WEBHOOK_SECRETS: is not":  func(c *Config) { c.StripeSecretKey = "sk_test_1" },
		"BILLING_STRIPE_WEBHOOK_SECRETS: holds":   func(c *Config) { c.StripeWebhookSecrets = []string{"whsec_a", " "} },
		"BILLING_COLLECT: needs BILLING_STRIPE_S": func(c *Config) { c.Collect = true },
	} {
		c := good
		change(&c)
		require.ErrorContains(t, c.Validate(), want)
	}
}
