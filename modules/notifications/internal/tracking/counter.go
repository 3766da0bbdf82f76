package tracking

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/startstop"
)

const (
	// writeEvery is how often hits are written: statistics are at most this and the time of one write late.
	writeEvery = 2 * time.Second
	// writeTimeout bounds one write, of at most writeMax rows.
	writeTimeout, writeMax = 4 * time.Second, 2_000
	// waitingMax bounds what waits to be written. Requests with invented IDs can fill it; the excess is lost, and counted.
	waitingMax = 50_000
)

// hit is the key under which requests are counted together.
type hit struct {
	mailID, linkID string
	machine        bool
}

// hits are how often, and when.
type hits struct {
	count       int64
	first, last time.Time
}

func (h *hits) add(o hits) {
	if h.count == 0 || o.first.Before(h.first) {
		h.first = o.first
	}
	if o.last.After(h.last) {
		h.last = o.last
	}
	h.count += o.count
}

// Counter counts openings and clicks in memory, and writes them in batches. It is safe for concurrent use; counting never waits
// for the database. If a process is killed, some seconds of statistics are lost.
type Counter struct {
	store *store
	clock clock.Clock
	log   *slog.Logger
	lost  prometheus.Counter // nil counts nothing

	mu   sync.Mutex
	hits map[hit]hits

	writing sync.Mutex // one write at a time
	work    *startstop.Work
}

// NewCounter works on db; nothing is written before Start. With a nil Registerer losses are not counted.
func NewCounter(db *database.DB, clk clock.Clock, log *slog.Logger, metrics prometheus.Registerer) *Counter {
	c := &Counter{store: &store{db}, clock: clk, log: log.With(slog.String("part", "tracking")), hits: map[hit]hits{}}
	c.work = startstop.New("the counter of opens and clicks", c.run)
	if metrics != nil {
		c.lost = prometheus.NewCounter(prometheus.CounterOpts{
			Name: "gpatlas_tracking_lost_total", Help: "Opens and clicks that were not counted because too many waited to be written.",
		})
		metrics.MustRegister(c.lost)
	}
	return c
}

// count counts one hit now.
func (c *Counter) count(h hit) {
	now := c.clock.Now().UTC()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.put(h, hits{1, now, now})
}

func (c *Counter) put(h hit, n hits) {
	sum, waits := c.hits[h]
	if !waits && len(c.hits) >= waitingMax {
		if c.lost != nil {
			c.lost.Add(float64(n.count))
		}
		return
	}
	sum.add(n)
	c.hits[h] = sum
}

// Start writes every few seconds until Stop, and returns at once.
func (c *Counter) Start(ctx context.Context) { c.work.Start(ctx) }

func (c *Counter) run(ctx context.Context) {
	for said := false; clock.Sleep(ctx, writeEvery) == nil; {
		err := c.Flush(context.WithoutCancel(ctx)) // a write that has begun is finished
		if err != nil && !said {
			c.log.WarnContext(ctx, "opens and clicks cannot be written; they are kept in memory", slog.Any("error", err))
		}
		said = err != nil
	}
}

// Stop writes what is left. The requests must have ended before.
func (c *Counter) Stop(ctx context.Context) error {
	if err := c.work.Stop(ctx); err != nil {
		return err
	}
	return c.Flush(ctx)
}

// Flush writes what has been counted. What cannot be written waits for the next time.
func (c *Counter) Flush(ctx context.Context) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	c.mu.Lock()
	all := c.hits
	c.hits = map[hit]hits{}
	c.mu.Unlock()
	portion := make([]hitRow, 0, min(len(all), writeMax))
	write := func() error {
		if len(portion) == 0 {
			return nil
		}
		ctx, cancel := context.WithTimeout(ctx, writeTimeout)
		defer cancel()
		if err := c.store.add(ctx, portion); err != nil {
			return err
		}
		for _, r := range portion {
			delete(all, hit{r.MailID, r.LinkID, r.Machine})
		}
		portion = portion[:0]
		return nil
	}
	var err error
	for h, n := range all {
		if portion = append(portion, hitRow{h.mailID, h.linkID, h.machine, n.count, n.first, n.last}); len(portion) == writeMax {
			if err = write(); err != nil {
				break
			}
		}
	}
	if err == nil {
		err = write()
	}
	if err != nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		for h, n := range all {
			c.put(h, n)
		}
	}
	return err
}
