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

// passingError is a failure that may pass. After is how long the server asks to be left alone; 0 = it does not say.
type passingError struct {
	err   error
	after time.Duration
}

func (e *passingError) Error() string { return e.err.Error() }
func (e *passingError) Unwrap() error { return e.err }

// Passing says whether a failure of Get is of the kind that passes: the server was not reached, was busy or failed, or
// took too long. Asking again at once is of no use then: Get has done so.
func Passing(err error) bool {
	_, ok := errors.AsType[*passingError](err)
	return ok || errors.Is(err, errTimeout)
}

// Get asks for address and gives the body of its answer, whose status was 200. What fails in passing (no connection,
// 429, 5xx) is tried again after a growing, jittered while, or after the one that the server names, as long as the
// question's time allows.
func (c *Client) Get(ctx context.Context, address string) ([]byte, error) {
	start := c.clock.Now()
	ctx, cancel := context.WithTimeoutCause(ctx, c.cfg.Timeout, errTimeout)
	defer cancel()
	for attempt := 1; ; attempt++ {
		if err := c.pace(ctx, start); err != nil {
			return nil, err
		}
		body, err := c.once(ctx, address)
		passing, ok := errors.AsType[*passingError](err)
		switch {
		case err == nil:
			return body, nil
		case ctx.Err() != nil:
			return nil, fmt.Errorf("%w: %v", context.Cause(ctx), err) //nolint:errorlint // what broke off is no failure of its own
		case !ok:
			return nil, err
		case attempt >= c.cfg.Attempts:
			return nil, fmt.Errorf("%w (given up after %d attempts)", err, attempt)
		}
		delay := max(backoff(attempt), passing.after)
		if c.clock.Now().Add(delay).After(start.Add(c.cfg.Timeout)) {
			return nil, fmt.Errorf("%w (given up: the next attempt, in %s, would be too late)", err, delay)
		}
		c.log.InfoContext(ctx, "a request to another service failed; it will be retried", slog.Any("error", passing.err),
			slog.Int("attempt", attempt), slog.Duration("again_in", delay))
		if err := c.cfg.Sleep(ctx, delay); err != nil {
			return nil, err
		}
	}
}

// pace lets the request pass when the rate allows it. One whose turn would come too late is refused at once.
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

// backoff is how long to wait after the n-th failure: twice as long each time, less up to a half, so that callers who
// failed together do not come back together.
func backoff(n int) time.Duration {
	whole := min(backoffFirst<<(n-1), backoffMax)
	return whole/2 + rand.N(whole/2) // #nosec G404 -- a jitter
}

// refused turns an answer other than 200 into an error.
func (c *Client) refused(res *http.Response) error {
	err := &StatusError{Status: res.StatusCode}
	switch {
	case res.StatusCode == http.StatusTooManyRequests, res.StatusCode == http.StatusRequestTimeout, res.StatusCode >= http.StatusInternalServerError:
		return &passingError{err: err, after: c.retryAfter(res.Header.Get("Retry-After"))}
	}
	return err
}

// retryAfter reads the header: seconds, or a date. Nonsense counts as absent.
func (c *Client) retryAfter(value string) time.Duration {
	if seconds, err := strconv.ParseInt(value, 10, 32); err == nil {
		return max(time.Duration(seconds)*time.Second, 0)
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(at.Sub(c.clock.Now()), 0)
	}
	return 0
}
