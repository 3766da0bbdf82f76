package past

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/charge"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/ratelimit"
)

const (
	// keptMax is how many indexes of the past are kept: the least recently used one is dropped.
	keptMax = 3
	// buildTimeout bounds a build.
	buildTimeout = 10 * time.Minute
	// buildWeight is how many requests one that waits for a build counts as.
	buildWeight = 10
)

// Index answers aggregates and related lists: an index.Snapshot of the present, or an index.Analysis of the past, which also answers searches.
type Index interface {
	Freshness() index.Freshness
	Aggregate(q *index.AggregateQuery) []index.AggregateRow
	Group(q *index.GroupQuery) []index.AggregateRow
	FindGP(crd string) (id uint32, ok bool)
	RelatedGP(id uint32) catalogapi.RelatedGP
	Related(source uint32, wanted catalogapi.Factor, limit int) []catalogapi.Similar
	RelatedTo(crd string, wanted catalogapi.Factor, limit int) (catalogapi.RelatedGP, []catalogapi.Similar, bool)
}

// Builder makes the indexes of moments in the past, one at a time, and keeps the last few. Callers take turns (see queue).
// It is safe for concurrent use.
type Builder struct {
	db    *database.DB
	clock clock.Clock
	log   *slog.Logger
	sold  charge.PlansSold
	load  func(ctx context.Context, c AsOf) (*index.Analysis, error)

	mu      sync.Mutex
	kept    []builtIndex // the most recently used first
	queue   queue
	changes changes
	stopped bool
	running sync.WaitGroup
}

// key identifies an index: the catalog of a publication, as of a moment.
type key struct {
	asOf        AsOf
	publication int64
}

// builtIndex is an index in memory, with the publication that it was made from.
type builtIndex struct {
	key
	index *index.Analysis
}

// NewBuilder makes a builder over the catalog in db; nothing happens before the first request. Where plans are sold, it builds nothing for
// anonymous callers.
func NewBuilder(db *database.DB, clk clock.Clock, log *slog.Logger, sold charge.PlansSold) *Builder {
	b := &Builder{db: db, clock: clk, log: log.With(slog.String("part", "past")), sold: sold, queue: newQueue()}
	b.load = func(ctx context.Context, c AsOf) (*index.Analysis, error) { return Load(ctx, b.db, b.clock, c) }
	return b
}

// At returns the index of a moment. For the present that is current, the snapshot in use; else a kept one, or one that is
// built now. It is of current's publication or a later one. A caller that gives up does not end the build for others. The
// error is apperr's: RateLimited when the caller of ctx waits for as many builds as it may, Unavailable when too many
// callers wait or the database is unavailable (the first two state how long to wait), Unauthenticated when there is no build for the caller.
func (b *Builder) At(ctx context.Context, at catalogapi.Moment, current *index.Snapshot) (Index, error) {
	newest := current.Freshness().Publication
	c, err := b.asOfMoment(ctx, at, newest)
	if err != nil {
		return nil, err
	}
	if c == (AsOf{}) {
		return current, nil
	}
	k, who := key{c, newest}, callerOf(ctx)
	b.mu.Lock()
	if found := b.find(k); found != nil {
		b.mu.Unlock()
		return found, nil
	}
	if bool(b.sold) && auth.From(ctx).Kind == auth.Anonymous {
		b.mu.Unlock()
		return nil, apperr.New(apperr.KindUnauthenticated, "Data of this time are not prepared yet; send Authorization: Bearer with an API key or an access token to have them prepared")
	}
	b.mu.Unlock()
	if err := ratelimit.Weigh(ctx, buildWeight); err != nil {
		return nil, err
	}
	b.mu.Lock()
	if found := b.find(k); found != nil { // built meanwhile
		b.mu.Unlock()
		return found, nil
	}
	pending, err := b.join(ctx, k, who)
	b.mu.Unlock()
	if err != nil {
		return nil, err
	}
	select {
	case <-pending.done:
		if pending.err != nil {
			return nil, pending.err
		}
		return pending.index, nil
	case <-ctx.Done():
		b.mu.Lock()
		b.queue.leave(pending, who)
		b.mu.Unlock()
		return nil, ctx.Err()
	}
}

