package notifications

import (
	"go.uber.org/fx"

	"gpatlas/modules/notifications/internal/kind"
	"gpatlas/modules/notifications/internal/queue"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/module"
)

// Module hands notifications to the container. It needs its Config, *database.DB and clock.Clock.
var Module = fx.Module(
	"notifications",
	fx.Provide(fx.Annotate(build, fx.ResultTags(`group:"manifests"`))),
)

// build makes the module's slices. The constructors only assign.
func build(db *database.DB, clk clock.Clock) module.Manifest {
	kinds := kind.InCode{}
	mails := queue.NewService(db, clk, kinds)
	return module.New("notifications", mails.Part())
}
