package notifications

import (
	"go.uber.org/fx"

	"gpatlas/modules/billing/billingapi"
	"gpatlas/modules/notifications/internal/digest"
	"gpatlas/modules/notifications/internal/kind"
	"gpatlas/modules/notifications/internal/queue"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/jobs"
	"gpatlas/platform/module"
)

// Module hands notifications to the container. It needs its Config, *database.DB, clock.Clock, *jobs.Enqueuer, and of billing
// what accounts prefer.
var Module = fx.Module(
	"notifications",
	fx.Provide(fx.Annotate(build, fx.ResultTags(`group:"manifests"`))),
)

// build makes the module's slices. The constructors only assign.
func build(db *database.DB, clk clock.Clock, starts *jobs.Enqueuer, wishes billingapi.Preferences) module.Manifest {
	kinds := kind.InCode{}
	mails := queue.NewService(db, clk, kinds)
	return module.New("notifications",
		mails.Part(),
		digest.NewService(db, clk, mails, kinds, wishes, starts).Part(),
	)
}
