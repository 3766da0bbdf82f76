package web

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"time"
)

// Config is the settings of the web process; the prefix is WEB_.
type Config struct {
	Addr         string        `env:"ADDR" envDefault:"127.0.0.1:8080"`         // HOST:PORT to listen on
	ReadTimeout  time.Duration `env:"READ_TIMEOUT" envDefault:"15s" min:"1ms"`  // maximum time to receive a request
	WriteTimeout time.Duration `env:"WRITE_TIMEOUT" envDefault:"60s" min:"1ms"` // maximum time to send a response
	IdleTimeout  time.Duration `env:"IDLE_TIMEOUT" envDefault:"75s" min:"1ms"`  // an idle connection is closed after this time
	DrainDelay   time.Duration `env:"DRAIN_DELAY" envDefault:"0s" min:"0s"`     // before a stop, the process reports not ready but serves requests, so that load balancers notice
	BodyLimit    int           `env:"BODY_LIMIT" envDefault:"1048576" min:"1"`  // maximum size of a request body in bytes
	// ConnectionsPerIP limits the open connections of one IP address, or of one IPv6 /64 network. Loopback addresses and
	// trusted proxies have no limit. 0 = no limit.
	ConnectionsPerIP int      `env:"CONNECTIONS_PER_IP" envDefault:"256" min:"0"`
	PublicURL        string   `env:"PUBLIC_URL"`                  // base URL of links, "https://api.example.com"; empty = relative links
	CORSOrigins      []string `env:"CORS_ORIGINS" envDefault:"*"` // origins whose pages may call the API; "*" = any
	// InternalAddr is the HOST:PORT of readiness, metrics and profiles (/_internal). They are for operators: choose one that
	// callers cannot reach. Empty = no separate listener.
	InternalAddr string `env:"INTERNAL_ADDR" envDefault:"127.0.0.1:8081"`
	// InternalToken opens /_internal on the public listener too, to requests that send it as a bearer token; empty = closed there.
	InternalToken string `env:"INTERNAL_TOKEN"`
	// TrustedProxies lists the IP addresses or prefixes of your proxies. Each must add the caller's IP address to X-Forwarded-For.
	TrustedProxies []string `env:"TRUSTED_PROXIES"`
	AccessLog      string   `env:"ACCESS_LOG" envDefault:"all"` // which requests are logged: all, errors (4xx and 5xx) or off
	// QueueUI sets what administrators can do with the job queues under /admin/queues: view them (read), also change them
	// (write), or nothing (off).
	QueueUI string `env:"QUEUE_UI" envDefault:"read"`
	// AccessPolicy is whether public data is open to anonymous callers (open), or needs a key or a session (keyed).
	AccessPolicy string `env:"-"` // ACCESS_POLICY, which has no prefix
	// AppURL is the public URL of the pages: ACCOUNTS_PUBLIC_APP_URL, with which links in mails begin.
	AppURL string `env:"-"`
	// TagKeys are the secrets of entity tags of answers that are sold, derived from ACCOUNTS_JWT_KEYS.
	TagKeys [][]byte `env:"-"`
	// Legal names the operator: LEGAL_NAME and others, which have a prefix of their own.
	Legal LegalConfig `env:"-"`
	// Listen is the open socket that Start serves, instead of one that it opens on Addr. nil means none.
	Listen func(ctx context.Context) (net.Listener, error) `env:"-"`

	// DatabaseTimeout limits the total time that one request may wait for the database. After that, the response is 503.
	DatabaseTimeout time.Duration `env:"DATABASE_TIMEOUT" envDefault:"5s" min:"1ms"`
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
		bad("ADDR", "%q is not HOST:PORT, such as 127.0.0.1:8080", c.Addr)
	}
	if _, _, err := net.SplitHostPort(c.InternalAddr); err != nil && c.InternalAddr != "" {
		bad("INTERNAL_ADDR", "%q is not HOST:PORT, such as 127.0.0.1:8081", c.InternalAddr)
	}
	if c.PublicURL != "" {
		if u, err := url.Parse(c.PublicURL); err != nil || u.Host == "" || u.RawQuery != "" {
			bad("PUBLIC_URL", "%q is not a URL such as https://api.example.com", c.PublicURL)
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
	return errors.Join(append(errs, c.ValidateAccess(), c.Legal.validate())...)
}

// ValidateAccess is the part of Validate about a setting without the prefix.
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
