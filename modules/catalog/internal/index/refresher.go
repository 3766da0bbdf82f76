package index

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/startstop"
)

// Catalog is where a Refresher gets snapshots from: Store is the one over PostgreSQL.
type Catalog interface {
	// Load builds a snapshot of the current catalog.
	Load(ctx context.Context) (*Snapshot, error)
	// Watch reports changes until ctx is over or the source is lost, which is its error: once when it has begun to
	// watch, then after every change notice and at least once every tick. It calls changed with the number of the newest
	// publication; an error of changed ends it.
	Watch(ctx context.Context, tick, debounce time.Duration, changed func(newest int64) error) error
}

// RefreshConfig sets the pace of a Refresher.
type RefreshConfig struct {
	Debounce   time.Duration // quiet time after a change notice before the rebuild
	Tick       time.Duration // how often the newest publication is compared even without a notice
	MinBackoff time.Duration // first wait after a failure
	MaxBackoff time.Duration // longest wait
}

// Pace is the pace of the service.
var Pace = RefreshConfig{Debounce: 250 * time.Millisecond, Tick: database.AliveEvery, MinBackoff: 250 * time.Millisecond, MaxBackoff: 5 * time.Second}

// RefreshStatus is the state of a Refresher.
type RefreshStatus struct {
	Connected   bool      // the change feed is up
	ConfirmedAt time.Time // when the current snapshot was last known to be the newest; zero before the first
	LastError   string    // of the last failure, for the log and operators; empty once connected again
}

// Refresher keeps a Holder's snapshot the newest: one background goroutine listens for change notices and rebuilds the
// whole index, because several would slow the searches that run meanwhile. While the database is unavailable, the old
// snapshot answers and the Refresher keeps trying.
type Refresher struct {
	*startstop.Work // the first snapshot comes after Start, or much later if the database is unavailable

	source  Catalog
	holder  *Holder
	clock   clock.Clock
	log     *slog.Logger
	metrics *Metrics
	cfg     RefreshConfig
	percent int // what the collector was set to; 0 = nothing yet

	mu     sync.Mutex
	status RefreshStatus
}

// NewRefresher prepares a Refresher; nothing happens before Start. metrics may be nil.
func NewRefresher(source Catalog, holder *Holder, clk clock.Clock, log *slog.Logger, metrics *Metrics, cfg RefreshConfig) *Refresher {
	r := &Refresher{
		source: source, holder: holder, clock: clk, log: log.With(slog.String("part", "index")), metrics: metrics, cfg: cfg,
	}
	r.Work = startstop.New("the index refresher", r.run)
	return r
}

// Status returns the state of the Refresher.
func (r *Refresher) Status() RefreshStatus {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.status
}

// run watches until ctx is over; after each failure it waits a little longer.
func (r *Refresher) run(ctx context.Context) {
	backoff := r.cfg.MinBackoff
	for ctx.Err() == nil {
		healthy := false
		err := r.source.Watch(ctx, r.cfg.Tick, r.cfg.Debounce, func(newest int64) error {
			if err := r.refresh(ctx, newest); err != nil {
				return err
			}
			healthy = true
			r.confirm()
			return nil
		})
		if ctx.Err() != nil {
			return
		}
		if healthy {
			backoff = r.cfg.MinBackoff
		}
		r.failed(ctx, err, backoff)
		_ = clock.Sleep(ctx, backoff) // the loop asks ctx
		backoff = min(2*backoff, r.cfg.MaxBackoff)
	}
}

// refresh rebuilds the index unless the current snapshot already contains the newest publication.
func (r *Refresher) refresh(ctx context.Context, newest int64) (err error) {
	if current := r.holder.current.Load(); current != nil && current.fresh.Publication == newest {
		return nil
	}
	defer func() { // the old snapshot is worth more than a crash
		if p := recover(); p != nil {
			err = fmt.Errorf("panic while building the index: %v\n%s", p, debug.Stack())
		}
	}()
	began := r.clock.Now()
	s, err := r.load(ctx)
	if err != nil {
		return err
	}
	took := r.clock.Now().Sub(began)
	// The input of the index and the previous snapshot are garbage now, and larger than the index: return their memory. The first
	// time this comes before the swap. It delays no search, because all of them wait for the first snapshot anyway.
	if r.holder.current.Load() == nil {
		debug.FreeOSMemory()
		r.holder.Swap(s)
	} else {
		r.holder.Swap(s)
		debug.FreeOSMemory()
	}
	r.boundGarbage()
	r.metrics.built(s, took)
	r.log.InfoContext(ctx, "index built", slog.Int64("publication", s.fresh.Publication),
		slog.Int("advisers", s.fresh.Advisers), slog.Int("funds", s.fresh.Funds), slog.Int("closed_funds", s.fresh.ClosedFunds), slog.Duration("took", took))
	return nil
}

// load loads a snapshot. While searches are answered it has a processor of its own.
func (r *Refresher) load(ctx context.Context) (*Snapshot, error) {
	if r.holder.current.Load() != nil {
		defer spare.borrow()()
	}
	return r.source.Load(ctx)
}

func (r *Refresher) confirm() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.status = RefreshStatus{Connected: true, ConfirmedAt: r.clock.Now()}
	r.metrics.confirmed(r.status.ConfirmedAt)
}

func (r *Refresher) failed(ctx context.Context, err error, backoff time.Duration) {
	if err == nil {
		err = errors.New("the change feed ended")
	}
	r.metrics.failed()
	r.mu.Lock()
	first := r.status.LastError == ""
	r.status.Connected, r.status.LastError = false, err.Error()
	r.mu.Unlock()
	level := slog.LevelDebug // said once; the metric counts the rest
	if first {
		level = slog.LevelWarn
	}
	r.log.Log(ctx, level, "index not refreshed; the last snapshot stays in use",
		slog.Any("error", err), slog.Duration("retry_in", backoff))
}
