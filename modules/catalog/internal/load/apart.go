package load

import (
	"context"
	"iter"
)

const (
	// apartRows is how many rows change hands at once, apartMax how often that may be ahead.
	apartRows = 256
	apartMax  = 4
)

// apart runs a sequence in a goroutine of its own, a few rows ahead: what makes the rows does not wait for what is made
// of them. It is over when the sequence that it gives is.
func apart[T any](ctx context.Context, seq iter.Seq2[T, error]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		ahead, cancel := context.WithCancel(ctx)
		parts := make(chan part[T], apartMax)
		go func() {
			defer close(parts)
			produce(ahead, seq, parts)
		}()
		defer func() {
			cancel()
			for range parts { // until it has let go of the sequence
			}
		}()
		for p := range parts {
			for _, v := range p.rows {
				if !yield(v, nil) {
					return
				}
			}
			if p.err != nil {
				var none T
				yield(none, p.err)
				return
			}
		}
		if ctx.Err() != nil {
			var none T
			yield(none, context.Cause(ctx))
		}
	}
}

// part is some rows, and the error that came after them.
type part[T any] struct {
	rows []T
	err  error
}

func produce[T any](ctx context.Context, seq iter.Seq2[T, error], parts chan<- part[T]) {
	var rows []T
	send := func(err error) bool {
		select {
		case parts <- part[T]{rows, err}:
			rows = make([]T, 0, apartRows)
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
		if rows = append(rows, v); len(rows) == apartRows && !send(nil) {
			return
		}
	}
	send(nil)
}
