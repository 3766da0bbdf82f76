package people

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"gpatlas/modules/people/internal/invented"
)

// Config holds the settings about people; their prefix is PEOPLE_.
type Config struct {
	// Providers are asked for what filings do not state about a person, in this order, separated by commas: pdl (People Data
	// Labs), hunter (Hunter), http (a service of your own), invented (made-up values, only for the people of the invented
	// sample; the default of gpatlas dev). Empty means that no provider is asked. With empty or invented, no name leaves the
	// service.
	Providers []string `env:"PROVIDERS"`
	// PDLAPIKey is the API key of an account with People Data Labs.
	PDLAPIKey string `env:"PDL_API_KEY"`
	// PDLURL is the base URL of People Data Labs.
	PDLURL string `env:"PDL_URL" envDefault:"https://api.peopledatalabs.com"`
	// PDLMinLikelihood is the lowest likelihood (1 to 10) of a match that we ask People Data Labs for.
	PDLMinLikelihood int `env:"PDL_MIN_LIKELIHOOD" envDefault:"6" min:"1" max:"10"`
	// HunterAPIKey is the API key of an account with Hunter.
	HunterAPIKey string `env:"HUNTER_API_KEY"`
	// HunterURL is the base URL of Hunter.
	HunterURL string `env:"HUNTER_URL" envDefault:"https://api.hunter.io"`
	// HTTPURL is the URL of a service that implements the protocol in docs/people.md.
	HTTPURL string `env:"HTTP_URL"`
	// HTTPAPIKey is sent to that service as a bearer token. It can be empty.
	HTTPAPIKey string `env:"HTTP_API_KEY"`
	// HTTPName is the name of that service in the source of a field.
	HTTPName string `env:"HTTP_NAME" envDefault:"http"`
	// ProviderTimeout limits one query to a provider, including retries.
	ProviderTimeout time.Duration `env:"PROVIDER_TIMEOUT" envDefault:"10s" min:"1ms" max:"60s"`
	// AskAgainAfter is how long a provider's answer about a person is used. Before that, the provider is not asked about the
	// person again, unless a caller requests a fresh profile.
	AskAgainAfter time.Duration `env:"ASK_AGAIN_AFTER" envDefault:"720h" min:"0s"`
	// EnrichMax is the maximum number of people per manager that providers are asked about, the most senior first.
	EnrichMax int `env:"ENRICH_MAX" envDefault:"100" min:"1" max:"1000"`
	// EnrichWait is how long a request waits for its enrichment. After that, the response is 202 with the job's ID.
	EnrichWait time.Duration `env:"ENRICH_WAIT" envDefault:"60s" min:"0s" max:"60s"`
	// Boards are job boards in addition to those added by command, as CRD:VENDOR:TOKEN, separated by commas. The vendor is
	// greenhouse, lever, lever-eu or ashby.
	Boards []string `env:"BOARDS"`
}

// The names of providers in PEOPLE_PROVIDERS.
const (
	providerPDL      = "pdl"
	providerHunter   = "hunter"
	providerHTTP     = "http"
	providerInvented = invented.Source
)

var providerNames = []string{providerPDL, providerHunter, providerHTTP, providerInvented}

var providerName = regexp.MustCompile(`^[a-z][a-z0-9_-]{0,31}$`)

// Validate returns all faults of the settings, each with the setting's name. It never includes a key.
func (c Config) Validate() error {
	var faults []error
	add := func(setting, format string, args ...any) {
		faults = append(faults, errors.New("PEOPLE_"+setting+": "+fmt.Sprintf(format, args...)))
	}
	wants := func(p string) bool { return slices.Contains(c.Providers, p) }
	for i, p := range c.Providers {
		switch {
		case !slices.Contains(providerNames, p):
			add("PROVIDERS", "%q is not a provider; valid are %s", p, strings.Join(providerNames, ", "))
		case slices.Contains(c.Providers[:i], p):
			add("PROVIDERS", "%s is named twice", p)
		}
	}
	for _, key := range []struct {
		setting, value, provider string
		required                 bool
	}{
		{"PDL_API_KEY", c.PDLAPIKey, providerPDL, true},
		{"HUNTER_API_KEY", c.HunterAPIKey, providerHunter, true},
		{"HTTP_API_KEY", c.HTTPAPIKey, providerHTTP, false},
	} {
		switch {
		case key.required && wants(key.provider) && key.value == "":
			add(key.setting, "is not set, and PEOPLE_PROVIDERS names %s", key.provider)
		case strings.ContainsFunc(key.value, func(r rune) bool { return r <= ' ' || r >= 0x7f }):
			add(key.setting, "must be visible ASCII characters without spaces")
		}
	}
	for _, base := range []struct {
		setting, value, provider string
	}{{"PDL_URL", c.PDLURL, providerPDL}, {"HUNTER_URL", c.HunterURL, providerHunter}, {"HTTP_URL", c.HTTPURL, providerHTTP}} {
		if wants(base.provider) && !secure(base.value) {
			add(base.setting, "must be an https:// URL without query, or http:// on this machine (127.0.0.1) for a stand-in")
		}
	}
	if !providerName.MatchString(c.HTTPName) || slices.Contains([]string{providerPDL, providerHunter, providerInvented, "filings"}, c.HTTPName) {
		add("HTTP_NAME", "%q is not 1 to 32 lower-case letters, digits, _ and -, beginning with a letter; pdl, hunter, invented and filings are taken", c.HTTPName)
	}
	if _, err := jobBoards(c.Boards); err != nil {
		add("BOARDS", "%s", err)
	}
	return errors.Join(faults...)
}

// secure reports whether a key and a name may be sent to a URL.
func secure(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Scheme == "https" || u.Scheme == "http" && (u.Hostname() == "localhost" || ip != nil && ip.IsLoopback())
}
