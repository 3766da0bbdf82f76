package dataops

import (
	"context"
	"log/slog"
	"slices"

	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/fx"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/alert"
	"gpatlas/modules/dataops/internal/extraction"
	"gpatlas/modules/dataops/internal/freshness"
	"gpatlas/modules/dataops/internal/override"
	"gpatlas/modules/dataops/internal/overview"
	"gpatlas/modules/dataops/internal/pages"
	"gpatlas/modules/dataops/internal/quality"
	"gpatlas/modules/dataops/internal/run"
	"gpatlas/modules/dataops/internal/source"
	"gpatlas/modules/people/peopleapi"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/jobs"
	"gpatlas/platform/module"
	"gpatlas/platform/overrides"
)

// Module provides data operations to the container. It needs its Config, *database.DB, catalogapi.Loader, clock.Clock,
// *slog.Logger and prometheus.Registerer.
var Module = fx.Module(
	"dataops",
	fx.Provide(
		run.NewStore,
		fx.Annotate(build, fx.ResultTags(`group:"manifests"`)),
	),
	fx.Invoke(measure),
)

// optional is what the module does without where the module that has it is left out.
type optional struct {
	fx.In

	People peopleapi.Resolver    `optional:"true"`
	Lists  peopleapi.Lists       `optional:"true"`
	Served catalogapi.DataSource `optional:"true"`
	Queues *jobs.Inspector       `optional:"true"`

	Overriders []overrides.Overrider `group:"overriders"`
}

func build(c Config, db *database.DB, loader catalogapi.Loader, clk clock.Clock, log *slog.Logger, more optional) (module.Manifest, error) {
	corrections, err := override.NewService(db, more.Overriders, clk)
	if err != nil {
		return module.Manifest{}, err
	}
	d := Deps{DB: db, Loader: loader, People: more.People, Lists: more.Lists, Clock: clk, Log: log, Config: c}
	handlers, schedules := d.work()
	list, _ := c.sources() // the check of the settings reports the error
	metrics, _ := quality.Metrics(c.QualityThresholds)
	queue := jobs.NewEnqueuer(db)
	sources := source.New(list, source.NewStore(db), nil, clk, log, nil, false)
	uses := extraction.NewService(db, list, d.lacks, queue, clk)
	fresh := freshness.NewService(db, sources, c.Schedule == "on", uses, more.People,
		freshness.Ages{Person: c.PersonStaleAfter, Board: c.BoardStaleAfter}, queue, clk, log)
	measures := quality.NewService(db, metrics, clk)
	return module.New("dataops",
		module.Part{Models: slices.Concat(run.Models(), source.Models()), Jobs: handlers, Schedules: schedules},
		uses.Part(),
		fresh.Part(),
		measures.Part(),
		alert.NewService(db, clk).Part(),
		corrections.Part(),
		overview.NewService(db, sources, fresh, measures, more.Served, more.Queues, clk, log).Part(),
		pages.Part(),
	), nil
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
