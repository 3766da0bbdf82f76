package feed

import (
	"log/slog"

	"go.uber.org/fx"

	"gpatlas/modules/feed/internal/changefeed"
	"gpatlas/modules/feed/internal/pages"
	"gpatlas/platform/changes"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/module"
)

// Module provides the feed to the container. It needs its Config, *database.DB, clock.Clock and *slog.Logger.
var Module = fx.Module("feed", fx.Provide(fx.Annotate(build, fx.ResultTags(`group:"manifests"`))))

// build makes the module's slices. The constructors only assign.
func build(c Config, db *database.DB, clk clock.Clock, log *slog.Logger) module.Manifest {
	return module.New("feed", changefeed.NewService(db, changes.NewHub(db, log), clk, c.ChangesKeep).Part(), pages.Part())
}