// find returns the kept index of a key, or nil, and drops those of older publications. The caller holds the lock.
func (b *Builder) find(k key) *index.Analysis {
	b.kept = slices.DeleteFunc(b.kept, func(e builtIndex) bool { return e.publication < k.publication })
	i := slices.IndexFunc(b.kept, func(e builtIndex) bool { return e.asOf == k.asOf })
	if i < 0 {
		return nil
	}
	found := b.kept[i]
	copy(b.kept[1:i+1], b.kept[:i])
	b.kept[0] = found
	return found.index
}

// join adds a request to the build of a key, which is queued when there is none. The caller holds the lock.
func (b *Builder) join(ctx context.Context, k key, who string) (*build, error) {
	if b.stopped {
		return nil, errStopped()
	}
	pending, err := b.queue.join(database.WithoutLimit(context.WithoutCancel(ctx)), k, who)
	if err != nil {
		return nil, err
	}
	b.next()
	return pending, nil
}

func errStopped() error { return apperr.Unavailable("The service is stopping") }

// next starts the build whose turn it is, unless one is running: a build takes all cores that are free, and several times the memory
// of its index. The caller holds the lock.
func (b *Builder) next() {
	if b.stopped {
		return
	}
	if pending := b.queue.start(); pending != nil {
		ctx, cancel := context.WithTimeout(pending.ctx, buildTimeout)
		pending.cancel = cancel
		b.running.Go(func() { b.run(ctx, pending) })
	}
}

// run builds the index of a key and passes it to the waiting callers. A running build is finished even if all callers gave up,
// because they will probably ask again.
func (b *Builder) run(ctx context.Context, pending *build) {
	defer pending.cancel()
	began := b.clock.Now()
	made, err := b.buildIndex(ctx, pending.key.asOf)
	took := b.clock.Now().Sub(began)
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case err == nil:
		fresh := made.Freshness()
		b.keep(builtIndex{key{pending.key.asOf, fresh.Publication}, made})
		b.log.InfoContext(ctx, "index of the past built", slog.Time("filed", pending.key.asOf.Filed), slog.Time("known", pending.key.asOf.Known),
			slog.Int("advisers", fresh.Advisers), slog.Int("funds", fresh.Funds), slog.Duration("took", took))
	case b.stopped:
		err = errStopped()
	default:
		b.log.WarnContext(ctx, "index of the past not built", slog.Any("error", err))
		err = database.Failure("build an index of the past", err)
	}
	pending.index, pending.err = made, err
	b.queue.finish(pending, took)
	b.next()
}

// recovered makes an error of a panic, which must not end the process: it also serves the present.
func recovered(build func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic while building an index of the past: %v\n%s", p, debug.Stack())
		}
	}()
	return build()
}

func (b *Builder) buildIndex(ctx context.Context, c AsOf) (made *index.Analysis, err error) {
	err = recovered(func() (err error) {
		made, err = b.load(ctx, c)
		return err
	})
	debug.FreeOSMemory() // its source data take several times its size
	return made, err
}

// keep adds an index to the kept ones. The caller holds the lock.
func (b *Builder) keep(e builtIndex) {
	b.kept = slices.DeleteFunc(b.kept, func(old builtIndex) bool { return old.asOf == e.asOf })
	b.kept = slices.Insert(b.kept, 0, e)
	if len(b.kept) > keptMax {
		clear(b.kept[keptMax:]) // else the array would keep them in memory
		b.kept = b.kept[:keptMax]
	}
}

// Stop cancels the running build, rejects those that wait and returns when the build has ended, or when ctx ends. Requests
// for indexes that are not kept are rejected from then on.
func (b *Builder) Stop(ctx context.Context) error {
	b.mu.Lock()
	b.stopped = true
	b.queue.stop()
	b.mu.Unlock()
	done := make(chan struct{})
	go func() {
		b.running.Wait()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("stop building indexes of the past: %w", ctx.Err())
	}
}
