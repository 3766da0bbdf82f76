package billing

import (
	"go.uber.org/fx"

	"gpatlas/modules/billing/internal/account"
	"gpatlas/modules/billing/internal/preference"
	"gpatlas/modules/billing/internal/spendingcap"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/module"
)

// Module hands billing to the container. It needs its Config, *database.DB and clock.Clock.
var Module = fx.Module(
	"billing",
	fx.Provide(fx.Annotate(build, fx.ResultTags(`group:"manifests"`))),
)

// build makes the module's slices. The constructors only assign.
func build(_ Config, db *database.DB, clk clock.Clock) (module.Manifest, error) {
	return module.New("billing",
		module.Part{Models: account.Models()},
		preference.NewService(db, clk).Part(),
		spendingcap.NewService(db, clk).Part(),
	), nil
}
