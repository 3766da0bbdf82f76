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
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
)

const (
	// keptMax is how many indexes of the past are kept: the one least recently asked for goes.
	keptMax = 3
	// buildTimeout bounds a build.
	buildTimeout = 10 * time.Minute
)

// Index is what answers aggregates and related lists: an index.Snapshot of the present or an index.Analysis of the past.
type Index interface {
	Freshness() index.Freshness
	Aggregate(q *catalogapi.AggregateQuery) []catalogapi.AggregateRow
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
	load  func(ctx context.Context, c Cut) (*index.Analysis, error)

	mu      sync.Mutex
	kept    []kept // the one asked for last stands first
	queue   queue
	changes changes
	stopped bool
	running sync.WaitGroup
}

// key is what a build is asked for: a cut of the catalogue of a publication.
type key struct {
	cut         Cut
	publication int64
}

// kept is an index in memory, with the publication that it was made from.
type kept struct {
	key
	index *index.Analysis
}

// NewBuilder makes a builder over the catalogue in db; nothing happens before the first question.
func NewBuilder(db *database.DB, clk clock.Clock, log *slog.Logger) *Builder {
	b := &Builder{db: db, clock: clk, log: log.With(slog.String("part", "past")), queue: newQueue()}
	b.load = func(ctx context.Context, c Cut) (*index.Analysis, error) { return Load(ctx, b.db, b.clock, c) }
	return b
}

// At gives the index of a moment. For the present that is current, the snapshot in use; else one is built, or waited
// for, unless it is kept. It is of current's publication or a later one. A caller that gives up takes the build from
// nobody else. The error is apperr's: RateLimited when the caller of ctx waits for as many builds as it may, Unavailable
// when too many callers wait or the database is away; the first two say how long to wait.
func (b *Builder) At(ctx context.Context, at catalogapi.Moment, current *index.Snapshot) (Index, error) {
	newest := current.Freshness().Publication
	c, err := b.cutAt(ctx, at, newest)
	if err != nil {
		return nil, err
	}
	if c == (Cut{}) {
		return current, nil
	}
	k, who := key{c, newest}, callerOf(ctx)
	b.mu.Lock()
	if found := b.find(k); found != nil {
		b.mu.Unlock()
		return found, nil
	}
	f, err := b.join(ctx, k, who)
	b.mu.Unlock()
	if err != nil {
		return nil, err
	}
	select {
	case <-f.done:
		if f.err != nil {
			return nil, f.err
		}
		return f.index, nil
	case <-ctx.Done():
		b.mu.Lock()
		b.queue.leave(f, who)
		b.mu.Unlock()
		return nil, ctx.Err()
	}
}

// find looks among the kept ones, and drops those of publications that are no longer current. The caller holds the lock.
func (b *Builder) find(k key) *index.Analysis {
	b.kept = slices.DeleteFunc(b.kept, func(e kept) bool { return e.publication < k.publication })
	i := slices.IndexFunc(b.kept, func(e kept) bool { return e.cut == k.cut })
	if i < 0 {
		return nil
	}
	found := b.kept[i]
	copy(b.kept[1:i+1], b.kept[:i])
	b.kept[0] = found
	return found.index
}

// join waits with the others for the build of a key, or asks for it. The caller holds the lock.
func (b *Builder) join(ctx context.Context, k key, who string) (*flight, error) {
	if b.stopped {
		return nil, errStopped()
	}
	f, err := b.queue.join(database.WithoutLimit(context.WithoutCancel(ctx)), k, who)
	if err != nil {
		return nil, err
	}
	b.next()
	return f, nil
}

func errStopped() error { return apperr.Unavailable("The service is stopping") }

// next begins the build whose turn it is, unless one goes on: a build takes a core, and several times the memory that it
// leaves. The caller holds the lock.
func (b *Builder) next() {
	if b.stopped {
		return
	}
	if f := b.queue.start(); f != nil {
		ctx, cancel := context.WithTimeout(f.ctx, buildTimeout)
		f.cancel = cancel
		b.running.Go(func() { b.fly(ctx, f) })
	}
}

// fly makes the index of a key and tells those that wait. A build that goes on is finished even when everybody gave up:
// the question will come again.
func (b *Builder) fly(ctx context.Context, f *flight) {
	defer f.cancel()
	began := b.clock.Now()
	made, err := b.build(ctx, f.key.cut)
	took := b.clock.Now().Sub(began)
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case err == nil:
		fresh := made.Freshness()
		b.keep(kept{key{f.key.cut, fresh.Publication}, made})
		b.log.InfoContext(ctx, "index of the past built", slog.Time("filed", f.key.cut.Filed), slog.Time("known", f.key.cut.Known),
			slog.Int("advisers", fresh.Advisers), slog.Int("funds", fresh.Funds), slog.Duration("took", took))
	case b.stopped:
		err = errStopped()
	default:
		b.log.WarnContext(ctx, "index of the past not built", slog.Any("error", err))
		err = database.Failure("build an index of the past", err)
	}
	f.index, f.err = made, err
	b.queue.land(f, took)
	b.next()
}

// build makes an index. What is asked of the past must not end the process that answers the present.
func (b *Builder) build(ctx context.Context, c Cut) (made *index.Analysis, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic while building an index of the past: %v\n%s", p, debug.Stack())
		}
	}()
	made, err = b.load(ctx, c)
	debug.FreeOSMemory() // what it was made from is several times its size
	return made, err
}

// keep puts an index among the kept ones. The caller holds the lock.
func (b *Builder) keep(e kept) {
	b.kept = slices.DeleteFunc(b.kept, func(old kept) bool { return old.cut == e.cut })
	b.kept = slices.Insert(b.kept, 0, e)
	if len(b.kept) > keptMax {
		clear(b.kept[keptMax:]) // or the array would keep them
		b.kept = b.kept[:keptMax]
	}
}

// Stop ends the build that goes on, refuses those that wait and waits, but not longer than ctx allows. Questions about
// moments that are not kept are refused from then on.
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
