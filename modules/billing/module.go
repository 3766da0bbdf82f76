package billing

import (
	"go.uber.org/fx"

	"gpatlas/modules/billing/internal/account"
	"gpatlas/platform/module"
)

// Module hands billing to the container. It needs its Config.
var Module = fx.Module(
	"billing",
	fx.Provide(fx.Annotate(build, fx.ResultTags(`group:"manifests"`))),
)

// build makes the module's slices. The constructors only assign.
func build(Config) (module.Manifest, error) {
	return module.New("billing",
		module.Part{Models: account.Models()},
	), nil
}
