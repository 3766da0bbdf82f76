// Package usage counts requests by key, operation and minute, with their durations, in memory; writes the counts in batches;
// and reports them to the owners of keys.
package usage

import (
	"context"
	"log/slog"
	"maps"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"gpatlas/platform/auth"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/ratelimit"
	"gpatlas/platform/startstop"
)

const (
	// writeEvery is how often the counts are written: usage is at most this and the time of one write late.
	writeEvery = 5 * time.Second
	// writeTimeout bounds one write of at most writeMax rows: a long backlog is written in portions, because a write that takes
	// too long would never complete.
	writeTimeout, writeMax = 4 * time.Second, 5_000
	// usedEvery is how often a key's last use is written.
	usedEvery = time.Minute
	// shards keep requests on several cores from waiting for each other.
	shards = 32
	// waitingMax bounds the rows, of some 500 bytes each, that wait while the database is unavailable; more are lost, and
	// counted.
	waitingMax = 100_000
)

// slot is the key under which requests are counted together.
type slot struct {
	keyID     string
	operation string
	minute    int64 // Unix seconds of its beginning
}

// tally is the count of a slot.
type tally struct {
	requests, failed      int64
	totalUS, minUS, maxUS int64
	histogram             histogram
}

func (t *tally) count(us int64, failed bool) {
	if t.requests == 0 || us < t.minUS {
		t.minUS = us
	}
	t.maxUS = max(t.maxUS, us)
	t.requests++
	t.totalUS += us
	if failed {
		t.failed++
	}
	t.histogram[stepOf(us)]++
}

func (t *tally) add(other *tally) {
	if t.requests == 0 || other.minUS < t.minUS {
		t.minUS = other.minUS
	}
	t.maxUS = max(t.maxUS, other.maxUS)
	t.requests += other.requests
	t.failed += other.failed
	t.totalUS += other.totalUS
	t.histogram.add(&other.histogram)
}

type shard struct {
	mu    sync.Mutex
	slots map[slot]*tally
	used  map[string]time.Time // last use by key
	_     [40]byte             // shards do not share a cache line
}

// Recorder is a ratelimit.Recorder. It is safe for concurrent use; Record never waits for the database.
type Recorder struct {
	store *Store
	clock clock.Clock
	log   *slog.Logger
	lost  prometheus.Counter // nil counts nothing

	shards [shards]shard

	writing sync.Mutex // one write at a time
	waiting map[slot]*tally
	used    map[string]time.Time // last uses to be written
	written map[string]time.Time // last uses that have been

	work *startstop.Work
}

// NewRecorder makes a Recorder; nothing is written before Start. With a nil Registerer losses are not counted.
func NewRecorder(store *Store, clk clock.Clock, log *slog.Logger, metrics prometheus.Registerer) *Recorder {
	r := &Recorder{
		store: store, clock: clk, log: log.With(slog.String("part", "usage")),
		waiting: map[slot]*tally{}, used: map[string]time.Time{}, written: map[string]time.Time{},
	}
	r.work = startstop.New("the recorder of usage", r.run)
	if metrics != nil {
		r.lost = prometheus.NewCounter(prometheus.CounterOpts{
			Name: "gpatlas_usage_lost_total", Help: "Requests with keys that were not counted because the database was unavailable for too long.",
		})
		metrics.MustRegister(r.lost)
	}
	return r
}

// Learn stores an operation's name in reports.
func (r *Recorder) Learn(operation, method, path string) {
	r.store.names.Store(operation, Named{Endpoint: operation, Method: &method, Path: &path})
}

// Record counts one answered request of a key.
func (r *Recorder) Record(u ratelimit.Usage) {
	if u.Caller.Kind != auth.Key {
		return
	}
	at := u.At.Unix()
	k := slot{u.Caller.KeyID, u.Operation, at - at%60}
	s := &r.shards[shardOf(k.keyID, k.operation)]
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.slots[k]
	if t == nil {
		if s.slots == nil {
			s.slots, s.used = map[slot]*tally{}, map[string]time.Time{}
		}
		t = &tally{}
		s.slots[k] = t
	}
	t.count(max(0, u.Elapsed.Microseconds()), u.Status >= 400)
	if u.At.After(s.used[k.keyID]) {
		s.used[k.keyID] = u.At
	}
}

