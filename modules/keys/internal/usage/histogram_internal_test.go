package usage

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Each duration lies in its step, and the steps follow each other without a gap.
func TestSteps(t *testing.T) {
	t.Parallel()
	for step := range steps - 1 {
		require.Equal(t, step, stepOf(lowest(step)))
		require.Equal(t, step, stepOf(lowest(step+1)-1))
	}
	require.Equal(t, steps-1, stepOf(math.MaxInt64))
	require.Zero(t, stepOf(-1))
	require.Greater(t, lowest(steps-1), int64(50_000_000), "the last step begins at nearly a minute")
	rapid.Check(t, func(t *rapid.T) {
		us := rapid.Int64Range(0, 50_000_000).Draw(t, "us")
		step := stepOf(us)
		require.LessOrEqual(t, lowest(step), us)
		require.Greater(t, lowest(step+1), us)
		if us >= linear {
			require.LessOrEqual(t, float64(lowest(step+1)-lowest(step)), float64(us)/4)
		}
	})
}

func TestPercentile(t *testing.T) {
	t.Parallel()
	require.InDelta(t, 7, percentile95([]int64{0, 0, 0, 0, 0, 0, 0, 10}, 7, 7), 0)
	require.InDelta(t, 9, percentile95(nil, 1, 9), 0)
	last := make([]int64, steps)
	last[steps-1] = 4
	require.LessOrEqual(t, percentile95(last, 60_000_000, 90_000_000), 90_000_000.0)
}

func TestLiteral(t *testing.T) {
	t.Parallel()
	var h histogram
	require.Equal(t, "{}", h.literal())
	h[0], h[3] = 2, 17
	require.Equal(t, "{2,0,0,17}", h.literal())
}
