package past

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"time"

	"gpatlas/modules/catalog/internal/index"
	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
)

const (
	// shareMax is how many builds one caller may wait for: a running one and two behind it.
	shareMax = 3
	// callersMax is how many callers may wait for builds at once.
	callersMax = 32
	// rememberedMax bounds the callers whose last turn is remembered.
	rememberedMax = 1024
	// The bounds of Retry-After.
	waitMin, waitMax = time.Second, time.Minute
)

// build is the making of one index, for which callers wait. index and err are set before done is closed.
type build struct {
	key     key
	ctx     context.Context //nolint:containedctx // of the first request, without its end
	cancel  context.CancelFunc
	waiting map[string]int // by caller: its waiting requests
	started bool
	done    chan struct{}
	index   *index.Analysis
	err     error
}

// caller waits for builds, or did lately.
type caller struct {
	came   uint64   // when its oldest build was requested
	served uint64   // when it had its last turn; 0: not yet
	builds []*build // those that it waits for, in the order of its requests
}

// queue decides whose turn it is. Each caller has a share of shareMax builds and waits for its turn: callers that had none come first,
// then the one whose last turn is longest ago. So a caller's first build waits for the running one and for the first builds of
// others, however many builds they request. A build that several callers wait for is made once, at the first turn of any.
//
// It is not safe for concurrent use: the builder's lock guards it.
type queue struct {
	builds  map[key]*build
	callers map[string]*caller
	current *build
	ticks   uint64        // a logical clock
	took    time.Duration // by the last build
}

func newQueue() queue { return queue{builds: map[key]*build{}, callers: map[string]*caller{}} }

// callerOf names the caller: the account of a key or a session, else the network.
func callerOf(ctx context.Context) string {
	p := auth.From(ctx)
	if p.UserID != 0 {
		return "account " + strconv.FormatInt(p.UserID, 10)
	}
	return auth.Network(p.Address)
}

// join makes a request of a caller wait for the build of a key.
func (q *queue) join(ctx context.Context, k key, who string) (*build, error) {
	b, c := q.builds[k], q.callers[who]
	if c == nil {
		c = &caller{}
	}
	if b == nil || !b.started && b.waiting[who] == 0 { // joining the running build delays no other caller
		switch {
		case len(c.builds) >= shareMax:
			return nil, q.refuse(apperr.KindRateLimited, "You have %d requests for other past days in progress; try again when one of them is finished", shareMax)
		case len(c.builds) == 0 && q.waitingCallers() >= callersMax:
			return nil, q.refuse(apperr.KindUnavailable, "Data of other past days are being prepared; try again in a minute")
		}
	}
	if b == nil {
		b = &build{key: k, ctx: ctx, waiting: map[string]int{}, done: make(chan struct{})}
		q.builds[k] = b
	}
	if b.waiting[who] == 0 {
		if len(c.builds) == 0 {
			c.came = q.tick()
		}
		c.builds = append(c.builds, b)
		q.remember(who, c)
	}
	b.waiting[who]++
	return b, nil
}

func (q *queue) tick() uint64 {
	q.ticks++
	return q.ticks
}

func (q *queue) waitingCallers() (n int) {
	for _, c := range q.callers {
		if len(c.builds) > 0 {
			n++
		}
	}
	return n
}

// remember keeps a caller's turns. If there are too many, those of callers that do not wait are dropped.
func (q *queue) remember(who string, c *caller) {
	q.callers[who] = c
	if len(q.callers) <= rememberedMax {
		return
	}
	for name, other := range q.callers {
		if len(other.builds) == 0 {
			delete(q.callers, name)
		}
	}
}

// start takes the build whose turn it is; nil when one is running or none waits.
func (q *queue) start() *build {
	if q.current != nil {
		return nil
	}
	var next *caller
	for _, c := range q.callers {
		if len(c.builds) > 0 && (next == nil || cmp.Or(cmp.Compare(c.served, next.served), cmp.Compare(c.came, next.came)) < 0) {
			next = c
		}
	}
	if next == nil {
		return nil
	}
	b := next.builds[0]
	b.started, q.current = true, b
	now := q.tick()
	for who := range b.waiting {
		q.callers[who].served = now
	}
	return b
}

// leave removes a canceled request from those that wait. A build that no request waits for any more is removed, unless it is
// running.
func (q *queue) leave(b *build, who string) {
	if b.waiting[who]--; b.waiting[who] > 0 {
		return
	}
	q.drop(b, who)
	if len(b.waiting) == 0 && !b.started {
		q.forget(b)
	}
}

func (q *queue) drop(b *build, who string) {
	delete(b.waiting, who)
	if c := q.callers[who]; c != nil {
		c.builds = slices.DeleteFunc(c.builds, func(other *build) bool { return other == b })
	}
}

func (q *queue) forget(b *build) {
	if q.builds[b.key] == b {
		delete(q.builds, b.key)
	}
	if len(q.builds) == 0 {
		clear(q.callers) // turns do not matter when no caller waits
	}
}

// finish ends a build and passes its result to the waiting callers.
func (q *queue) finish(b *build, took time.Duration) {
	for who := range b.waiting {
		q.drop(b, who)
	}
	q.current, q.took = nil, took
	q.forget(b)
	close(b.done)
}

// stop cancels the running build and rejects those that wait.
func (q *queue) stop() {
	for _, b := range q.builds {
		if b.started {
			b.cancel()
			continue
		}
		b.err = errStopped()
		close(b.done)
	}
}

// refuse returns an error with the time to wait: as long as the last build took, since the next one may end then.
func (q *queue) refuse(kind apperr.Kind, format string, args ...any) error {
	return apperr.New(kind, format, args...).Wrap(wait(min(max(q.took, waitMin), waitMax)))
}

// wait is the cause of a refusal: a httpapi.Waiter.
type wait time.Duration

func (w wait) Error() string { return "wait for " + time.Duration(w).String() }

// RetryAfter is how long to wait.
func (w wait) RetryAfter() time.Duration { return time.Duration(w) }
