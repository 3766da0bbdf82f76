package audit

import (
	"go.uber.org/fx"

	"gpatlas/platform/module"
)

// Module registers the table's model. Modules make their own Log.
var Module = fx.Module("audit", fx.Provide(fx.Annotate(
	func() module.Manifest { return module.New("audit", module.Part{Models: []any{row{}}}) }, fx.ResultTags(`group:"manifests"`))))
