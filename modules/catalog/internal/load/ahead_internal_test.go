package load

import (
	"context"
	"errors"
	"io"
	"iter"
	"testing"

	"github.com/stretchr/testify/require"
)

// counting gives the numbers up to n and then an error, and says when it has ended.
func counting(n int, end error, over *bool) iter.Seq2[int, error] {
	return func(yield func(int, error) bool) {
		defer func() { *over = true }()
		for i := range n {
			if !yield(i, nil) {
				return
			}
		}
		if end != nil {
			yield(0, end)
		}
	}
}

// Everything arrives in order, the error last, and the sequence has ended before drain returns.
func TestDrain(t *testing.T) {
	t.Parallel()
	damaged := errors.New("damaged")
	for _, n := range []int{0, 1, rowsAhead, rowsAhead + 1, 20 * rowsAhead} {
		for _, end := range []error{nil, damaged} {
			over, next := false, 0
			err := drain(t.Context(), counting(n, end, &over), func(v int) error {
				require.Equal(t, next, v)
				next++
				return nil
			})
			require.Equal(t, n, next)
			require.Equal(t, end, err)
			require.True(t, over)
		}
	}
}

// Who takes no more ends the sequence. A context that ends is an error, not the end of the sequence.
func TestDrainEndsEarly(t *testing.T) {
	t.Parallel()
	over, read, enough := false, 0, errors.New("enough")
	err := drain(t.Context(), counting(1<<30, nil, &over), func(int) error {
		if read++; read == 3 {
			return enough
		}
		return nil
	})
	require.Equal(t, enough, err)
	require.Equal(t, 3, read)
	require.True(t, over)
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	over = false
	err = drain(ctx, counting(1<<30, nil, &over), func(v int) error {
		if v == 2*rowsAhead {
			cancel(enough)
		}
		return nil
	})
	require.ErrorIs(t, err, enough)
	require.True(t, over)
}

// Work goes no further ahead than it may, and what it has put can be had after it has failed, before its error.
func TestWorkAhead(t *testing.T) {
	t.Parallel()
	begun, damaged := make(chan int, 10), errors.New("damaged")
	a := workAhead(t.Context(), 2, func(_ context.Context, put func(int) error) error {
		for i := range 5 {
			begun <- i
			if err := put(i); err != nil {
				return err
			}
		}
		return damaged
	})
	for i := range 3 {
		require.Equal(t, i, <-begun)
	}
	require.Empty(t, begun, "the third item waits")
	for i := range 5 {
		got, err := a.next()
		require.NoError(t, err)
		require.Equal(t, i, got)
	}
	for range 2 {
		_, err := a.next()
		require.Equal(t, damaged, err)
	}
	a.close()
	a.close()

	none := workAhead(t.Context(), 2, func(context.Context, func(int) error) error { return nil })
	_, err := none.next()
	require.Equal(t, io.EOF, err)
}

// Work that is closed ends, and says so to who asks for more.
func TestWorkAheadIsAbandoned(t *testing.T) {
	t.Parallel()
	a := workAhead(t.Context(), 1, func(_ context.Context, put func(int) error) error {
		for {
			if err := put(1); err != nil {
				return err
			}
		}
	})
	a.close()
	var err error
	for err == nil {
		_, err = a.next()
	}
	require.ErrorIs(t, err, errAbandoned)
	require.ErrorIs(t, err, context.Canceled)
}
