package past

import (
	"cmp"
	"context"
	"net/netip"
	"slices"
	"strconv"
	"time"

	"gpatlas/modules/catalog/internal/index"
	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
)

const (
	// shareMax is how many builds one caller may wait for: one that goes on and two behind it.
	shareMax = 3
	// callersMax is how many callers may wait for builds at once.
	callersMax = 32
	// rememberedMax bounds the callers of which it is known when they had their last turn.
	rememberedMax = 1024
	// The bounds of what Retry-After says.
	waitMin, waitMax = time.Second, time.Minute
)

// flight is a build that is waited for. index and err are set before done is closed.
type flight struct {
	key     key
	ctx     context.Context //nolint:containedctx // of the first who asked, without its end
	cancel  context.CancelFunc
	waiting map[string]int // by caller: its questions that wait
	started bool
	done    chan struct{}
	index   *index.Analysis
	err     error
}

// party is a caller that waits for builds, or did lately.
type party struct {
	came   uint64    // when its oldest build was asked for
	served uint64    // when it had its last turn; 0: not yet
	builds []*flight // those that it waits for, in the order in which it asked
}

// queue says whose turn it is. Each caller has a share of shareMax builds and waits for its turn: first who had none yet,
// then whose last one is longest ago. So a caller's first build waits for the one that goes on and for the first builds of
// others, however many builds they ask for. A build that several callers wait for is made once, at the first turn of any.
//
// It is not safe for concurrent use: the builder's lock guards it.
type queue struct {
	flights map[key]*flight
	parties map[string]*party
	current *flight
	ticks   uint64        // counts what happens
	took    time.Duration // the last build
}

func newQueue() queue { return queue{flights: map[key]*flight{}, parties: map[string]*party{}} }

// callerOf names who asks: the account of a key or a session, else the address. An IPv6 customer has a network of addresses.
func callerOf(ctx context.Context) string {
	p := auth.From(ctx)
	if p.UserID != 0 {
		return "account " + strconv.FormatInt(p.UserID, 10)
	}
	address := p.Address.Unmap()
	if address.Is6() {
		if network, err := address.Prefix(64); err == nil {
			return network.String()
		}
	}
	if address == (netip.Addr{}) {
		return "unknown"
	}
	return address.String()
}

// join makes a question of a caller wait for the build of a key.
func (q *queue) join(ctx context.Context, k key, who string) (*flight, error) {
	f, p := q.flights[k], q.parties[who]
	if p == nil {
		p = &party{}
	}
	if f == nil || !f.started && f.waiting[who] == 0 { // who joins the build that goes on delays nobody
		switch {
		case len(p.builds) >= shareMax:
			return nil, q.refuse(apperr.KindRateLimited, "You have %d requests for other past days in progress; try again when one of them is finished", shareMax)
		case len(p.builds) == 0 && q.waitingCallers() >= callersMax:
			return nil, q.refuse(apperr.KindUnavailable, "Data of other past days are being prepared; try again in a minute")
		}
	}
	if f == nil {
		f = &flight{key: k, ctx: ctx, waiting: map[string]int{}, done: make(chan struct{})}
		q.flights[k] = f
	}
	if f.waiting[who] == 0 {
		if len(p.builds) == 0 {
			p.came = q.tick()
		}
		p.builds = append(p.builds, f)
		q.remember(who, p)
	}
	f.waiting[who]++
	return f, nil
}

func (q *queue) tick() uint64 {
	q.ticks++
	return q.ticks
}

func (q *queue) waitingCallers() (n int) {
	for _, p := range q.parties {
		if len(p.builds) > 0 {
			n++
		}
	}
	return n
}

// remember keeps a caller's turns; those of callers that wait for nothing are forgotten when there are too many.
func (q *queue) remember(who string, p *party) {
	q.parties[who] = p
	if len(q.parties) <= rememberedMax {
		return
	}
	for name, other := range q.parties {
		if len(other.builds) == 0 {
			delete(q.parties, name)
		}
	}
}

// start takes the build whose turn it is; nil when one goes on or none waits.
func (q *queue) start() *flight {
	if q.current != nil {
		return nil
	}
	var next *party
	for _, p := range q.parties {
		if len(p.builds) > 0 && (next == nil || cmp.Or(cmp.Compare(p.served, next.served), cmp.Compare(p.came, next.came)) < 0) {
			next = p
		}
	}
	if next == nil {
		return nil
	}
	f := next.builds[0]
	f.started, q.current = true, f
	now := q.tick()
	for who := range f.waiting {
		q.parties[who].served = now
	}
	return f
}

// leave takes a question that was given up from those that wait. A build for which nobody waits any more is left out,
// unless it goes on.
func (q *queue) leave(f *flight, who string) {
	if f.waiting[who]--; f.waiting[who] > 0 {
		return
	}
	q.drop(f, who)
	if len(f.waiting) == 0 && !f.started {
		q.forget(f)
	}
}

func (q *queue) drop(f *flight, who string) {
	delete(f.waiting, who)
	if p := q.parties[who]; p != nil {
		p.builds = slices.DeleteFunc(p.builds, func(other *flight) bool { return other == f })
	}
}

func (q *queue) forget(f *flight) {
	if q.flights[f.key] == f {
		delete(q.flights, f.key)
	}
	if len(q.flights) == 0 {
		clear(q.parties) // whose turn it was is of no account when nobody waits
	}
}

// land ends a build: those that wait have its result.
func (q *queue) land(f *flight, took time.Duration) {
	for who := range f.waiting {
		q.drop(f, who)
	}
	q.current, q.took = nil, took
	q.forget(f)
	close(f.done)
}

// stop ends the build that goes on and refuses those that wait.
func (q *queue) stop() {
	for _, f := range q.flights {
		if f.started {
			f.cancel()
			continue
		}
		f.err = errStopped()
		close(f.done)
	}
}

// refuse is a refusal that says how long to wait: as long as the last build took, for that is when the next one may end.
func (q *queue) refuse(kind apperr.Kind, format string, args ...any) error {
	return apperr.New(kind, format, args...).Wrap(wait(min(max(q.took, waitMin), waitMax)))
}

// wait is the cause of a refusal: a httpapi.Waiter.
type wait time.Duration

func (w wait) Error() string { return "wait for " + time.Duration(w).String() }

// RetryAfter is how long to wait.
func (w wait) RetryAfter() time.Duration { return time.Duration(w) }
