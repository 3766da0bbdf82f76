package fetch

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"time"

	"gpatlas/platform/httpclient"
)

// The limits of retries.
const (
	failuresMax   = 6 // in a row without getting on
	triesMax      = 500
	progressBytes = 1 << 20 // what counts as getting on
	backoffFirst  = time.Second
	backoffMax    = time.Minute
	retryAfterMax = 15 * time.Minute
)

// ErrNotFound means that the server has no such file (404 or 410).
var ErrNotFound = errors.New("the file does not exist")

// retry runs try until it succeeds, fails for good, or has failed too often without getting on. Try returns how many bytes
// it got on by.
func (c *Client) retry(ctx context.Context, u *url.URL, try func(ctx context.Context) (int64, error)) error {
	for failures, tries := 0, 1; ; tries++ {
		got, err := try(ctx)
		transient, ok := errors.AsType[*httpclient.TransientError](err)
		switch {
		case err == nil:
			return nil
		case !ok || ctx.Err() != nil:
			return cause(ctx, err)
		case got >= progressBytes:
			failures = 0
		}
		failures++
		delay := httpclient.Backoff(failures, backoffFirst, backoffMax)
		switch {
		case transient.After > retryAfterMax:
			return fmt.Errorf("%w; the server asks to wait %s", transient.Err, transient.After)
		case failures >= failuresMax || tries >= triesMax:
			return fmt.Errorf("%w (given up after %d attempts)", transient.Err, tries)
		}
		delay = max(delay, transient.After)
		c.log.WarnContext(ctx, "download failed and will be retried", slog.String("address", u.Redacted()), slog.Any("error", transient.Err),
			slog.Int("failures", failures), slog.Duration("again_in", delay))
		if err := c.cfg.Sleep(ctx, delay); err != nil {
			return err
		}
	}
}

// refused turns a response without a file into an error, a transient one if a retry may succeed.
func (c *Client) refused(res *http.Response) error {
	err := fmt.Errorf("the server returned %s", res.Status)
	switch {
	case res.StatusCode == http.StatusNotFound, res.StatusCode == http.StatusGone:
		return fmt.Errorf("%w: %w", ErrNotFound, err)
	case res.StatusCode == http.StatusForbidden && !c.cfg.Contact:
		return fmt.Errorf("%w: it may require a contact; set DATAOPS_CONTACT", err)
	}
	return httpclient.RefusedError(err, res, c.clock.Now())
}
