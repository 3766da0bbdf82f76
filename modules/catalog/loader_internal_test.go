package catalog

import (
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/clock"
	"gpatlas/platform/testkit/dbtest"
)

func TestConfigValidate(t *testing.T) {
	t.Parallel()
	require.NoError(t, Config{}.Validate())
	require.NoError(t, Config{RefreshCron: "0 4 * * 1"}.Validate())
	require.ErrorContains(t, Config{RefreshCron: "daily"}.Validate(), "CATALOG_REFRESH_CRON")
}

// The daily job runs against an empty catalog too, any number of times, and belongs to its day in UTC.
func TestRefreshJob(t *testing.T) {
	t.Parallel()
	job := refreshHandler(NewLoader(dbtest.New(t), clock.System{}, slog.New(slog.DiscardHandler)))
	require.NoError(t, job.Run(t.Context(), nil))
	require.NoError(t, job.Run(t.Context(), nil))
	schedule := refreshSchedule(Config{})
	require.Equal(t, job.Type, schedule.Type)
	require.Equal(t, DefaultRefreshCron, schedule.Cron)
	require.Equal(t, "2026-11-22", schedule.Bucket(time.Date(2026, 11, 21, 23, 30, 0, 0, time.FixedZone("", -3600))))
}
