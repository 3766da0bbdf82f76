package fetch

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// The patience with a server that fails in passing.
const (
	failuresMax   = 6 // in a row without getting on
	triesMax      = 500
	progressBytes = 1 << 20 // what counts as getting on
	backoffFirst  = time.Second
	backoffMax    = time.Minute
	retryAfterMax = 15 * time.Minute
)

// ErrNotFound says that the server has no such file (404 or 410).
var ErrNotFound = errors.New("the file does not exist")

// transientError is a failure that may pass. After is how long the server asks to be left alone; 0 = it does not say.
type transientError struct {
	err   error
	after time.Duration
}

func (e *transientError) Error() string { return e.err.Error() }
func (e *transientError) Unwrap() error { return e.err }

// retry runs try until it succeeds, fails for good, or has failed too often without getting on. Try says how many bytes
// it got on by.
func (c *Client) retry(ctx context.Context, u *url.URL, try func(ctx context.Context) (int64, error)) error {
	for failures, tries := 0, 1; ; tries++ {
		got, err := try(ctx)
		passing, ok := errors.AsType[*transientError](err)
		switch {
		case err == nil:
			return nil
		case !ok || ctx.Err() != nil:
			return cause(ctx, err)
		case got >= progressBytes:
			failures = 0
		}
		failures++
		delay := jittered(min(backoffFirst<<(failures-1), backoffMax))
		switch {
		case passing.after > retryAfterMax:
			return fmt.Errorf("%w; the server asks to wait %s", passing.err, passing.after)
		case failures >= failuresMax || tries >= triesMax:
			return fmt.Errorf("%w (given up after %d attempts)", passing.err, tries)
		}
		delay = max(delay, passing.after)
		c.log.WarnContext(ctx, "download failed and will be retried", slog.String("address", u.Redacted()), slog.Any("error", passing.err),
			slog.Int("failures", failures), slog.Duration("again_in", delay))
		if err := c.cfg.Sleep(ctx, delay); err != nil {
			return err
		}
	}
}

// refused turns an answer that brings no file into an error, transient where it may pass.
func (c *Client) refused(res *http.Response) error {
	err := fmt.Errorf("the server returned %s", res.Status)
	switch {
	case res.StatusCode == http.StatusTooManyRequests, res.StatusCode == http.StatusRequestTimeout, res.StatusCode >= http.StatusInternalServerError:
		return &transientError{err: err, after: c.retryAfter(res.Header.Get("Retry-After"))}
	case res.StatusCode == http.StatusNotFound, res.StatusCode == http.StatusGone:
		return fmt.Errorf("%w: %w", ErrNotFound, err)
	case res.StatusCode == http.StatusForbidden && !c.cfg.Contact:
		return fmt.Errorf("%w: it may require a contact; set DATAOPS_CONTACT", err)
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
