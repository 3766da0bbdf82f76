package database

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestLagOfAStandby(t *testing.T) {
	t.Parallel()
	s, start := &standby{lag: 2 * time.Second}, time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)
	for _, at := range []struct {
		second            int
		written, replayed int64
		near              bool
	}{
		{0, 100, 100, true},
		{1, 200, 100, true},
		{2, 300, 100, true},
		{3, 400, 100, true},
		{4, 500, 100, false}, // what was written at second 1 is missing
		{5, 600, 200, false},
		{6, 700, 400, true},
		{7, 700, 700, true},
		{99, 700, 700, true}, // nothing was written
		{200, 800, 700, true},
	} {
		require.Equal(t, at.near, s.near(start.Add(time.Duration(at.second)*time.Second), at.written, at.replayed), "second %d", at.second)
	}
}
