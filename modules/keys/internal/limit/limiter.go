// Package limit decides how many requests a caller may send: fixed windows of five seconds, a minute and a day, counted in
// Redis, all in one atomic call. Without Redis requests pass at once.
package limit

import (
	"context"
	"log/slog"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/logging"
	"github.com/redis/go-redis/v9/maintnotifications"

	"gpatlas/platform/auth"
	"gpatlas/platform/clock"
	"gpatlas/platform/ratelimit"
	"gpatlas/platform/redisclient"
)

// The names of the windows.
const (
	burst  = "burst"
	minute = "minute"
	day    = "day"
)

const (
	// patience is how long a request waits for Redis, once: then Redis counts as unavailable.
	patience = 250 * time.Millisecond
	// probeEvery is how often an unavailable Redis is probed.
	probeEvery = 250 * time.Millisecond
	// keepShort and keepDay are how long counts are kept: longer than their windows, because clocks differ.
	keepShort = 2 * minuteSeconds
	keepDay   = daySeconds + minuteSeconds
)

// Options are what a Limiter is made of.
type Options struct {
	Redis   redis.UniversalClient // made by Open: a client with long timeouts makes requests wait
	Clock   clock.Clock
	Log     *slog.Logger
	Metrics *Metrics // nil counts nothing
	// Unlimited lifts the limits of anonymous callers.
	Unlimited bool
}

// Limiter is a ratelimit.Limiter over Redis. It is safe for concurrent use.
type Limiter struct {
	batch     batcher
	breaker   breaker
	clock     clock.Clock
	metrics   *Metrics
	unlimited bool
}

// go-redis logs every failed attempt to standard error; the same errors are returned and reported by the callers. Its logger is
// global, so it is silenced before first use.
func init() { redis.SetLogger(&logging.VoidLogger{}) }

// Open makes a client with short timeouts and no retries. It connects with the first request.
func Open(url string) (redis.UniversalClient, error) {
	o, err := redisclient.Options(url)
	if err != nil {
		return nil, err
	}
	o.MaxRetries, o.DialerRetries = -1, 1
	o.DialTimeout, o.ReadTimeout, o.WriteTimeout, o.PoolTimeout = patience, patience, patience, patience
	o.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	return redis.NewUniversalClient(o), nil
}

// NewLimiter makes a Limiter.
func NewLimiter(o Options) *Limiter {
	log := o.Log.With(slog.String("part", "limits"))
	return &Limiter{
		batch:   batcher{rdb: o.Redis},
		breaker: breaker{rdb: o.Redis, every: probeEvery, clock: o.Clock, log: log},
		clock:   o.Clock, metrics: o.Metrics, unlimited: o.Unlimited,
	}
}

// Stop ends the background work. It does not close the client.
func (l *Limiter) Stop(ctx context.Context) error { return l.breaker.end(ctx) }

// Allow decides about one request, and counts it unless it is refused.
func (l *Limiter) Allow(ctx context.Context, caller *auth.Principal) ratelimit.Decision {
	d := l.allow(ctx, caller, ruleOf(caller), subject(caller), askPass)
	if d.Counted {
		d.Weight = 1
	}
	return d
}

// Weigh counts a request as several.
func (l *Limiter) Weigh(ctx context.Context, caller *auth.Principal, d *ratelimit.Decision, weight int64) {
	r := ruleOf(caller)
	more := min(weight, r.burst) - d.Weight
	if d.Weight == 0 || more <= 0 || l.breaker.away.Load() {
		return
	}
	now := l.clock.Now()
	said, err := l.count(ctx, now, r, subject(caller), askMore, more)
	if err != nil {
		l.breaker.open(ctx, err)
		return
	}
	counted := d.Weight + more
	if *d = decide(now, r, said); d.Allowed {
		d.Counted = true
	} else {
		l.metrics.denied(d.Window)
	}
	d.Weight = counted
}

// AllowSpent is Allow, but a day that is used up does not refuse the request.
func (l *Limiter) AllowSpent(ctx context.Context, caller *auth.Principal) ratelimit.Decision {
	return l.allow(ctx, caller, ruleOf(caller), subject(caller), askSpent)
}

// AllowPage is Allow for pages, documents and operations that are always open: they have counts and limits of their own.
func (l *Limiter) AllowPage(ctx context.Context, caller *auth.Principal) ratelimit.Decision {
	return l.allow(ctx, caller, pageRuleOf(caller), pageSubject(caller), askPass)
}

