package index

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Builds have one processor more between them, and the last one gives it back.
func TestSpareProcessor(t *testing.T) {
	t.Parallel()
	number := 2
	p := processors{set: func(n int) int {
		old := number
		if n > 0 {
			number = n
		}
		return old
	}}
	first := p.borrow()
	require.Equal(t, 3, number)
	second := p.borrow()
	require.Equal(t, 3, number)
	first()
	require.Equal(t, 3, number)
	second()
	require.Equal(t, 2, number)
	p.borrow()()
	require.Equal(t, 2, number)
}
