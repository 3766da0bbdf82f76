package catalog

import (
	"log/slog"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/correction"
	"gpatlas/modules/catalog/internal/load"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/jobs"
	"gpatlas/platform/overrides"
)

// RefreshJob is the type of the daily job that recomputes values that depend on the day.
const RefreshJob = "catalog.refresh_derived"

// refreshTimeout is generous: the whole catalog is looked at, and a load may hold it up.
const refreshTimeout = 30 * time.Minute

// NewLoader is the loader without a container around it.
func NewLoader(db *database.DB, clk clock.Clock, log *slog.Logger) catalogapi.Loader {
	return load.New(db, clk, log)
}

// NewOverrider is what applies operators' corrections of advisers and funds.
func NewOverrider(db *database.DB, clk clock.Clock, log *slog.Logger) overrides.Overrider {
	return correction.New(db, load.New(db, clk, log), clk)
}

// refreshHandler runs the job; a second run the same day finds nothing to do.
func refreshHandler(loader catalogapi.Loader) jobs.Handler {
	return jobs.Handler{
		Type: RefreshJob, Timeout: refreshTimeout, Retries: 3,
		Run: jobs.Plain(loader.RefreshDerived),
	}
}

func refreshSchedule(cfg Config) jobs.Schedule {
	return jobs.Schedule{
		Type: RefreshJob, Cron: cfg.refreshCron(),
		Bucket: func(t time.Time) string { return t.UTC().Format(time.DateOnly) },
	}
}