// GiveBack removes the request of d from the day's count, with all that it counts as.
func (l *Limiter) GiveBack(ctx context.Context, caller *auth.Principal, d *ratelimit.Decision) {
	now, r := l.clock.Now(), ruleOf(caller)
	if !d.Counted || !d.Limited || l.breaker.away.Load() || !now.Before(d.Reset) { // after the end of the day there is no count to change
		return
	}
	d.Counted = false // at most once
	said, err := l.count(ctx, now, r, subject(caller), askBack, max(1, d.Weight))
	if err != nil {
		l.breaker.open(ctx, err)
		return
	}
	for i := range d.Policies {
		if d.Policies[i].Name == day {
			d.Policies[i].Remaining = max(0, r.day-int64(said[3]))
			d.Remaining = d.Policies[i].Remaining
		}
	}
}

func (l *Limiter) allow(ctx context.Context, caller *auth.Principal, r rule, key string, ask uint32) ratelimit.Decision {
	if caller.Kind == auth.Anonymous && l.unlimited {
		return ratelimit.Decision{Allowed: true, None: true}
	}
	now := l.clock.Now()
	if l.breaker.away.Load() {
		l.metrics.passed()
		l.breaker.pass(ctx)
		return decide(now, r, answer{})
	}
	said, err := l.count(ctx, now, r, key, ask, 1)
	if err != nil {
		l.metrics.passed()
		l.breaker.open(ctx, err)
		return decide(now, r, answer{})
	}
	d := decide(now, r, said)
	// A request that AllowSpent let pass on a used-up day is not in the day's count: removing it would free another one.
	d.Counted = d.Allowed && (r.day == 0 || int64(said[3]) <= r.day)
	if !d.Allowed {
		l.metrics.denied(d.Window)
	}
	return d
}

func (l *Limiter) count(ctx context.Context, now time.Time, r rule, subject string, ask uint32, weight int64) (answer, error) {
	seconds := now.Unix()
	q := questions.Get().(*question)         // the pool holds only questions
	q.subject, q.numbers = subject, numbers{ // #nosec G115 -- parts of the seconds since 1970, and limits
		uint32(seconds / burstSeconds), uint32(r.burst), uint32(seconds / minuteSeconds), uint32(r.minute),
		uint32(seconds / daySeconds), uint32(r.day), ask, uint32(weight),
	}
	l.batch.ask(ctx, q)
	said, err := q.answer, q.err
	questions.Put(q)
	return said, err
}

// decide makes a decision from the script's answer: the window that is full, and the requests in each of the three. Without an
// answer nothing has been counted.
func decide(now time.Time, r rule, said answer) ratelimit.Decision {
	full, used := said[0], said[1:]
	burstLeft, minuteLeft, dayLeft := left(now, burstSeconds), left(now, minuteSeconds), left(now, daySeconds)
	d := ratelimit.Decision{
		Allowed: full == 0, Limited: r.day > 0, Limit: r.day, Reset: now.UTC().Truncate(24 * time.Hour).Add(24 * time.Hour),
		Policies: make([]ratelimit.Policy, 2, 3),
	}
	d.Policies[0] = policy(burst, r.burst, burstSeconds, used[0], burstLeft)
	d.Policies[1] = policy(minute, r.minute, minuteSeconds, used[1], minuteLeft)
	if d.Limited {
		d.Policies = append(d.Policies, policy(day, r.day, daySeconds, used[2], dayLeft))
		d.Remaining = d.Policies[2].Remaining
	}
	switch full {
	case 1:
		d.Window, d.RetryAfter = burst, burstLeft
	case 2:
		d.Window, d.RetryAfter = minute, minuteLeft
	case 3:
		d.Window, d.RetryAfter = day, dayLeft
	}
	return d
}

// left is the time until the current window ends.
func left(now time.Time, seconds int64) time.Duration {
	length := time.Duration(seconds) * time.Second
	return length - time.Duration(now.Unix()%seconds)*time.Second - time.Duration(now.Nanosecond())
}

func policy(name string, quota, seconds int64, used uint32, left time.Duration) ratelimit.Policy {
	return ratelimit.Policy{
		Name: name, Quota: quota, Seconds: seconds, Remaining: max(0, quota-int64(used)), Reset: int64((left + time.Second - 1) / time.Second),
	}
}
