package ledger

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/billing/internal/account"
	"gpatlas/platform/testkit/clocktest"
)

// However many accounts call, a bounded number is remembered; outdated ones go first.
func TestStatesAreBounded(t *testing.T) {
	t.Parallel()
	var s states
	now := clocktest.Instant("2026-11-22T12:00:00Z")
	remembered := func() (n int) {
		for i := range s.shards {
			n += len(s.shards[i].held)
		}
		return n
	}
	for id := range int64(3 * shards * statesMax) {
		s.of(id).keep(id, cachedAccount{account.Account{UserID: id}, now})
	}
	require.Equal(t, shards*statesMax, remembered())
	last := int64(3*shards*statesMax - 1)
	a, found := s.of(last).find(last, now.Add(time.Second-1))
	require.True(t, found, "the newest one is remembered")
	require.Equal(t, last, a.UserID)
	for _, at := range []time.Time{now.Add(time.Second), now.Add(-1)} {
		_, found = s.of(last).find(last, at)
		require.False(t, found, "%s", at)
	}
	s.of(-5).keep(-5, cachedAccount{at: now}) // no number that an account has, and no panic
}
