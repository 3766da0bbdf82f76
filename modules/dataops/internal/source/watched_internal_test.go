package source

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A scheduled source is watched also where its file names no ages; one that is used by hand is not.
func TestScheduledSourcesAreWatched(t *testing.T) {
	t.Parallel()
	for schedule, want := range map[string][2]string{
		"0 6 * * *": {dailyWarn, dailyStale}, "*/5 * * * *": {dailyWarn, dailyStale}, "0 6 * * 1": {"216h0m0s", "384h0m0s"},
		"0 6 1 * *": {"792h0m0s", "1536h0m0s"}, "": {}, "soon": {}, "0 0 30 2 *": {dailyWarn, dailyStale},
	} {
		d := Definition{Schedule: schedule}.watched()
		require.Equal(t, want, [2]string{d.WarnAfter, d.StaleAfter}, schedule)
	}
	require.Empty(t, Definition{Schedule: "0 6 * * *", WarnAfter: "3h"}.watched().StaleAfter)
	for i, d := range Builtin() {
		require.Equal(t, d, Builtin()[i].watched())
	}
}
