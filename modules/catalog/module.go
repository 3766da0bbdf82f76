package catalog

import (
	"context"
	"log/slog"
	"slices"

	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/fx"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/affiliate"
	"gpatlas/modules/catalog/internal/correction"
	"gpatlas/modules/catalog/internal/disclosure"
	"gpatlas/modules/catalog/internal/export"
	"gpatlas/modules/catalog/internal/filing"
	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/modules/catalog/internal/fund"
	"gpatlas/modules/catalog/internal/gp"
	"gpatlas/modules/catalog/internal/growth"
	"gpatlas/modules/catalog/internal/history"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/market"
	"gpatlas/modules/catalog/internal/offering"
	"gpatlas/modules/catalog/internal/office"
	"gpatlas/modules/catalog/internal/owner"
	"gpatlas/modules/catalog/internal/pages"
	"gpatlas/modules/catalog/internal/panel"
	"gpatlas/modules/catalog/internal/past"
	"gpatlas/modules/catalog/internal/provider"
	"gpatlas/modules/catalog/internal/reference"
	"gpatlas/modules/catalog/internal/search"
	"gpatlas/modules/catalog/internal/series"
	"gpatlas/modules/catalog/internal/subadvised"
	"gpatlas/modules/catalog/internal/vocab"
	"gpatlas/modules/catalog/internal/website"
	"gpatlas/platform/charge"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/jobs"
	"gpatlas/platform/module"
)

// Module hands the catalog to the container. It needs its Config, *database.DB, clock.Clock, *slog.Logger and
// prometheus.Registerer.
var Module = fx.Module(
	"catalog",
	fx.Provide(
		NewLoader,
		dataSource,
		newAnalysis,
		newHistory,
		vocabulary,
		newSchedules,
		fx.Annotate(gp.NewSearcher, fx.As(new(catalogapi.GPSearcher))),
		fx.Annotate(gp.NewDiffer, fx.As(new(catalogapi.GPDiffer))),
		fx.Annotate(build, fx.ResultTags(`group:"manifests"`)),
		fx.Annotate(NewOverrider, fx.ResultTags(`group:"overriders"`)),
	),
	fx.Provide(
		fx.Private,
		newHolder, history.NewStore,
		fx.Annotate(past.NewBuilder, fx.ParamTags("", "", "", `optional:"true"`), fx.OnStop((*past.Builder).Stop)),
	),
)

// optional is what depends on modules that may be left out.
type optional struct {
	fx.In

	PlansSold charge.PlansSold `optional:"true"`
}

// build makes the module's slices. The constructors only assign. The index is kept up to date in processes that answer
// requests; in others it is not even loaded.
func build(
	c Config, db *database.DB, clk clock.Clock, log *slog.Logger, metrics prometheus.Registerer,
	holder *index.Holder, before *past.Builder, loader catalogapi.Loader, more optional,
) module.Manifest {
	filed := history.NewStore(db)
	panels := panel.NewStore(db, filed, clk)
	gps := gp.NewService(holder, filed, before, clk)
	refresher := index.NewRefresher(index.NewStore(db, clk, c.SnapshotDir, log), holder, clk, log, index.NewMetrics(metrics, clk), index.Pace)
	return module.New("catalog",
		gps.Part(),
		fund.NewService(holder, filed, before, clk).Part(),
		filing.NewService(db, holder, clk).Part(),
		office.NewService(gps, panels).Part(),
		affiliate.NewService(panels).Part(),
		owner.NewService(panels).Part(),
		subadvised.NewService(panels).Part(),
		website.NewService(gps, panels).Part(),
		offering.NewService(db, filed, clk).Part(),
		provider.NewService(holder, db, panels, filed, clk).Part(),
		growth.NewService(holder, db, clk).Part(),
		disclosure.NewService(holder, db).Part(),
		market.NewService(holder, before, clk).Part(),
		series.NewService(newHistory(filed, holder, clk), filed, clk).Part(),
		search.NewService(holder).Part(),
		reference.NewService(holder).Part(),
		export.NewService(holder, db, clk, bool(more.PlansSold)).Part(),
		pages.Part(),
		module.Part{
			Models: slices.Concat(fold.Models(), correction.Models()), Jobs: []jobs.Handler{refreshHandler(loader)}, Schedules: []jobs.Schedule{refreshSchedule(c)},
			Background: []module.Background{refresher},
			Checks: []module.Check{{Name: "search index", Run: func(context.Context) error {
				_, err := holder.Snapshot()
				return err
			}}},
		},
	)
}

// vocabulary hands the closed vocabularies to other modules.
func vocabulary() catalogapi.Vocabulary {
	return catalogapi.Vocabulary{Strategies: vocab.ExpandStrategy, StrategyNames: vocab.Strategies, StrategyAliases: vocab.StrategyAliases, Country: vocab.CountryCode}
}

func newSchedules(db *database.DB, clk clock.Clock) catalogapi.Schedules {
	return owner.NewService(panel.NewStore(db, history.NewStore(db), clk))
}

func newHolder() *index.Holder { return new(index.Holder) }

// snapshotSource tells of the snapshot that is being served.
type snapshotSource struct{ holder *index.Holder }

// Freshness is that of the current snapshot; zero before the first.
func (h snapshotSource) Freshness() catalogapi.Freshness {
	snapshot, err := h.holder.Snapshot()
	if err != nil {
		return catalogapi.Freshness{}
	}
	return snapshot.Freshness()
}

func dataSource(holder *index.Holder) catalogapi.DataSource { return snapshotSource{holder} }
