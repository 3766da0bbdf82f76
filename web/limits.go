package web

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"

	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/clock"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/log"
	"gpatlas/platform/ratelimit"
)

// refuse counts the request and puts the caller's limits on the response. It reports whether it has refused, and thereby
// answered, the request. A failure concerns the caller's credential, or a request whose path could not be read.
//
// Spec: not shown; a request whose credential is refused counts for its IP address, so that guessing and broken clients are
// limited like anonymous callers. The contract exempts only the service's own three operations and the internal pages, and
// limits requests for data: pages, documents and operations that are always open (sign-in) have limits of their own, so that
// callers who have used up the day can still read the documentation and sign in.
func (a *admission) refuse(ctx context.Context, c *fiber.Ctx, failure error) (d ratelimit.Decision, refused bool) {
	exception := a.exceptionFor(c.Path())
	switch {
	case exception == exceptAll && failure == nil:
		return d, false
	case a.limiter == nil || exception == exceptUnlimited:
		d = ratelimit.Decision{Allowed: true, None: true}
	case failure != nil: // guessed credentials count like other requests
		d = a.limiter.Allow(ctx, auth.From(ctx))
	case exception == exceptDay && auth.From(ctx).Kind != auth.Anonymous:
		d = a.limiter.AllowSpent(ctx, auth.From(ctx))
	case exception == exceptDocument || exception == exceptToken || exception == exceptCredentials:
		d = a.limiter.AllowPage(ctx, auth.From(ctx))
	default:
		d = a.limiter.Allow(ctx, auth.From(ctx))
	}
	a.show(c, &d)
	if d.Allowed || d.None {
		return d, false
	}
	a.write(ctx, c, &d)
	return d, true
}

// write answers a request that d refuses.
func (a *admission) write(ctx context.Context, c *fiber.Ctx, d *ratelimit.Decision) {
	c.Response().Header.Set(fiber.HeaderRetryAfter, strconv.FormatInt(httpapi.WholeSeconds(d.RetryAfter), 10))
	httpapi.WriteRateLimited(c, a.sentence(d), log.RequestID(ctx), a.docURL)
}

// errHeavy is the error of an operation whose request counts as more requests than a window has left; leave writes the response.
var errHeavy = apperr.New(apperr.KindRateLimited, "Rate limit exceeded")

// weighing lets the operation count the request as several: see ratelimit.Weigh.
func (a *admission) weighing(ctx context.Context, c *fiber.Ctx, d *ratelimit.Decision) context.Context {
	if d.Weight == 0 {
		return ctx
	}
	return ratelimit.WithWeigher(ctx, func(weight int64) error {
		a.limiter.Weigh(ctx, auth.From(ctx), d, weight)
		a.show(c, d)
		if d.Allowed {
			return nil
		}
		return errHeavy
	})
}

// The names of the headers in the contract and the draft.
var (
	headerLimit     = []byte("X-RateLimit-Limit")
	headerRemaining = []byte("X-RateLimit-Remaining")
	headerReset     = []byte("X-RateLimit-Reset")
	headerPolicy    = []byte("RateLimit-Policy")
	headerState     = []byte("RateLimit")
	unlimited       = []byte("unlimited")
	none            = []byte("0")
)

// show writes the limits: the contract's three headers, which are about the day, and those of
// draft-ietf-httpapi-ratelimit-headers, which are about every window. Every request calls it, so it allocates nothing.
//
// Spec: not shown; if the day has no limit and a shorter window refuses, the contract's headers show that window: a refused
// caller must not read that the remaining number is unlimited.
func (a *admission) show(c *fiber.Ctx, d *ratelimit.Decision) {
	header := &c.Response().Header
	var space [160]byte
	reset := d.Reset
	if reset.IsZero() { // the day of the limits is in UTC
		reset = clock.Today(a.clock).AddDate(0, 0, 1)
	}
	switch {
	case d.Limited:
		header.SetCanonical(headerLimit, strconv.AppendInt(space[:0], d.Limit, 10))
		header.SetCanonical(headerRemaining, strconv.AppendInt(space[:0], max(0, d.Remaining), 10))
	case d.Allowed || d.None:
		header.SetCanonical(headerLimit, unlimited)
		header.SetCanonical(headerRemaining, unlimited)
	default:
		header.SetCanonical(headerLimit, unlimited)
		for _, p := range d.Policies {
			if p.Name == d.Window {
				header.SetCanonical(headerLimit, strconv.AppendInt(space[:0], p.Quota, 10))
				reset = a.clock.Now().Add(d.RetryAfter + time.Second - 1) // the next whole second
			}
		}
		header.SetCanonical(headerRemaining, none)
	}
	header.SetCanonical(headerReset, strconv.AppendInt(space[:0], reset.Unix(), 10))
	if len(d.Policies) == 0 { // a list of the draft must not be empty
		return
	}
	list := space[:0]
	for _, p := range d.Policies {
		list = appendItem(list, p.Name, ";q=", p.Quota, ";w=", p.Seconds)
	}
	header.SetCanonical(headerPolicy, list)
	list = space[:0]
	for _, p := range d.Policies {
		list = appendItem(list, p.Name, ";r=", max(0, p.Remaining), ";t=", max(0, p.Reset))
	}
	header.SetCanonical(headerState, list)
}

// appendItem appends an item with two parameters to a list of structured fields (RFC 9651): "day";q=100;w=86400.
func appendItem(list []byte, name, first string, a int64, second string, b int64) []byte {
	if len(list) > 0 {
		list = append(list, ", "...)
	}
	list = append(list, '"')
	list = append(list, name...)
	list = append(list, '"')
	list = append(list, first...)
	list = strconv.AppendInt(list, a, 10)
	list = append(list, second...)
	return strconv.AppendInt(list, b, 10)
}

// sentence is the message about the reached limit and its reset.
func (a *admission) sentence(d *ratelimit.Decision) string {
	quota, window := d.Limit, int64(24*60*60)
	for _, p := range d.Policies {
		if p.Name == d.Window {
			quota, window = p.Quota, p.Seconds
		}
	}
	per := strconv.FormatInt(window, 10) + " seconds"
	switch window {
	case 60:
		per = "minute"
	case 24 * 60 * 60:
		per = "day"
	}
	at := a.clock.Now().UTC().Add(d.RetryAfter + time.Second - 1).Truncate(time.Second)
	if per == "day" && !d.Reset.IsZero() {
		at = d.Reset.UTC() // to the second: a rounded-up one would be a second too late
	}
	heavy := ""
	if d.Weight > 1 {
		heavy = fmt.Sprintf(", and this request counts as %d", d.Weight)
	}
	return fmt.Sprintf("Rate limit exceeded: %d requests per %s%s; the limit resets at %s", quota, per, heavy, at.Format(time.RFC3339))
}
