package dataops

import (
	"context"
	"log/slog"
	"slices"

	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/fx"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/dataopsapi"
	"gpatlas/modules/dataops/internal/run"
	"gpatlas/modules/dataops/internal/source"
	"gpatlas/modules/people/peopleapi"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/module"
)

// Module hands data operations to the container. It needs its Config, *database.DB, catalogapi.Loader, clock.Clock,
// *slog.Logger and prometheus.Registerer.
var Module = fx.Module(
	"dataops",
	fx.Provide(
		fx.Annotate(run.NewStore, fx.As(fx.Self()), fx.As(new(dataopsapi.Runs))),
		fx.Annotate(build, fx.ResultTags(`group:"manifests"`)),
	),
	fx.Invoke(measure),
)

// optional is what an ingestion does without where the module that has it is left out.
type optional struct {
	fx.In

	People peopleapi.Resolver `optional:"true"`
}

func build(c Config, db *database.DB, loader catalogapi.Loader, clk clock.Clock, log *slog.Logger, more optional) module.Manifest {
	handlers, schedules := Deps{DB: db, Loader: loader, People: more.People, Clock: clk, Log: log, Config: c}.work()
	return module.New("dataops", module.Part{
		Models: slices.Concat(run.Models(), source.Models()), Jobs: handlers, Schedules: schedules,
	})
}

// measure shows the figures of ingestions in processes that are scraped, until they stop.
func measure(lifecycle fx.Lifecycle, process module.Process, store *run.Store, metrics prometheus.Registerer) {
	if !process.Web {
		return
	}
	var end context.CancelFunc
	lifecycle.Append(fx.Hook{
		OnStart: func(ctx context.Context) error {
			ctx, end = context.WithCancel(context.WithoutCancel(ctx)) //nolint:gosec // OnStop calls it
			return metrics.Register(run.NewMetrics(ctx, store))
		},
		OnStop: func(context.Context) error {
			end()
			return nil
		},
	})
}
