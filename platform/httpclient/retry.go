package httpclient

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"
)

const (
	backoffFirst = 250 * time.Millisecond
	backoffMax   = 8 * time.Second
)

// TransientError is a failure that may succeed on retry. After is the server's Retry-After; 0 = not stated.
type TransientError struct {
	Err   error
	After time.Duration
}

// Error is the message of the failure.
func (e *TransientError) Error() string { return e.Err.Error() }

// Unwrap is the failure itself.
func (e *TransientError) Unwrap() error { return e.Err }

// Passing reports whether a failure of Get is transient: the server was unreachable, was busy or failed, or took too long.
// Retrying at once is useless, because Get has done so.
func Passing(err error) bool {
	_, ok := errors.AsType[*TransientError](err)
	return ok || errors.Is(err, errTimeout)
}

// Get requests a URL and returns the body of the response, whose status was 200. Transient failures (no connection, 408,
// 429, 5xx) are retried after a growing, jittered delay, or after the one that the server asks for, as long as the
// request's time allows.
func (c *Client) Get(ctx context.Context, address string) ([]byte, error) {
	answer, err := c.Send(ctx, Request{URL: address})
	return answer.Body, err
}

// GetNewer is Get, unless the server responds that the caller has the current version.
func (c *Client) GetNewer(ctx context.Context, address string, known Version) (Answer, error) {
	return c.Send(ctx, Request{URL: address, Known: known})
}

// Send is Get for any request.
func (c *Client) Send(ctx context.Context, q Request) (Answer, error) {
	start := c.clock.Now()
	ctx, cancel := context.WithTimeoutCause(ctx, c.cfg.Timeout, errTimeout)
	defer cancel()
	for attempt := 1; ; attempt++ {
		if err := c.pace(ctx, start); err != nil {
			return Answer{}, err
		}
		answer, err := c.once(ctx, &q)
		transient, ok := errors.AsType[*TransientError](err)
		switch {
		case err == nil:
			return answer, nil
		case ctx.Err() != nil:
			return Answer{}, fmt.Errorf("%w: %v", context.Cause(ctx), err) //nolint:errorlint // what broke off is no failure of its own
		case !ok:
			return Answer{}, err
		case attempt >= c.cfg.Attempts:
			return Answer{}, fmt.Errorf("%w (given up after %d attempts)", err, attempt)
		}
		delay := max(Backoff(attempt, backoffFirst, backoffMax), transient.After)
		if c.clock.Now().Add(delay).After(start.Add(c.cfg.Timeout)) {
			return Answer{}, fmt.Errorf("%w (given up: the next attempt, in %s, would be too late)", err, delay)
		}
		c.log.InfoContext(ctx, "a request to another service failed; it will be retried", slog.Any("error", transient.Err),
			slog.Int("attempt", attempt), slog.Duration("again_in", delay))
		if err := c.cfg.Sleep(ctx, delay); err != nil {
			return Answer{}, err
		}
	}
}

// pace waits until the rate limit allows the request. A request whose turn would come too late is refused at once.
func (c *Client) pace(ctx context.Context, start time.Time) error {
	now := c.clock.Now()
	turn := c.limiter.ReserveN(now, 1)
	delay := turn.DelayFrom(now)
	if delay <= 0 {
		return nil
	}
	if now.Add(delay).After(start.Add(c.cfg.Timeout)) {
		turn.CancelAt(now)
		return ErrBusy
	}
	return c.cfg.Sleep(ctx, delay)
}

// Backoff is the wait after the n-th consecutive failure: first, then twice as long each time up to the limit, less up to a
// half at random, so that callers who failed together do not retry together.
func Backoff(n int, first, limit time.Duration) time.Duration {
	whole := min(first<<(n-1), limit)
	return whole/2 + rand.N(whole/2) // #nosec G404 -- a jitter
}

// RefusedError is err, the failure that a response's status means, as a *TransientError when a retry may help: 408, 429
// and 5xx.
func RefusedError(err error, res *http.Response, now time.Time) error {
	switch {
	case res.StatusCode == http.StatusTooManyRequests, res.StatusCode == http.StatusRequestTimeout, res.StatusCode >= http.StatusInternalServerError:
		return &TransientError{Err: err, After: RetryAfter(res.Header.Get("Retry-After"), now)}
	}
	return err
}

// RetryAfter reads the header: seconds, or a date. Any other value counts as absent.
func RetryAfter(value string, now time.Time) time.Duration {
	if seconds, err := strconv.ParseInt(value, 10, 32); err == nil || errors.Is(err, strconv.ErrRange) {
		return max(time.Duration(seconds)*time.Second, 0) // out of range: the nearest that is in it
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(at.Sub(now), 0)
	}
	return 0
}
