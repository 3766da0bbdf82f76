package keys

import "fmt"

// Config holds the settings of keys and limits; they have no prefix.
type Config struct {
	// AnonymousLimits is "on", or "off" for a self-hosted service behind its own API gateway. Empty means on, but off in
	// `gpatlas dev`.
	AnonymousLimits string `env:"ANONYMOUS_LIMITS" envDefault:"on"`
}

// Validate reports what is wrong with the settings, with the setting's name.
func (c Config) Validate() error {
	switch c.AnonymousLimits {
	case "", "on", "off":
		return nil
	default:
		return fmt.Errorf("ANONYMOUS_LIMITS: %q is neither on nor off", c.AnonymousLimits)
	}
}

// Unlimited reports whether anonymous callers have no limits.
func (c Config) Unlimited() bool { return c.AnonymousLimits == "off" }

// RedisURL is the URL in REDIS_URL; the command supplies it. Nothing connects before the first request.
type RedisURL string
