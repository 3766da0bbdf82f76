package analytics

import (
	"errors"
	"net/url"
	"strings"
	"time"
)

// Config is the module's settings (prefix ANALYTICS_).
type Config struct {
	// RegulatoryURL is the base address of the regulator's public firm search, asked for disclosure events. Empty means that
	// they come from the loaded filings alone.
	RegulatoryURL string `env:"REGULATORY_URL"`
	// RegulatoryTimeout bounds one question to the firm search, its repetitions included.
	RegulatoryTimeout time.Duration `env:"REGULATORY_TIMEOUT" envDefault:"10s"`
	// RegulatoryContact is an e-mail address that questions to the firm search name. The SEC wants to know whom to write to;
	// its other servers refuse callers without one.
	RegulatoryContact string `env:"REGULATORY_CONTACT"`
}

// Validate finds settings that cannot be used.
func (c Config) Validate() error {
	if c.RegulatoryURL == "" {
		return nil
	}
	u, err := url.Parse(c.RegulatoryURL)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
		return errors.New("ANALYTICS_REGULATORY_URL: must be an http or https address")
	}
	if c.RegulatoryTimeout <= 0 {
		return errors.New("ANALYTICS_REGULATORY_TIMEOUT: must be positive")
	}
	if strings.ContainsAny(c.RegulatoryContact, "\r\n") {
		return errors.New("ANALYTICS_REGULATORY_CONTACT: must be one line")
	}
	return nil
}
