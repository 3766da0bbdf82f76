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
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/module"
)

// Module hands data operations to the container. It needs *database.DB, catalogapi.Loader, clock.Clock and *slog.Logger.
var Module = fx.Module(
	"dataops",
	fx.Provide(
		fx.Annotate(run.NewStore, fx.As(fx.Self()), fx.As(new(dataopsapi.Runs))),
		fx.Annotate(manifest, fx.ResultTags(`group:"manifests"`)),
	),
	fx.Invoke(measure),
)

// working is what the jobs of data operations are made of.
type working struct {
	fx.In

	DB     *database.DB
	Loader catalogapi.Loader
	Clock  clock.Clock
	Log    *slog.Logger
	Config Config `optional:"true"`
}

func manifest(w working) module.Manifest {
	deps := Deps{DB: w.DB, Loader: w.Loader, Clock: w.Clock, Log: w.Log, Config: w.Config}
	handlers, schedules := deps.work()
	return module.Manifest{
		Name: "dataops", Models: slices.Concat(run.Models(), source.Models()), Jobs: handlers, Schedules: schedules,
	}
}

// measuring is what the figures of ingestions are shown by, where a process shows any.
type measuring struct {
	fx.In

	Lifecycle fx.Lifecycle
	Process   module.Process
	Store     *run.Store
	Metrics   prometheus.Registerer `optional:"true"`
}

// measure shows the figures of ingestions in processes that are scraped, until they stop.
func measure(m measuring) {
	if m.Metrics == nil || !m.Process.Web {
		return
	}
	var end context.CancelFunc
	m.Lifecycle.Append(fx.Hook{
		OnStart: func(ctx context.Context) error {
			ctx, end = context.WithCancel(context.WithoutCancel(ctx)) //nolint:gosec // OnStop calls it
			return m.Metrics.Register(run.NewMetrics(ctx, m.Store))
		},
		OnStop: func(context.Context) error {
			end()
			return nil
		},
	})
}
