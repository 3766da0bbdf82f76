package stripe

import (
	"context"
	"net/http"
	"time"

	stripego "github.com/stripe/stripe-go/v76"

	"gpatlas/platform/apperr"
)

const (
	attemptTimeout = 10 * time.Second
	// callTimeout is for a call with its repetitions.
	callTimeout = 20 * time.Second
	attempts    = 3
)

// ErrOff is the error of every call, and the answer to every event, if no secret key is set. Customers read it.
var ErrOff = apperr.Unavailable("Payments are not set up on this service")

// errAway is the message of a failed call for callers.
var errAway = apperr.Unavailable("The payment processor cannot be reached now. Try again later")

// Client calls Stripe's API. Connection failures, responses that are not JSON (a proxy's 502 page), 409 and 503 are repeated
// twice with the same idempotency key, so that they take effect once; 429 and 500 are not.
type Client struct {
	key     string
	backend *stripego.BackendImplementation
}

// Options change a client in tests. Zero values mean the defaults.
type Options struct {
	Attempt time.Duration // of one request; 10 s
	NoPause bool          // between repetitions
}

// New makes a client of the API at url with a secret key. With an empty key every call returns ErrOff.
func New(key, url string, o Options) *Client {
	if o.Attempt == 0 {
		o.Attempt = attemptTimeout
	}
	backend := stripego.GetBackendWithConfig(stripego.APIBackend, &stripego.BackendConfig{
		URL: &url, EnableTelemetry: new(false), MaxNetworkRetries: stripego.Int64(attempts - 1),
		LeveledLogger: &stripego.LeveledLogger{Level: stripego.LevelNull}, // its messages contain URLs and responses
		HTTPClient: &http.Client{
			Timeout: o.Attempt, Transport: transport{},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }, // the key must not be sent elsewhere
		},
	}).(*stripego.BackendImplementation)
	backend.SetNetworkRetriesSleep(!o.NoPause)
	return &Client{key: key, backend: backend}
}

// On reports whether a secret key is set.
func (c *Client) On() bool { return c.key != "" }

// call makes one call. Do gets a context that ends in time.
func (c *Client) call(ctx context.Context, what string, do func(ctx context.Context) error) error {
	if !c.On() {
		return ErrOff
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	return c.failure(what, do(ctx))
}

// transport is Go's default. It removes the header in which the library names this machine and its system.
type transport struct{}

func (transport) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Del("X-Stripe-Client-User-Agent")
	return http.DefaultTransport.RoundTrip(r)
}
