package load

import (
	"context"
	"errors"
	"io"
)

// ahead is work that a goroutine of its own does before anybody asks for it, up to a number of items, which bounds its
// memory: parsing goes before encoding, and reading a document before its turn to be staged.
type ahead[T any] struct {
	items  chan T
	cancel context.CancelFunc
	done   chan struct{} // closed when the work has ended
	err    error         // what it failed with; to be read when items or done is closed
}

// errAbandoned ends work whose result is no longer needed.
var errAbandoned = errors.New("catalog load: the document is not loaded")

// workAhead begins to work. What work puts is kept until it is asked for; put waits when most items are.
func workAhead[T any](ctx context.Context, most int, work func(ctx context.Context, put func(T) error) error) *ahead[T] {
	ctx, cancel := context.WithCancel(ctx)
	a := &ahead[T]{items: make(chan T, most), cancel: cancel, done: make(chan struct{})}
	put := func(item T) error {
		select {
		case a.items <- item:
			return nil
		case <-ctx.Done():
			return errors.Join(errAbandoned, context.Cause(ctx))
		}
	}
	go func() {
		defer close(a.items)
		defer close(a.done)
		defer cancel()
		a.err = work(ctx, put)
	}()
	return a
}

// next returns the next item: after the last one the error that the work failed with, or io.EOF.
func (a *ahead[T]) next() (item T, err error) {
	item, ok := <-a.items
	switch {
	case ok:
		return item, nil
	case a.err != nil:
		return item, a.err
	default:
		return item, io.EOF
	}
}

// close ends the work, whether it is complete or not, and waits until it has ended. It may be called again.
func (a *ahead[T]) close() {
	a.cancel()
	<-a.done
}
