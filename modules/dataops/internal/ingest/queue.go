package ingest

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/run"
)

// The bounds of a batch. It is one transaction, so this is also the most work that is lost when the process dies.
const (
	batchRows = 20_000_000
	batchTime = 5 * time.Minute
)

// queue has the documents to be ingested. They are loaded in batches, because most of a load's work is the same for one
// document and for many. While one is loaded, the next is opened.
type queue struct {
	s        *Service
	session  *run.Session
	progress Progress
	stages   *stages
	items    []*item // the first may be open already
	of       int
	alone    int  // how many of the first are to be batches of their own
	lost     bool // the connection to the database was lost: no other document can be loaded
}

func (q *queue) empty() bool { return len(q.items) == 0 }

// take returns the next document, open or failed, and begins to open the one after it. Remote documents are fetched only
// when it is their turn, so that the server is not asked for more than is used.
func (q *queue) take(ctx context.Context) *item {
	it := q.items[0]
	q.items = q.items[1:]
	q.progress.Begin(it.in.Name, it.at, q.of)
	if it.ready == nil {
		it.begin(ctx, q.session, nil, q.progress)
	}
	it.begun = q.s.clock.Now() // what was done while others were loaded cost no time
	it.besides = q.stages.total()
	it.shown.Store(true)
	<-it.ready
	if it.err == nil && len(q.items) > 0 && q.items[0].in.Remote == nil && q.items[0].ready == nil && ctx.Err() == nil {
		q.items[0].begin(ctx, q.session, it.ahead, q.progress)
	}
	return it
}

// batch loads the next documents in one transaction, and returns them with their results. If the transaction fails through
// no fault of theirs, they go back into the queue and are loaded one by one.
func (q *queue) batch(ctx context.Context) []*item {
	first := q.take(ctx)
	if first.err != nil {
		q.alone = max(0, q.alone-1)
		q.finish(ctx, first)
		return []*item{first}
	}
	begun, items, before := q.s.clock.Now(), []*item{first}, &batchDocuments{}
	results, err := q.s.loader.LoadBatch(ctx, func(txCtx context.Context, load catalogapi.LoadFunc) error {
		loaded, rows := 0, int64(0)
		for it := first; ; {
			if it.err == nil {
				rows += it.load(txCtx, load, before, q)
			}
			if it.handed {
				it.result, loaded = loaded, loaded+1
			}
			switch {
			case ctx.Err() != nil:
				return context.Cause(ctx)
			case errors.Is(it.err, errQuarantineLost), errors.Is(it.err, catalogapi.ErrBatchBroken):
				return it.err
			case q.empty(), q.alone > 0, q.items[0].in.Remote != nil, rows >= batchRows, q.s.clock.Now().Sub(begun) >= batchTime:
				return nil
			}
			it = q.take(ctx)
			items = append(items, it)
		}
	})
	q.alone = max(0, q.alone-1)
	return q.finishBatch(ctx, items, results, err)
}

// finishBatch records the result of every document of a batch.
func (q *queue) finishBatch(ctx context.Context, items []*item, results []catalogapi.LoadResult, err error) []*item {
	var finished, again []*item
	for _, it := range items {
		retry := false
		switch {
		case it.err != nil:
		case err == nil:
			if it.result >= 0 {
				it.end.Result = results[it.result]
			}
			it.end.Result.RowsRead = it.rows
		case len(items) > 1 && ctx.Err() == nil:
			it.err = fmt.Errorf("the batch that it was loaded with failed, so it is loaded again by itself: %w", err)
			retry = true
		default:
			it.err = err
		}
		q.finish(ctx, it)
		if retry && !q.lost {
			again = append(again, &item{s: q.s, in: it.in, at: it.at})
		} else {
			finished = append(finished, it)
		}
	}
	if len(again) > 0 {
		q.s.log.WarnContext(ctx, "a batch of documents failed; its documents are loaded one by one", slog.Int("documents", len(again)), slog.Any("error", err))
		q.items, q.alone = append(again, q.items...), len(again)
	}
	return finished
}

// finish records the result of a document.
func (q *queue) finish(ctx context.Context, it *item) {
	it.finish(ctx, q.session)
	q.lost = q.lost || errors.Is(it.err, ErrLost)
}

// abandon ends the run of a document that was opened and is not loaded any more.
func (q *queue) abandon(ctx context.Context) {
	why := context.Cause(ctx)
	if why == nil {
		why = ErrLost
	}
	for _, it := range q.items {
		if it.ready != nil {
			it.abort(why)
			it.close()
			it.err = errors.Join(why, it.err)
			it.finish(ctx, q.session)
		}
	}
}
