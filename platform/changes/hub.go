package changes

import (
	"context"
	"errors"
	"log/slog"
	"sync"

	"gpatlas/platform/database"
	"gpatlas/platform/startstop"
)

const (
	// ringSize is how many of the newest events a process keeps in memory.
	ringSize = 10_000
	// readSize is how many new events are read at once.
	readSize = 2_000
)

// Hub keeps the newest events of the log in memory and wakes those that wait for new ones. It reads each new event once for all of
// them, when PostgreSQL announces it. It is a module.Background and safe for concurrent use.
type Hub struct {
	db   *database.DB
	log  *slog.Logger
	work *startstop.Work

	mu      sync.Mutex
	ring    []Event       // consecutive events of the log, the oldest first
	begin   int64         // the ring has all events after this number
	end     int64         // and up to this one
	head    Head          // when the ring was read last
	current bool          // notices arrive; without them the ring may lack events
	changed chan struct{} // closed when the ring has changed, and at the stop
	stopped bool
	reads   int // queries, for tests
}

// NewHub makes a hub; nothing is read before Start.
func NewHub(db *database.DB, log *slog.Logger) *Hub {
	h := &Hub{db: db, log: log, changed: make(chan struct{})}
	h.work = startstop.New("the reader of changes", h.run)
	return h
}

// Start begins to listen.
func (h *Hub) Start(ctx context.Context) { h.work.Start(ctx) }

// Stop ends the listening and wakes everyone who waits.
func (h *Hub) Stop(ctx context.Context) error {
	h.Release()
	return h.work.Stop(ctx)
}

// Release wakes everyone who waits, now and later: the process stops.
func (h *Hub) Release() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.stopped {
		h.stopped = true
		close(h.changed)
	}
}

// Released reports whether Release was called.
func (h *Hub) Released() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.stopped
}

// After is the package's After, out of memory if the ring has the events.
func (h *Hub) After(ctx context.Context, seq int64, limit int, f Filter) (Page, error) {
	if p, ok, _ := h.look(seq, limit, f.compile()); ok {
		return p, nil
	}
	return After(ctx, h.db, seq, limit, f)
}

// Wait is After, but it waits for an event that the filter selects. It returns an empty page when ctx ends or the process stops, and when the cursor
// expires, as its Head says. While it waits it queries nothing.
func (h *Hub) Wait(ctx context.Context, from Cursor, limit int, f Filter) (Page, error) {
	filter := f.compile()
	for seq := from.Seq; ; {
		p, ok, changed := h.look(seq, limit, filter)
		if !ok {
			var err error
			if p, err = After(ctx, h.db, seq, limit, f); err != nil {
				return p, err
			}
		}
		if len(p.Events) > 0 || p.More || changed == nil || p.Head.Expired(Cursor{from.Epoch, seq}) {
			return p, nil
		}
		seq = p.Next // the events up to it match nothing
		select {
		case <-changed:
		case <-ctx.Done():
			return p, nil
		}
	}
}

// Head returns the state of the log as it was read last; ok is false if the hub does not listen.
func (h *Hub) Head() (head Head, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.head, h.current
}

// look finds a page in the ring; ok is false if the ring does not have all events after seq. changed is closed when there may be more;
// it is nil if the process stops.
func (h *Hub) look(seq int64, limit int, f *compiled) (p Page, ok bool, changed <-chan struct{}) {
	h.mu.Lock()
	ring, begin, end, head, current := h.ring, h.begin, h.end, h.head, h.current
	if !h.stopped {
		changed = h.changed
	}
	h.mu.Unlock()
	if !current || seq < begin {
		return Page{}, false, changed
	}
	p = Page{Next: max(seq, end), Head: head}
	for i := after(ring, seq); i < len(ring); i++ {
		if !f.matches(&ring[i]) {
			continue
		}
		if len(p.Events) == limit {
			p.Next, p.More = p.Events[limit-1].Seq, true
			break
		}
		p.Events = append(p.Events, ring[i])
	}
	return p, true, changed
}

// after returns the index of the first event after a number.
func after(ring []Event, seq int64) int {
	low, high := 0, len(ring)
	for low < high {
		if mid := (low + high) / 2; ring[mid].Seq <= seq {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}

func (h *Hub) run(ctx context.Context) {
	h.db.Follow(ctx, database.Follower{
		Listening: func() {
			h.set(h.empty) // notices of Forget may have been lost
			h.read(ctx)
		},
		Heard: func(n database.Notice) {
			if n.Payload == forgot {
				h.set(h.empty)
			}
			h.read(ctx)
		},
		Lost: func(err error) {
			h.set(func() { h.current = false })
			h.log.WarnContext(ctx, "changes are not announced; readers ask the database until they are", slog.Any("error", err))
		},
	}, Channel)
}

// read takes in what is new. A ring that could not be brought up to date is not used until the next notice.
func (h *Hub) read(ctx context.Context) {
	for {
		p, err := h.more(ctx)
		if err != nil {
			if !errors.Is(err, context.Canceled) {
				h.log.WarnContext(ctx, "new changes could not be read", slog.Any("error", err))
			}
			h.set(func() { h.current = false })
			return
		}
		h.set(func() { h.take(p) })
		if !p.More {
			return
		}
	}
}

// more reads the events after the ring's end; at the start the newest ones only.
func (h *Hub) more(ctx context.Context) (Page, error) {
	h.mu.Lock()
	end, begun := h.end, h.head.Epoch != [16]byte{}
	h.reads++
	h.mu.Unlock()
	if !begun {
		head, err := HeadOf(ctx, h.db)
		return Page{Head: head, Next: head.Newest}, err
	}
	return After(ctx, h.db, end, readSize, Filter{})
}

// empty drops the events, which are read from the table from then on.
func (h *Hub) empty() { h.ring, h.begin = nil, h.end }

// take appends a page to the ring. A new epoch empties it.
func (h *Hub) take(p Page) {
	if p.Head.Epoch != h.head.Epoch {
		h.ring, h.begin = nil, p.Next
		p.Events = nil
	}
	ring := h.ring
	if over := len(ring) + len(p.Events) - ringSize; over > 0 { // the array stays as it is: readers may have it
		h.begin, ring = ring[over-1].Seq, ring[over:]
	}
	ring = append(ring, p.Events...)
	h.ring, h.end, h.head, h.current = ring, p.Next, p.Head, true
}

func (h *Hub) set(fn func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	fn()
	if !h.stopped {
		close(h.changed)
		h.changed = make(chan struct{})
	}
}
