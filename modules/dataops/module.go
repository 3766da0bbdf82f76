package dataops

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/fx"

	"gpatlas/modules/dataops/dataopsapi"
	"gpatlas/modules/dataops/internal/run"
	"gpatlas/platform/module"
)

// Module hands data operations to the container. It needs *database.DB.
var Module = fx.Module(
	"dataops",
	fx.Provide(
		fx.Annotate(run.NewStore, fx.As(fx.Self()), fx.As(new(dataopsapi.Runs))),
		fx.Annotate(manifest, fx.ResultTags(`group:"manifests"`)),
	),
	fx.Invoke(measure),
)

func manifest() module.Manifest {
	return module.Manifest{Name: "dataops", Models: run.Models()}
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
