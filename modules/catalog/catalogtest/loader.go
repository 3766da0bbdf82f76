// Package catalogtest is the catalog for other modules' tests.
package catalogtest

import (
	"log/slog"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/correction"
	"gpatlas/modules/catalog/internal/history"
	"gpatlas/modules/catalog/internal/load"
	"gpatlas/modules/catalog/internal/owner"
	"gpatlas/modules/catalog/internal/panel"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/overrides"
)

// NewLoader is the real loader over a test's database: what a document becomes is decided by SQL, so a fake would prove
// nothing.
func NewLoader(db *database.DB, clk clock.Clock) catalogapi.Loader {
	return load.New(db, clk, slog.New(slog.DiscardHandler))
}

// NewOverrider is what really applies corrections over a test's database.
func NewOverrider(db *database.DB, clk clock.Clock) overrides.Overrider {
	return correction.New(db, load.New(db, clk, slog.New(slog.DiscardHandler)), clk)
}

// NewSchedules reads owners from a test's database.
func NewSchedules(db *database.DB) catalogapi.Schedules {
	return owner.NewService(panel.NewStore(db, history.NewStore(db), clock.System{})) // no moment is asked for
}