// shardOf spreads by the end of the key's id and the operation (FNV-1a).
func shardOf(keyID, operation string) uint32 {
	h := uint32(2166136261)
	for i := max(0, len(keyID)-8); i < len(keyID); i++ {
		h = (h ^ uint32(keyID[i])) * 16777619
	}
	for i := max(0, len(operation)-8); i < len(operation); i++ {
		h = (h ^ uint32(operation[i])) * 16777619
	}
	return h % shards
}

// Start writes every few seconds until Stop, and returns at once.
func (r *Recorder) Start(ctx context.Context) { r.work.Start(ctx) }

func (r *Recorder) run(ctx context.Context) {
	for unmade, unwritten := false, false; ; {
		r.logFirst(ctx, &unmade, "the next month of usage could not be made ready", r.makeMonths(ctx))
		if clock.Sleep(ctx, writeEvery) != nil {
			return
		}
		// A started write is finished: an interrupted one could not be distinguished from a lost one.
		r.logFirst(ctx, &unwritten, "usage cannot be written; it is kept in memory", r.Flush(context.WithoutCancel(ctx)))
	}
}

// makeMonths creates the partitions of this month and the next. It is no failure if the process stops or the database is
// unavailable meanwhile: rows without a month go to the default partition, and counts that cannot be written have a message of
// their own.
func (r *Recorder) makeMonths(ctx context.Context) error {
	if err := r.store.months.Ahead(ctx, r.clock.Now()); ctx.Err() == nil && !database.Away(err) {
		return err
	}
	return nil
}

// logFirst logs the first of consecutive failures.
func (r *Recorder) logFirst(ctx context.Context, logged *bool, message string, err error) {
	if err != nil && !*logged {
		r.log.WarnContext(ctx, message, slog.Any("error", err))
	}
	*logged = err != nil
}

// Stop writes what is left. The requests must have ended before.
func (r *Recorder) Stop(ctx context.Context) error {
	if err := r.work.Stop(ctx); err != nil {
		return err
	}
	return r.Flush(ctx)
}

// Flush writes what has been counted. What cannot be written waits for the next time.
func (r *Recorder) Flush(ctx context.Context) error {
	r.writing.Lock()
	defer r.writing.Unlock()
	r.collect()
	for len(r.waiting) > 0 {
		if err := r.writePortion(ctx); err != nil {
			r.bound()
			return err
		}
	}
	return r.writeUsed(ctx)
}

func (r *Recorder) writePortion(ctx context.Context) error {
	portion := make(map[slot]*tally, min(len(r.waiting), writeMax))
	for k, t := range r.waiting {
		if len(portion) == writeMax {
			break
		}
		portion[k] = t
	}
	ctx, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	if err := r.store.write(ctx, portion); err != nil {
		return err
	}
	for k := range portion {
		delete(r.waiting, k)
	}
	return nil
}

// collect takes over what was counted since the last time.
func (r *Recorder) collect() {
	for i := range r.shards {
		s := &r.shards[i]
		s.mu.Lock()
		slots, used := s.slots, s.used
		s.slots, s.used = nil, nil
		s.mu.Unlock()
		for k, t := range slots {
			if held := r.waiting[k]; held != nil {
				held.add(t)
			} else {
				r.waiting[k] = t
			}
		}
		for k, at := range used {
			if at.After(r.used[k]) {
				r.used[k] = at
			}
		}
	}
}

// bound drops counts over the limit.
func (r *Recorder) bound() {
	for k, t := range r.waiting {
		if len(r.waiting) <= waitingMax {
			return
		}
		delete(r.waiting, k)
		if r.lost != nil {
			r.lost.Add(float64(t.requests))
		}
	}
}

// writeUsed writes last uses, of each key once a minute at most.
func (r *Recorder) writeUsed(ctx context.Context) error {
	due := map[string]time.Time{}
	for k, at := range r.used {
		if at.Sub(r.written[k]) >= usedEvery {
			due[k] = at
		}
	}
	if len(due) > 0 {
		ctx, cancel := context.WithTimeout(ctx, writeTimeout)
		defer cancel()
		if err := r.store.touch(ctx, due); err != nil {
			return err
		}
	}
	maps.Copy(r.written, due)
	now := r.clock.Now()
	maps.DeleteFunc(r.used, func(k string, at time.Time) bool { return !due[k].IsZero() || now.Sub(at) >= usedEvery })
	// Written uses are dropped after a while: the statement checks too.
	maps.DeleteFunc(r.written, func(_ string, at time.Time) bool { return now.Sub(at) >= 2*usedEvery })
	return nil
}
