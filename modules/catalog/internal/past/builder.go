package past

import (
	"context"
	"errors"
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
	// flightsMax is how many moments may wait for their index at once: whoever asks for one day after the other would keep
	// all others waiting for ever.
	flightsMax = 5
	// buildTimeout bounds a build, its wait for its turn included.
	buildTimeout = 10 * time.Minute
)

// Index is what answers aggregates and related lists: an index.Snapshot of the present or an index.Analysis of the past.
type Index interface {
	Freshness() index.Freshness
	Aggregate(q *catalogapi.AggregateQuery) []catalogapi.AggregateRow
	FindGP(crd string) (id uint32, ok bool)
	RelatedGP(id uint32) catalogapi.RelatedGP
	Related(source uint32, wanted catalogapi.Factor, limit int) []catalogapi.Similar
}

// Builder makes the indexes of moments in the past, one at a time, and keeps the last few. It is safe for concurrent use.
type Builder struct {
	db    *database.DB
	clock clock.Clock
	log   *slog.Logger
	load  func(ctx context.Context, c Cut) (*index.Analysis, error)
	turn  chan struct{} // holds the one build that goes on

	mu      sync.Mutex
	kept    []kept // the one asked for last stands first
	flights map[key]*flight
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

// flight is a build that is waited for. index and err are set before done is closed.
type flight struct {
	done    chan struct{}
	cancel  context.CancelFunc
	waiting int // callers that have not given up
	index   *index.Analysis
	err     error
}

// NewBuilder makes a builder over the catalogue in db; nothing happens before the first question.
func NewBuilder(db *database.DB, clk clock.Clock, log *slog.Logger) *Builder {
	b := &Builder{
		db: db, clock: clk, log: log.With(slog.String("part", "past")),
		turn: make(chan struct{}, 1), flights: map[key]*flight{},
	}
	b.load = func(ctx context.Context, c Cut) (*index.Analysis, error) { return Load(ctx, b.db, b.clock, c) }
	return b
}

// At gives the index of a moment. For the present that is current, the snapshot in use; else one is built, or waited
// for, unless it is kept. It is of current's publication or a later one. A caller that gives up takes the build from
// nobody else. The error is apperr's Unavailable when the database is away.
func (b *Builder) At(ctx context.Context, at catalogapi.Moment, current *index.Snapshot) (Index, error) {
	newest := current.Freshness().Publication
	c, err := b.cutAt(ctx, at, newest)
	if err != nil {
		return nil, err
	}
	if c == (Cut{}) {
		return current, nil
	}
	k := key{c, newest}
	b.mu.Lock()
	if found := b.find(k); found != nil {
		b.mu.Unlock()
		return found, nil
	}
	f, err := b.join(ctx, k)
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
		f.waiting--
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

// join waits with the others for the build of a key, or begins it. The caller holds the lock.
func (b *Builder) join(ctx context.Context, k key) (*flight, error) {
	if b.stopped {
		return nil, errStopped()
	}
	f, ok := b.flights[k]
	if !ok && len(b.flights) >= flightsMax {
		return nil, apperr.Unavailable("Other days of the past are being prepared; try again in a minute")
	}
	if !ok {
		f = &flight{done: make(chan struct{})}
		ctx, f.cancel = context.WithTimeout(context.WithoutCancel(ctx), buildTimeout)
		b.flights[k] = f
		b.running.Go(func() { b.fly(ctx, k, f) })
	}
	f.waiting++
	return f, nil
}

func errStopped() error { return apperr.Unavailable("The service is being stopped") }

// fly makes the index of a key when its turn has come, and tells those that wait.
func (b *Builder) fly(ctx context.Context, k key, f *flight) {
	defer f.cancel()
	began := b.clock.Now()
	made, err := b.inTurn(ctx, k, f)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.land(k, f)
	switch {
	case err == nil:
		fresh := made.Freshness()
		b.keep(kept{key{k.cut, fresh.Publication}, made})
		b.log.InfoContext(ctx, "index of the past built", slog.Time("filed", k.cut.Filed), slog.Time("known", k.cut.Known),
			slog.Int("advisers", fresh.Advisers), slog.Int("funds", fresh.Funds), slog.Duration("took", b.clock.Now().Sub(began)))
	case b.stopped:
		err = errStopped()
	case !errors.Is(err, errUnwanted):
		b.log.WarnContext(ctx, "index of the past not built", slog.Any("error", err))
		err = database.Failure("build an index of the past", err)
	}
	f.index, f.err = made, err
	close(f.done)
}

// errUnwanted ends a build that nobody waits for any more.
var errUnwanted = errors.New("nobody waits for this index of the past")

// inTurn builds, one at a time: a build takes a core, and several times the memory that it leaves. One that everybody gave up
// before its turn came is left out; one that goes on is finished, for the question will come again.
func (b *Builder) inTurn(ctx context.Context, k key, f *flight) (made *index.Analysis, err error) {
	select {
	case b.turn <- struct{}{}:
		defer func() { <-b.turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	b.mu.Lock()
	wanted := f.waiting > 0
	if !wanted {
		b.land(k, f) // whoever asks from now on begins anew
	}
	b.mu.Unlock()
	if !wanted {
		return nil, errUnwanted
	}
	defer func() { // what is asked of the past must not end the process that answers the present
		if p := recover(); p != nil {
			err = fmt.Errorf("panic while building an index of the past: %v\n%s", p, debug.Stack())
		}
	}()
	made, err = b.load(ctx, k.cut)
	debug.FreeOSMemory() // what it was made from is several times its size
	return made, err
}

// land takes a build from those that can be joined. The caller holds the lock.
func (b *Builder) land(k key, f *flight) {
	if b.flights[k] == f {
		delete(b.flights, k)
	}
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

// Stop ends the builds that go on and waits for them, but not longer than ctx allows. Questions about moments that are
// not kept are refused from then on.
func (b *Builder) Stop(ctx context.Context) error {
	b.mu.Lock()
	b.stopped = true
	for _, f := range b.flights {
		f.cancel()
	}
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
