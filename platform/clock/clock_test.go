package clock_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/clock"
)

func TestDays(t *testing.T) {
	t.Parallel()
	for s, number := range map[string]int64{"1969-12-30": -2, "1970-01-01": 0, "1900-02-28": -25509, "2026-11-21": 20778} {
		day, err := time.Parse(time.DateOnly, s)
		require.NoError(t, err)
		require.Equal(t, number, clock.DayNumber(day.Add(24*time.Hour-1)), s)
		require.Equal(t, day, clock.DayOf(number), s)
	}
}
