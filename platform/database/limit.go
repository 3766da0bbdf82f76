package database

import (
	"context"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"gpatlas/platform/clock"
)

// limit is how long the database work that belongs to one context may take in all. Time in which none is under way does not
// count, and time in which several statements are counts once.
type limit struct {
	mu    sync.Mutex
	left  time.Duration
	under int       // how many are under way
	since time.Time // when the first of those began
}

type limitKey struct{}

// WithLimit gives the database work of a context a time limit: waiting for a connection, statements and the reading of their
// rows, added up over everything that is done with this context and those made from it. What is under way when the limit is
// reached fails with context.DeadlineExceeded, for which Away is true; everything afterwards fails at once. The limit is the
// client's own: it holds where the server has stopped answering, which no timeout of the server's does. A statement that it
// ends closes its connection, and the pool replaces it.
func WithLimit(ctx context.Context, d time.Duration) context.Context {
	return context.WithValue(ctx, limitKey{}, &limit{left: d})
}

// WithoutLimit takes the limit away again, for work that may take longer than a request's: it must have a time limit of its own.
func WithoutLimit(ctx context.Context) context.Context {
	return context.WithValue(ctx, limitKey{}, (*limit)(nil))
}

// stopwatch is a machine's clock: context deadlines are measured by no other.
var stopwatch clock.System

// begin says how long something that begins now may take.
func (l *limit) begin() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := stopwatch.Now()
	if l.under++; l.under == 1 {
		l.since = now
	}
	return l.left - now.Sub(l.since)
}

// end is called once for each begin.
func (l *limit) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.under--; l.under == 0 {
		l.left -= stopwatch.Now().Sub(l.since)
	}
}

// limitedContext is the context of one piece of work that counts.
type limitedContext struct {
	context.Context

	limit  *limit
	cancel context.CancelFunc
	once   sync.Once
}

func begin(ctx context.Context) context.Context {
	l, _ := ctx.Value(limitKey{}).(*limit)
	if l == nil {
		return ctx
	}
	w := &limitedContext{limit: l}
	w.Context, w.cancel = context.WithTimeout(ctx, l.begin())
	return w
}

// end ends what begin began with the context that it gave.
func end(ctx context.Context) {
	if w, ok := ctx.(*limitedContext); ok {
		w.once.Do(func() {
			w.cancel()
			w.limit.end()
		})
	}
}

// limiter makes limits hold: pgx asks its tracer for the context of everything that it does, on behalf of GORM too, and does it
// with the context that it is given.
type limiter struct{}

var _ interface {
	pgx.QueryTracer
	pgx.BatchTracer
	pgx.CopyFromTracer
	pgx.PrepareTracer
	pgxpool.AcquireTracer
} = limiter{}

// TraceAcquireStart begins the wait for a connection.
func (limiter) TraceAcquireStart(ctx context.Context, _ *pgxpool.Pool, _ pgxpool.TraceAcquireStartData) context.Context {
	return begin(ctx)
}

// TraceAcquireEnd ends it.
func (limiter) TraceAcquireEnd(ctx context.Context, _ *pgxpool.Pool, _ pgxpool.TraceAcquireEndData) {
	end(ctx)
}

// TraceQueryStart begins a statement.
func (limiter) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	return begin(ctx)
}

// TraceQueryEnd ends it, after its last row.
func (limiter) TraceQueryEnd(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryEndData) { end(ctx) }

// TraceBatchStart begins a batch of statements.
func (limiter) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	return begin(ctx)
}

// TraceBatchQuery is a part of it.
func (limiter) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}

// TraceBatchEnd ends it.
func (limiter) TraceBatchEnd(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchEndData) { end(ctx) }

// TraceCopyFromStart begins a COPY.
func (limiter) TraceCopyFromStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceCopyFromStartData) context.Context {
	return begin(ctx)
}

// TraceCopyFromEnd ends it.
func (limiter) TraceCopyFromEnd(ctx context.Context, _ *pgx.Conn, _ pgx.TraceCopyFromEndData) {
	end(ctx)
}

// TracePrepareStart begins the preparation of a statement.
func (limiter) TracePrepareStart(ctx context.Context, _ *pgx.Conn, _ pgx.TracePrepareStartData) context.Context {
	return begin(ctx)
}

// TracePrepareEnd ends it.
func (limiter) TracePrepareEnd(ctx context.Context, _ *pgx.Conn, _ pgx.TracePrepareEndData) {
	end(ctx)
}
