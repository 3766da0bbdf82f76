package load

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"sync"

	"github.com/jackc/pgx/v5"
)

// computation appends the row that is made of one that was read.
type computation func(out *rowBuffer)

// compute sends each row of a query through what fn makes of it, and copies the results into table, in any order. They are
// gathered first, for one connection cannot read and copy at once. The database waits for them, so all processors work.
func (s *session) compute(ctx context.Context, table, name string, fn func(row pgx.Rows) (computation, error)) error {
	rows, err := s.query(ctx, name)
	if err != nil {
		return fmt.Errorf("catalog load: compute %s: %w", table, err)
	}
	defer rows.Close()
	work := newWorkers(runtime.GOMAXPROCS(0))
	for rows.Next() && err == nil {
		var c computation
		if c, err = fn(rows); err == nil {
			work.add(c)
		}
	}
	results := work.wait()
	if err == nil {
		err = rows.Err()
	}
	if err != nil {
		return fmt.Errorf("catalog load: compute %s: %w", table, err)
	}
	part := 0
	err = s.copyIn(ctx, temporary(table), &feed{more: func(r *rowBuffer) error {
		if part == len(results) {
			return io.EOF
		}
		r.buf = append(r.buf, results[part].buf...)
		part++
		return nil
	}})
	if err != nil {
		return err
	}
	return s.exec(ctx, "analyze", "ANALYZE "+table) // unknown tables are joined row by row
}

// workers run computations, each of them those that it gets hold of.
type workers struct {
	queue   chan []computation
	next    []computation
	done    sync.WaitGroup
	results []rowBuffer // by worker
}

func newWorkers(n int) *workers {
	w := &workers{queue: make(chan []computation, n), results: make([]rowBuffer, n)}
	for i := range n {
		w.done.Go(func() {
			out := &w.results[i]
			for some := range w.queue {
				for _, c := range some {
					out.begin()
					c(out)
					out.end()
				}
			}
		})
	}
	return w
}

func (w *workers) add(c computation) {
	if w.next = append(w.next, c); len(w.next) == prefetchRows {
		w.queue <- w.next
		w.next = make([]computation, 0, prefetchRows)
	}
}

// wait gives the results when all is done.
func (w *workers) wait() []rowBuffer {
	w.queue <- w.next
	close(w.queue)
	w.done.Wait()
	return w.results
}
