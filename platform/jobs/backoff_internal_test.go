package jobs

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// The ceiling doubles from ten seconds up to an hour; the least wait is a second.
func TestBackoffGrowsToAnHour(t *testing.T) {
	t.Parallel()
	least, half, most := func() float64 { return 0 }, func() float64 { return 0.5 }, func() float64 { return 1 }
	for n, ceiling := range []time.Duration{
		10 * time.Second, 20 * time.Second, 40 * time.Second, 80 * time.Second, 160 * time.Second, 320 * time.Second,
		640 * time.Second, 1280 * time.Second, 2560 * time.Second, time.Hour, time.Hour,
	} {
		require.Equal(t, ceiling, backoff(n, most), n)
		require.Equal(t, (ceiling+time.Second)/2, backoff(n, half), n)
		require.Equal(t, time.Second, backoff(n, least), n)
	}
}

func TestBackoffIsBounded(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n, drawn := rapid.Int().Draw(t, "failures"), rapid.Float64Range(0, 1).Draw(t, "random")
		wait := backoff(n, func() float64 { return drawn })
		require.GreaterOrEqual(t, wait, time.Second)
		require.LessOrEqual(t, wait, time.Hour)
		require.LessOrEqual(t, wait, backoff(n, func() float64 { return 1 }))
	})
}
