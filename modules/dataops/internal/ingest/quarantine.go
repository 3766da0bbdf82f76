package ingest

import (
	"context"
	"fmt"
	"sync"

	"gpatlas/modules/catalog/catalogapi"
)

// rawBytesMax is where the text of a quarantined row is cut.
const rawBytesMax = 4 << 10

// batch is how many quarantined rows are written at once.
const batch = 500

// quarantine gathers the rows that parser and loader reject, and writes them in batches. A row that cannot be written
// ends the ingestion: nothing is dropped without a trace.
type quarantine struct {
	ctx   context.Context // kept, because the callbacks of the parsers have none
	abort context.CancelCauseFunc
	write func(ctx context.Context, rejected []catalogapi.Rejected) error

	mu      sync.Mutex
	pending []catalogapi.Rejected
	count   int64
	first   string
	err     error
}

// reject takes one row. It may be called from any goroutine.
func (q *quarantine) reject(r catalogapi.Rejected) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(r.Raw) > rawBytesMax {
		r.Raw = r.Raw[:rawBytesMax]
	}
	if q.count++; q.count == 1 {
		q.first = fmt.Sprintf("%s line %d: %s", r.File, r.Line, r.Reason)
	}
	q.pending = append(q.pending, r)
	if len(q.pending) >= batch {
		q.flush(q.ctx)
	}
}

// soFar returns how many rows were refused up to now, and why the first was.
func (q *quarantine) soFar() (count int64, first string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.count, q.first
}

// close writes what is left, also when the load's context is over.
func (q *quarantine) close() error {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.flush(context.WithoutCancel(q.ctx))
	return q.err
}

func (q *quarantine) flush(ctx context.Context) {
	if q.err != nil || len(q.pending) == 0 {
		return
	}
	if q.err = q.write(ctx, q.pending); q.err != nil {
		q.abort(q.err)
	}
	q.pending = q.pending[:0]
}
