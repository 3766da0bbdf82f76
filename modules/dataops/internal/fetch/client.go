package fetch

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"gpatlas/platform/clock"
	"gpatlas/platform/httpclient"
)

// The defaults of Config.
const (
	DefaultPerSecond = 10 // requests to one host: what the SEC allows
	DefaultStall     = 60 * time.Second
	DefaultBytesMax  = 4 << 30
)

// The limits of one request. There is none on a whole download: an archive of the past has 700 MB.
const (
	dialTimeout   = 10 * time.Second
	headerTimeout = 60 * time.Second
	redirectsMax  = 5
)

// Config is how files are fetched. Zero values mean the defaults.
type Config struct {
	UserAgent string
	Contact   bool          // the user agent names a contact, as sec.gov demands
	BytesMax  int64         // the most that one file may have
	PerSecond float64       // requests a second to one host
	Dir       string        // where unfinished downloads are kept, to be resumed; empty = they are not kept
	Stall     time.Duration // how long no byte may come
	// Sleep waits; nil = by the machine's timer.
	Sleep func(ctx context.Context, d time.Duration) error
}

// Client fetches files. It is safe for concurrent use; the rate holds for all that one client fetches.
type Client struct {
	cfg   Config
	http  http.Client
	clock clock.Clock
	log   *slog.Logger
	swept sync.Once

	mu    sync.Mutex
	hosts map[string]*rate.Limiter
}

// New makes a client over one of NewHTTPClient's kind.
func New(cfg Config, client *http.Client, clk clock.Clock, log *slog.Logger) *Client {
	if cfg.BytesMax <= 0 {
		cfg.BytesMax = DefaultBytesMax
	}
	if cfg.PerSecond <= 0 {
		cfg.PerSecond = DefaultPerSecond
	}
	if cfg.Stall <= 0 {
		cfg.Stall = DefaultStall
	}
	if cfg.Sleep == nil {
		cfg.Sleep = clock.Sleep
	}
	return &Client{cfg: cfg, http: *client, clock: clk, log: log, hosts: make(map[string]*rate.Limiter)}
}

// NewHTTPClient is the HTTP client of downloads.
func NewHTTPClient() *http.Client {
	return &http.Client{Transport: &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           (&net.Dialer{Timeout: dialTimeout}).DialContext,
		TLSHandshakeTimeout:   dialTimeout,
		ResponseHeaderTimeout: headerTimeout,
		DisableCompression:    true, // the bytes as published: their number is checked
		ForceAttemptHTTP2:     true,
	}}
}

// evenly lets requests pass one at a time.
func evenly(perSecond float64) *rate.Limiter { return rate.NewLimiter(rate.Limit(perSecond), 1) }

// Slow bounds the requests to one host further, where the rate is lower than the client's or an earlier one; 0 is none.
func (c *Client) Slow(host string, perSecond float64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if before := c.hosts[host]; perSecond > 0 && perSecond < c.cfg.PerSecond && (before == nil || rate.Limit(perSecond) < before.Limit()) {
		c.hosts[host] = evenly(perSecond)
	}
}

// wait waits until the rate limit of the host allows the request.
func (c *Client) wait(ctx context.Context, host string) error {
	now := c.clock.Now()
	c.mu.Lock()
	limiter := c.hosts[host]
	if limiter == nil {
		limiter = evenly(c.cfg.PerSecond)
		c.hosts[host] = limiter
	}
	delay := limiter.ReserveN(now, 1).DelayFrom(now)
	c.mu.Unlock()
	if delay <= 0 {
		return nil
	}
	return c.cfg.Sleep(ctx, delay)
}

// errRedirect means that a redirect was not followed; trying again would not help.
var errRedirect = errors.New("the redirect is not followed")

// send makes one request, when its turn has come. With sameHost redirects must stay on the host.
func (c *Client) send(ctx context.Context, u *url.URL, sameHost bool, header http.Header) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), http.NoBody)
	if err != nil {
		return nil, err
	}
	maps.Copy(req.Header, header)
	req.Header.Set("User-Agent", c.cfg.UserAgent)
	client := c.http
	client.CheckRedirect = func(next *http.Request, via []*http.Request) error {
		switch {
		case len(via) > redirectsMax:
			return fmt.Errorf("%w: more than %d in a row", errRedirect, redirectsMax)
		case next.URL.Scheme != "https" && (next.URL.Scheme != "http" || u.Scheme == "https"):
			return fmt.Errorf("%w: it points from %s to %s", errRedirect, u.Scheme, next.URL.Scheme)
		case sameHost && !strings.EqualFold(next.URL.Hostname(), u.Hostname()),
			sameHost && next.URL.Scheme == u.Scheme && next.URL.Port() != u.Port():
			return fmt.Errorf("%w: it points to another host, %s", errRedirect, next.URL.Host)
		}
		return c.wait(ctx, next.URL.Host)
	}
	if err := c.wait(ctx, u.Host); err != nil {
		return nil, err
	}
	res, err := client.Do(req)
	if err != nil {
		if errors.Is(err, errRedirect) || ctx.Err() != nil {
			return nil, cause(ctx, err)
		}
		return nil, unreachable(req.URL, err)
	}
	return res, nil
}

// cause prefers the reason for which a context ended over the bare fact.
func cause(ctx context.Context, err error) error {
	if why := context.Cause(ctx); err != nil && why != nil {
		return why
	}
	return httpclient.WithoutURL(err)
}

// demandContact refuses to ask the SEC's servers without a contact: they would answer 403.
func (c *Client) demandContact(u *url.URL) error {
	if c.cfg.Contact || !NeedsContact(u) {
		return nil
	}
	return ContactError(u)
}

// ContactError is the error for a URL that needs a contact.
func ContactError(u *url.URL) error {
	return fmt.Errorf("%s accepts only requests that name a contact: set DATAOPS_CONTACT to an email address", u.Hostname())
}

// NeedsContact reports whether an address belongs to the SEC, whose servers refuse callers without a contact.
func NeedsContact(u *url.URL) bool {
	host := strings.ToLower(u.Hostname())
	return host == "sec.gov" || strings.HasSuffix(host, ".sec.gov")
}
