package httpclient

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"golang.org/x/time/rate"

	"gpatlas/platform/clock"
)

// The defaults of Config.
const (
	DefaultTimeout  = 10 * time.Second
	DefaultBytesMax = 2 << 20
	DefaultAttempts = 3
)

const (
	dialTimeout  = 5 * time.Second
	redirectsMax = 3
)

// Config sets timeouts and limits. Zero values mean the defaults.
type Config struct {
	UserAgent string
	Timeout   time.Duration // of one request, including retries and waits
	BytesMax  int64         // the maximum size of a response, decompressed
	Attempts  int           // maximum attempts for one request
	PerSecond float64       // requests a second of this client; 0 = unlimited
	// Sleep waits; nil = by the system timer.
	Sleep func(ctx context.Context, d time.Duration) error
}

// Client sends requests. It is safe for concurrent use.
type Client struct {
	cfg     Config
	http    http.Client
	limiter *rate.Limiter
	clock   clock.Clock
	log     *slog.Logger
}

// New makes a client. A nil transport means its own, with limits for opening connections.
func New(cfg Config, transport http.RoundTripper, clk clock.Clock, log *slog.Logger) *Client {
	if cfg.Timeout <= 0 {
		cfg.Timeout = DefaultTimeout
	}
	if cfg.BytesMax <= 0 {
		cfg.BytesMax = DefaultBytesMax
	}
	if cfg.Attempts <= 0 {
		cfg.Attempts = DefaultAttempts
	}
	if cfg.Sleep == nil {
		cfg.Sleep = clock.Sleep
	}
	if transport == nil {
		transport = newTransport()
	}
	limit := rate.Inf
	if cfg.PerSecond > 0 {
		limit = rate.Limit(cfg.PerSecond)
	}
	return &Client{
		cfg: cfg, http: http.Client{Transport: transport, CheckRedirect: checkRedirect},
		limiter: rate.NewLimiter(limit, 1), clock: clk, log: log,
	}
}

func newTransport() *http.Transport {
	return &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           (&net.Dialer{Timeout: dialTimeout}).DialContext,
		TLSHandshakeTimeout:   dialTimeout,
		IdleConnTimeout:       time.Minute,
		MaxIdleConnsPerHost:   2,
		ForceAttemptHTTP2:     true,
		ExpectContinueTimeout: time.Second,
	}
}

// The permanent failures.
var (
	// ErrTooLarge means that the response exceeds the limit.
	ErrTooLarge = errors.New("the response is too large")
	// ErrRedirect means that the server redirects to a host that this client does not follow.
	ErrRedirect = errors.New("the redirect is not allowed")
	// ErrBusy means that more requests wait for the rate limit than their time allows.
	ErrBusy = errors.New("too many requests are waiting")
)

// errTimeout is the cause of a request's end when its time is over.
var errTimeout = errors.New("no response in time")

// StatusError is a response whose status is not 200.
type StatusError struct{ Status int }

// Error names the status.
func (e *StatusError) Error() string {
	return strings.TrimSpace(fmt.Sprintf("the server returned %d %s", e.Status, http.StatusText(e.Status)))
}

// Version identifies a response that a caller has, by the server's headers. The zero value means none.
type Version struct{ ETag, LastModified string }

// Answer is a response.
type Answer struct {
	Body      []byte
	Version   Version
	Unchanged bool // the caller has the current version (304), and there is no body
}

// Request is a request. Repeating it must do no harm.
type Request struct {
	Method string // empty is GET
	URL    string
	Header http.Header // besides the headers of every request; a key belongs here, not into the URL
	Body   []byte      // JSON; nil is none
	Known  Version     // the caller has this one
}

// once sends one request and reads the response. A transient failure is a *TransientError.
func (c *Client) once(ctx context.Context, q *Request) (Answer, error) {
	known := q.Known
	req, err := http.NewRequestWithContext(ctx, q.Method, q.URL, bytes.NewReader(q.Body))
	if err != nil {
		return Answer{}, WithoutURL(err)
	}
	maps.Copy(req.Header, q.Header)
	req.Header.Set("User-Agent", c.cfg.UserAgent)
	req.Header.Set("Accept", "application/json")
	if q.Body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if known.ETag != "" {
		req.Header.Set("If-None-Match", known.ETag)
	}
	if known.LastModified != "" {
		req.Header.Set("If-Modified-Since", known.LastModified)
	}
	res, err := c.http.Do(req)
	if err != nil {
		if errors.Is(err, ErrRedirect) {
			return Answer{}, WithoutURL(err)
		}
		return Answer{}, &TransientError{Err: WithoutURL(err)}
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode == http.StatusNotModified && known != (Version{}) {
		return Answer{Version: known, Unchanged: true}, nil
	}
	if res.StatusCode != http.StatusOK {
		return Answer{}, RefusedError(&StatusError{Status: res.StatusCode}, res, c.clock.Now())
	}
	if res.ContentLength > c.cfg.BytesMax {
		return Answer{}, fmt.Errorf("%w: it declares %d bytes; the limit is %d", ErrTooLarge, res.ContentLength, c.cfg.BytesMax)
	}
	body, err := io.ReadAll(io.LimitReader(res.Body, c.cfg.BytesMax+1))
	if err != nil {
		return Answer{}, &TransientError{Err: fmt.Errorf("after %d bytes: %w", len(body), err)}
	}
	if int64(len(body)) > c.cfg.BytesMax {
		return Answer{}, fmt.Errorf("%w: more than the %d bytes allowed", ErrTooLarge, c.cfg.BytesMax)
	}
	return Answer{Body: body, Version: Version{res.Header.Get("ETag"), res.Header.Get("Last-Modified")}}, nil
}

// checkRedirect lets a server redirect on the same host, but not to another host or from HTTPS to HTTP.
func checkRedirect(next *http.Request, via []*http.Request) error {
	first := via[0].URL
	switch {
	case len(via) > redirectsMax:
		return fmt.Errorf("%w: more than %d in a row", ErrRedirect, redirectsMax)
	case !strings.EqualFold(next.URL.Host, first.Host):
		return fmt.Errorf("%w: it points to another host, %s", ErrRedirect, next.URL.Host)
	case next.URL.Scheme != first.Scheme:
		return fmt.Errorf("%w: it points from %s to %s", ErrRedirect, first.Scheme, next.URL.Scheme)
	}
	return nil
}

// WithoutURL drops method and URL from an error of net/http: the URL may hold a key.
func WithoutURL(err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		return e.Err
	}
	return err
}
