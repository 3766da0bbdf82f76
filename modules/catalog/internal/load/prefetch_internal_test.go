package load

import (
	"context"
	"errors"
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

// Everything arrives in order, the error last, and the sequence has ended before prefetch returns.
func TestPrefetch(t *testing.T) {
	t.Parallel()
	damaged := errors.New("damaged")
	for _, n := range []int{0, 1, prefetchRows, prefetchRows + 1, 20 * prefetchRows} {
		for _, end := range []error{nil, damaged} {
			over, next := false, 0
			var last error
			for v, err := range prefetch(t.Context(), counting(n, end, &over)) {
				if last = err; err == nil {
					require.Equal(t, next, v)
					next++
				}
			}
			require.Equal(t, n, next)
			require.Equal(t, end, last)
			require.True(t, over)
		}
	}
}

// A consumer that stops ends the sequence. A context that ends is an error, not the end of the sequence.
func TestPrefetchEndsEarly(t *testing.T) {
	t.Parallel()
	over, read := false, 0
	for range prefetch(t.Context(), counting(1<<30, nil, &over)) {
		if read++; read == 3 {
			break
		}
	}
	require.True(t, over)
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	enough := errors.New("enough")
	over = false
	var last error
	for v, err := range prefetch(ctx, counting(1<<30, nil, &over)) {
		if last = err; v == 2*prefetchRows {
			cancel(enough)
		}
	}
	require.ErrorIs(t, last, enough)
	require.True(t, over)
}
