// Package outbound sends one POST to an address that a user wrote. It alone may do so. Such an address must not lead into our own
// network, so every connection is checked when it is opened, by the address that the name was resolved to: see guard.go. Redirects are
// not followed, the environment's proxy is not used, and a response is read up to a limit.
package outbound

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"time"

	"gpatlas/platform/httpclient"
)

const (
	// Limit is the time for connecting and for the response together.
	Limit = 15 * time.Second
	// bodyMax and headerMax are how many bytes of a response are read.
	bodyMax, headerMax = 4 << 10, 16 << 10
)

// Config is the operator's settings.
type Config struct {
	// AllowHTTP also allows http, all ports, IP addresses and this machine (loopback). It is for development.
	AllowHTTP bool
	// Proxy is an egress proxy. It resolves names, so it decides which addresses may be called, and the guard does not apply.
	Proxy *url.URL
	// UserAgent names the sender.
	UserAgent string
}

// Client sends requests. It is safe for concurrent use.
type Client struct {
	cfg    Config
	http   http.Client
	dialer net.Dialer
	limit  time.Duration
}

// New makes a client.
func New(cfg Config) *Client {
	c := &Client{cfg: cfg, limit: Limit}
	c.dialer.Control = func(_, address string, _ syscall.RawConn) error { return c.permit(address) }
	transport := &http.Transport{
		DialContext: c.dial, DisableKeepAlives: true, DisableCompression: true, MaxResponseHeaderBytes: headerMax,
		TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS12},
	}
	if cfg.Proxy != nil {
		transport.Proxy = http.ProxyURL(cfg.Proxy)
	}
	c.http = http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return c
}

func (c *Client) dial(ctx context.Context, network, address string) (net.Conn, error) {
	if c.cfg.Proxy != nil { // it is the operator's own address
		return (&net.Dialer{}).DialContext(ctx, network, address)
	}
	return c.dialer.DialContext(ctx, network, address)
}

// Announce warns that development settings are on.
func (c *Client) Announce(ctx context.Context, log *slog.Logger) {
	if c.cfg.AllowHTTP {
		log.WarnContext(ctx, "FEED_ALLOW_HTTP is set: webhooks may call http URLs and this machine itself. Never set it in production")
	}
}

// Response is the beginning of a response.
type Response struct {
	Status     int
	Body       []byte // at most 4 KiB
	retryAfter string
}

// RetryAfter is how long the host asks to wait; 0: it does not.
func (r Response) RetryAfter(now time.Time) time.Duration {
	return httpclient.RetryAfter(r.retryAfter, now)
}

// Post sends a body. The error is a *Error. A response that ends early, or is longer than what is read, is no error: its status has
// arrived.
func (c *Client) Post(ctx context.Context, address string, header http.Header, body []byte) (Response, error) {
	if fault := c.Check(address); fault != "" {
		return Response{}, &Error{Reason: "the URL " + fault}
	}
	ctx, cancel := context.WithTimeout(ctx, c.limit)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return Response{}, &Error{Reason: "the URL is not valid", cause: err}
	}
	maps.Copy(request.Header, header)
	request.Header.Set("User-Agent", c.cfg.UserAgent)
	response, err := c.http.Do(request)
	if err != nil {
		return Response{}, explain(ctx, err)
	}
	defer func() { _ = response.Body.Close() }()
	said, _ := io.ReadAll(io.LimitReader(response.Body, bodyMax)) // the status decides; what is read of the rest is for people
	return Response{Status: response.StatusCode, Body: said, retryAfter: response.Header.Get("Retry-After")}, nil
}

// Error is why no response came. Its text is shown to the owner of the address, and says nothing of our network.
type Error struct {
	Reason string
	cause  error
}

// Error is the reason.
func (e *Error) Error() string { return e.Reason }

// Unwrap is the error of the network, which may name addresses: it is not shown.
func (e *Error) Unwrap() error { return e.cause }

// explain makes an error of one of net/http.
func explain(ctx context.Context, err error) *Error {
	e := &Error{cause: err}
	var (
		certificate *tls.CertificateVerificationError
		dns         *net.DNSError
		record      tls.RecordHeaderError
	)
	switch {
	case errors.Is(err, errForbidden):
		e.Reason = "the host's address is not allowed: it must be a public address"
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		e.Reason = "no response in " + Limit.String()
	case errors.As(err, &dns):
		e.Reason = "the host's name could not be resolved"
	case errors.As(err, &certificate):
		e.Reason = "the certificate of the host is not valid for it"
	case errors.As(err, &record), errors.Is(err, http.ErrSchemeMismatch):
		e.Reason = "the host does not speak TLS on that port"
	case errors.Is(err, syscall.ECONNREFUSED):
		e.Reason = "the host refused the connection"
	case strings.Contains(err.Error(), "server response headers exceeded"):
		e.Reason = "the response has more than 16 KiB of headers"
	default:
		e.Reason = "the connection failed, or the response is not HTTP"
	}
	return e
}
