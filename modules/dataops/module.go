package dataops

import (
	"go.uber.org/fx"

	"gpatlas/modules/dataops/dataopsapi"
	"gpatlas/modules/dataops/internal/run"
	"gpatlas/platform/module"
)

// Module hands data operations to the container. It needs *database.DB.
var Module = fx.Module(
	"dataops",
	fx.Provide(
		fx.Annotate(run.NewStore, fx.As(new(dataopsapi.Runs))),
		fx.Annotate(manifest, fx.ResultTags(`group:"manifests"`)),
	),
)

func manifest() module.Manifest {
	return module.Manifest{Name: "dataops", Models: run.Models()}
}
