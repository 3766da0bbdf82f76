package load

import (
	"context"
	"iter"
)

const (
	// prefetchRows is how many rows a chunk has, prefetchMax how many chunks may wait to be used.
	prefetchRows = 256
	prefetchMax  = 4
)

// prefetch runs a sequence in a goroutine of its own, a few chunks ahead: the producer does not block on the consumer. The
// goroutine has ended when the returned sequence ends.
func prefetch[T any](ctx context.Context, seq iter.Seq2[T, error]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		ahead, cancel := context.WithCancel(ctx)
		chunks := make(chan rowChunk[T], prefetchMax)
		go func() {
			defer close(chunks)
			produce(ahead, seq, chunks)
		}()
		defer func() {
			cancel()
			for range chunks { // until the goroutine has ended
			}
		}()
		for c := range chunks {
			for _, v := range c.rows {
				if !yield(v, nil) {
					return
				}
			}
			if c.err != nil {
				var none T
				yield(none, c.err)
				return
			}
		}
		if ctx.Err() != nil {
			var none T
			yield(none, context.Cause(ctx))
		}
	}
}

// rowChunk is some rows, and the error that came after them.
type rowChunk[T any] struct {
	rows []T
	err  error
}

func produce[T any](ctx context.Context, seq iter.Seq2[T, error], chunks chan<- rowChunk[T]) {
	var rows []T
	send := func(err error) bool {
		select {
		case chunks <- rowChunk[T]{rows, err}:
			rows = make([]T, 0, prefetchRows)
			return true
		case <-ctx.Done():
			return false
		}
	}
	for v, err := range seq {
		if err != nil {
			send(err)
			return
		}
		if rows = append(rows, v); len(rows) == prefetchRows && !send(nil) {
			return
		}
	}
	send(nil)
}
