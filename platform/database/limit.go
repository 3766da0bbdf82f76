package database

import (
	"context"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"gpatlas/platform/clock"
)

// limit is the total time for the database work of one context. Time without any work does not count, and concurrent statements
// count once.
type limit struct {
	mu    sync.Mutex
	left  time.Duration
	under int       // how much work is running
	since time.Time // when the first of it began
}

type limitKey struct{}

// WithLimit sets a time limit for the database work of a context: waiting for a connection, statements and reading rows, added
// up over all work with this context and its children. Work that is running at the limit fails with context.DeadlineExceeded,
// for which Away is true; all later work fails at once. The client enforces the limit, so it holds when the server has stopped
// answering, unlike a server timeout. A statement that it ends closes its connection, and the pool replaces it.
func WithLimit(ctx context.Context, d time.Duration) context.Context {
	return context.WithValue(ctx, limitKey{}, &limit{left: d})
}

// WithoutLimit removes the limit, for work that may take longer than a request. Each of its statements still has a limit: that of
// WithStatementLimit, or the default.
func WithoutLimit(ctx context.Context) context.Context {
	return context.WithValue(ctx, limitKey{}, (*limit)(nil))
}

// The client gives up a statement whose context has no limit when the server should have canceled it and some time has passed: a
// server that is stopped or gone cancels nothing.
const statementSlack = 5 * time.Second

// LongStatement is the limit for statements of a load: one that takes longer is not expected to end.
const LongStatement = time.Hour

type statementLimitKey struct{}

// WithStatementLimit sets how long the client waits for each statement of a context that has no limit, instead of the default
// (DATABASE_STATEMENT_TIMEOUT and five seconds). Work that lifts the server's statement_timeout needs it.
func WithStatementLimit(ctx context.Context, d time.Duration) context.Context {
	return context.WithValue(ctx, statementLimitKey{}, d)
}

// stopwatch is the system's clock, because context deadlines use it.
var stopwatch clock.System

// begin returns how long work that begins now may take.
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

// limitedContext is the context of one piece of limited work.
type limitedContext struct {
	context.Context

	limit  *limit // nil: only this piece is limited
	cancel context.CancelFunc
	once   sync.Once
}

func (d limiter) begin(ctx context.Context) context.Context {
	w := &limitedContext{}
	if w.limit, _ = ctx.Value(limitKey{}).(*limit); w.limit != nil {
		w.Context, w.cancel = context.WithTimeout(ctx, w.limit.begin())
		return w
	}
	most := d.statement
	if own, ok := ctx.Value(statementLimitKey{}).(time.Duration); ok {
		most = own
	}
	if most <= 0 {
		return ctx
	}
	w.Context, w.cancel = context.WithTimeout(ctx, most)
	return w
}

// end ends the work of a context that begin returned.
func end(ctx context.Context) {
	if w, ok := ctx.(*limitedContext); ok {
		w.once.Do(func() {
			w.cancel()
			if w.limit != nil {
				w.limit.end()
			}
		})
	}
}

// limiter enforces limits: pgx gets the context of all its work from its tracer, also for GORM.
type limiter struct {
	statement time.Duration // for each piece of work of a context without a limit; 0 = none
}

var _ interface {
	pgx.QueryTracer
	pgx.BatchTracer
	pgx.CopyFromTracer
	pgx.PrepareTracer
	pgxpool.AcquireTracer
} = limiter{}

// TraceAcquireStart begins the wait for a connection.
func (d limiter) TraceAcquireStart(ctx context.Context, _ *pgxpool.Pool, _ pgxpool.TraceAcquireStartData) context.Context {
	return d.begin(ctx)
}

// TraceAcquireEnd ends it.
func (limiter) TraceAcquireEnd(ctx context.Context, _ *pgxpool.Pool, _ pgxpool.TraceAcquireEndData) {
	end(ctx)
}

// TraceQueryStart begins a statement.
func (d limiter) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	return d.begin(ctx)
}

// TraceQueryEnd ends it, after its last row.
func (limiter) TraceQueryEnd(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryEndData) { end(ctx) }

// TraceBatchStart begins a batch of statements.
func (d limiter) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	return d.begin(ctx)
}

// TraceBatchQuery is a part of it.
func (limiter) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}

// TraceBatchEnd ends it.
func (limiter) TraceBatchEnd(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchEndData) { end(ctx) }

// TraceCopyFromStart begins a COPY.
func (d limiter) TraceCopyFromStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceCopyFromStartData) context.Context {
	return d.begin(ctx)
}

// TraceCopyFromEnd ends it.
func (limiter) TraceCopyFromEnd(ctx context.Context, _ *pgx.Conn, _ pgx.TraceCopyFromEndData) {
	end(ctx)
}

// TracePrepareStart begins the preparation of a statement.
func (d limiter) TracePrepareStart(ctx context.Context, _ *pgx.Conn, _ pgx.TracePrepareStartData) context.Context {
	return d.begin(ctx)
}

// TracePrepareEnd ends it.
func (limiter) TracePrepareEnd(ctx context.Context, _ *pgx.Conn, _ pgx.TracePrepareEndData) {
	end(ctx)
}
