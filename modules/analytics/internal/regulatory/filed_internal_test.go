package regulatory

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/testkit/dbtest"
)

// Guarantee: of two answers at once the one that was asked for later stays.
func TestRemember(t *testing.T) {
	t.Parallel()
	s := NewStore(dbtest.New(t))
	noon := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	last, err := s.recall(t.Context(), "900001", "iapd")
	require.NoError(t, err)
	require.Nil(t, last)
	for _, step := range []struct {
		at   time.Duration
		want string
	}{{0, "0s"}, {2, "2ms"}, {1, "2ms"}, {3, "3ms"}} {
		at := step.at * time.Millisecond
		require.NoError(t, s.remember(t.Context(), "900001", "iapd", remembered{Edition: at.String(), CheckedAt: noon.Add(at)}))
		last, err = s.recall(t.Context(), "900001", "iapd")
		require.NoError(t, err)
		require.Equal(t, step.want, last.Edition)
	}
	require.Equal(t, noon.Add(3*time.Millisecond), last.CheckedAt)
	other, err := s.recall(t.Context(), "900001", "form_adv")
	require.NoError(t, err)
	require.Nil(t, other)
}
