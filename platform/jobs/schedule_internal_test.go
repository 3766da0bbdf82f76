package jobs

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Times are UTC wherever the machine stands, unless the expression names a zone; then its clock changes count.
func TestCronTimesAreUTCUnlessAZoneIsNamed(t *testing.T) {
	t.Parallel()
	known := map[string]Handler{"test.run_daily": {Run: func(context.Context, []byte) error { return nil }}}
	next := func(cron string, from time.Time) time.Time {
		s, err := newScheduler([]Schedule{{Type: "test.run_daily", Cron: cron, Bucket: Daily}}, known)
		require.NoError(t, err)
		return s.entries[0].times.Next(from).UTC()
	}
	winter, summer := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC), time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	require.Equal(t, time.Date(2026, 11, 21, 6, 30, 0, 0, time.UTC), next("30 6 * * *", winter))
	require.Equal(t, time.Date(2026, 11, 21, 11, 30, 0, 0, time.UTC), next("CRON_TZ=America/New_York 30 6 * * *", winter))
	require.Equal(t, time.Date(2026, 7, 2, 10, 30, 0, 0, time.UTC), next("CRON_TZ=America/New_York 30 6 * * *", summer))
}

func TestADailyBucketIsTheDayInUTC(t *testing.T) {
	t.Parallel()
	zone := time.FixedZone("far east", 10*3600)
	require.Equal(t, "2026-11-20", Daily(time.Date(2026, 11, 21, 3, 0, 0, 0, zone)))
	require.Equal(t, "test.run_daily:2026-11-20", Key("test.run_daily", "2026-11-20"))
}
