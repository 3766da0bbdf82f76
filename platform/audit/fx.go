package audit

import (
	"go.uber.org/fx"

	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/module"
)

// Module registers the operation and the table's model. Modules make their own Log.
var Module = fx.Module("audit", fx.Provide(fx.Annotate(
	func(db *database.DB, clk clock.Clock) module.Manifest {
		return module.New("audit", module.Part{Routes: New(db, clk).Routes(), Models: []any{row{}}})
	}, fx.ResultTags(`group:"manifests"`))))
