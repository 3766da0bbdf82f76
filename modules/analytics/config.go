package analytics

import (
	"errors"
	"net/url"
	"strings"
	"time"
)

// Config is the module's settings (prefix ANALYTICS_).
type Config struct {
	// RegulatoryURL is the base URL of the regulator's public firm search, the source of disclosure events. Empty means that
	// disclosure events come from the loaded filings only.
	RegulatoryURL string `env:"REGULATORY_URL"`
	// RegulatoryTimeout limits one request to the firm search, including retries.
	RegulatoryTimeout time.Duration `env:"REGULATORY_TIMEOUT" envDefault:"10s" min:"1ms"`
	// RegulatoryContact is an email address sent with each request to the firm search. The SEC requires a contact; its other
	// servers reject requests without one.
	RegulatoryContact string `env:"REGULATORY_CONTACT"`
}

// Validate returns the fault of a setting that cannot be used.
func (c Config) Validate() error {
	if c.RegulatoryURL == "" {
		return nil
	}
	u, err := url.Parse(c.RegulatoryURL)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
		return errors.New("ANALYTICS_REGULATORY_URL: is not an http or https URL") // not repeated: it may contain a password
	}
	if strings.ContainsAny(c.RegulatoryContact, "\r\n") {
		return errors.New("ANALYTICS_REGULATORY_CONTACT: must be one line")
	}
	return nil
}
