package web

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"time"
)

// Config is the settings of the web process; the prefix is WEB_.
type Config struct {
	Addr         string        `env:"ADDR" envDefault:"127.0.0.1:8080"` // host:port to listen on
	ReadTimeout  time.Duration `env:"READ_TIMEOUT" envDefault:"15s"`    // a whole request must have arrived by then
	WriteTimeout time.Duration `env:"WRITE_TIMEOUT" envDefault:"60s"`   // a whole answer must be taken by then
	IdleTimeout  time.Duration `env:"IDLE_TIMEOUT" envDefault:"75s"`    // a kept connection without a request is closed
	DrainDelay   time.Duration `env:"DRAIN_DELAY" envDefault:"0s"`      // not ready, but still answering, before a stop: time for load balancers
	BodyLimit    int           `env:"BODY_LIMIT" envDefault:"1048576"`  // bytes of a request body
	PublicURL    string        `env:"PUBLIC_URL"`                       // "https://api.example.com", for links; empty = relative links
	CORSOrigins  []string      `env:"CORS_ORIGINS" envDefault:"*"`      // origins whose pages may call; "*" = any
	// InternalAddr is host:port for readiness, metrics and profiles (/_internal): for operators, so no address that callers
	// reach. Empty = they have no address of their own.
	InternalAddr string `env:"INTERNAL_ADDR" envDefault:"127.0.0.1:8081"`
	// InternalToken opens /_internal on the public address too, to callers that send it as a bearer token; empty = to nobody.
	InternalToken string `env:"INTERNAL_TOKEN"`
	// TrustedProxies are addresses or prefixes of proxies that add the caller's address to X-Forwarded-For, each its own.
	TrustedProxies []string `env:"TRUSTED_PROXIES"`
	AccessLog      string   `env:"ACCESS_LOG" envDefault:"all"` // all, errors (4xx and 5xx) or off
	// QueueUI says whether administrators may look at the job queues under /admin/queues (read), change them too (write), or
	// neither (off).
	QueueUI string `env:"QUEUE_UI" envDefault:"read"`
	// AccessPolicy says whether public data is open to callers without a key or a session (open), or not (keyed).
	AccessPolicy string `env:"-"` // ACCESS_POLICY, which has no prefix
	// AppURL is where people reach the pages: ACCOUNTS_PUBLIC_APP_URL, which links in mails begin with.
	AppURL string `env:"-"`

	// DatabaseTimeout is the longest that one request may wait for the database, in all; then it is answered 503.
	DatabaseTimeout time.Duration `env:"DATABASE_TIMEOUT" envDefault:"5s"`
}

// minTokenLength keeps a token from being guessed.
const minTokenLength = 16

// Validate reports every setting that cannot be used, by its name.
func (c Config) Validate() error {
	var errs []error
	bad := func(name, format string, args ...any) {
		errs = append(errs, fmt.Errorf("WEB_"+name+": "+format, args...))
	}
	if _, _, err := net.SplitHostPort(c.Addr); err != nil {
		bad("ADDR", "%q is not host:port", c.Addr)
	}
	if _, _, err := net.SplitHostPort(c.InternalAddr); err != nil && c.InternalAddr != "" {
		bad("INTERNAL_ADDR", "%q is not host:port", c.InternalAddr)
	}
	for name, d := range map[string]time.Duration{
		"READ_TIMEOUT": c.ReadTimeout, "WRITE_TIMEOUT": c.WriteTimeout, "IDLE_TIMEOUT": c.IdleTimeout, "DATABASE_TIMEOUT": c.DatabaseTimeout,
	} {
		if d <= 0 {
			bad(name, "%s is not a time limit", d)
		}
	}
	if c.DrainDelay < 0 {
		bad("DRAIN_DELAY", "%s is negative", c.DrainDelay)
	}
	if c.BodyLimit <= 0 {
		bad("BODY_LIMIT", "%d is not a number of bytes", c.BodyLimit)
	}
	if c.PublicURL != "" {
		if u, err := url.Parse(c.PublicURL); err != nil || u.Host == "" || u.RawQuery != "" {
			bad("PUBLIC_URL", "%q is not an address such as https://api.example.com", c.PublicURL)
		}
	}
	for _, origin := range c.CORSOrigins {
		if u, err := url.Parse(origin); origin != "*" && (err != nil || u.Host == "" || u.Path != "") {
			bad("CORS_ORIGINS", "%q is neither * nor an origin such as https://app.example.com", origin)
		}
	}
	if c.InternalToken != "" && len(c.InternalToken) < minTokenLength {
		bad("INTERNAL_TOKEN", "has fewer than %d characters", minTokenLength)
	}
	if _, err := prefixes(c.TrustedProxies); err != nil {
		bad("TRUSTED_PROXIES", "%w", err)
	}
	switch c.QueueUI {
	case "", queueUIOff, queueUIRead, queueUIWrite:
	default:
		bad("QUEUE_UI", "%q is not off, read or write", c.QueueUI)
	}
	switch c.AccessLog {
	case "", accessAll, accessErrors, accessOff:
	default:
		bad("ACCESS_LOG", "%q is not all, errors or off", c.AccessLog)
	}
	return errors.Join(append(errs, c.ValidateAccess())...)
}

// ValidateAccess is the part of Validate about a setting that stands elsewhere: it has no prefix.
func (c Config) ValidateAccess() error {
	switch c.AccessPolicy {
	case "", policyOpen, policyKeyed:
		return nil
	}
	return fmt.Errorf("ACCESS_POLICY: %q is neither open nor keyed", c.AccessPolicy)
}

// The values of Config.AccessPolicy; empty is open.
const (
	policyOpen  = "open"
	policyKeyed = "keyed"
)

// prefixes reads addresses and prefixes.
func prefixes(list []string) ([]netip.Prefix, error) {
	out := make([]netip.Prefix, 0, len(list))
	for _, text := range list {
		if address, err := netip.ParseAddr(text); err == nil {
			out = append(out, netip.PrefixFrom(address.Unmap(), address.Unmap().BitLen()))
			continue
		}
		p, err := netip.ParsePrefix(text)
		if err != nil {
			return nil, fmt.Errorf("%q is neither an IP address nor a prefix such as 10.0.0.0/8", text)
		}
		if p.Addr().Is4In6() && p.Bits() >= 96 { // addresses are compared as IPv4
			p = netip.PrefixFrom(p.Addr().Unmap(), p.Bits()-96)
		}
		out = append(out, p.Masked())
	}
	return out, nil
}
