package feed

import (
	"errors"
	"net/url"
	"time"
)

// Config is the module's settings; they have no prefix.
type Config struct {
	// ChangesKeep is how long events stay in the log of changes: at least 360h (15 days). 0 keeps them for ever.
	ChangesKeep time.Duration `env:"CHANGES_KEEP" envDefault:"0"`
	// AllowHTTP lets webhooks call http URLs, IP addresses and this machine itself (127.0.0.1). It is for development: in production it
	// would let accounts reach services of this machine. A warning is logged at each start.
	AllowHTTP bool `env:"FEED_ALLOW_HTTP" envDefault:"false"`
	// EgressProxy is an HTTP proxy for webhooks: "http://10.0.0.3:3128". It resolves host names, so it must refuse private addresses itself.
	// Empty = webhooks connect directly, and private addresses are refused.
	EgressProxy string `env:"FEED_EGRESS_PROXY"`
}

// Validate returns the faults of settings that cannot be used.
func (c Config) Validate() error {
	const least = 15 * 24 * time.Hour
	var faults []error
	if c.ChangesKeep != 0 && c.ChangesKeep < least {
		faults = append(faults, errors.New("CHANGES_KEEP: must be 0 or at least 360h"))
	}
	if _, err := c.proxy(); err != nil {
		faults = append(faults, err)
	}
	return errors.Join(faults...)
}

// proxy is the parsed EgressProxy; nil for none. The error does not repeat the value, which may have a password.
func (c Config) proxy() (*url.URL, error) {
	if c.EgressProxy == "" {
		return nil, nil //nolint:nilnil // none
	}
	u, err := url.Parse(c.EgressProxy)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, errors.New("FEED_EGRESS_PROXY: must look like http://HOST:PORT")
	}
	return u, nil
}
