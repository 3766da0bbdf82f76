package catalog

import (
	"context"
	"log/slog"
	"slices"

	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/fx"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/filing"
	"gpatlas/modules/catalog/internal/fund"
	"gpatlas/modules/catalog/internal/gp"
	"gpatlas/modules/catalog/internal/history"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/past"
	"gpatlas/modules/catalog/internal/reference"
	"gpatlas/modules/catalog/internal/search"
	"gpatlas/platform/clock"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/jobs"
	"gpatlas/platform/module"
)

// Module hands the catalogue to the container. It needs *database.DB, clock.Clock and *slog.Logger.
var Module = fx.Module(
	"catalog",
	fx.Provide(
		NewLoader,
		dataSource,
		newAnalysis,
		newHistory,
		newVocabulary,
		newSearcher,
		fx.Annotate(manifest, fx.ResultTags(`group:"manifests"`)),
	),
	fx.Provide(
		fx.Private,
		newHolder, newRefresher, index.NewStore, history.NewStore, filing.NewStore,
		gp.NewService, fund.NewService, search.NewService, reference.NewService,
		fx.Annotate(past.NewBuilder, fx.OnStop((*past.Builder).Stop)),
	),
	fx.Invoke(keepFresh),
)

// slices of the module, each with its own operations.
type operations struct {
	fx.In

	Config    Config `optional:"true"`
	Holder    *index.Holder
	GPs       *gp.Service
	Funds     *fund.Service
	Search    *search.Service
	Reference *reference.Service
	Filings   *filing.Store
}

func manifest(o operations, loader catalogapi.Loader) module.Manifest {
	return module.Manifest{
		Name: "catalog",
		Routes: slices.Concat([]httpapi.Route{}, gp.Routes(o.GPs), fund.Routes(o.Funds), filing.Routes(o.Filings),
			search.Routes(o.Search), reference.Routes(o.Reference)),
		Models:    slices.Concat(history.Models(), filing.Models()),
		Jobs:      []jobs.Handler{refreshHandler(loader)},
		Schedules: []jobs.Schedule{refreshSchedule(o.Config)},
		Checks: []module.Check{{Name: "search index", Run: func(context.Context) error {
			_, err := o.Holder.Snapshot()
			return err
		}}},
	}
}

func newHolder() *index.Holder { return new(index.Holder) }

// refreshing is what the index's refresher is made of; a process without metrics counts nothing.
type refreshing struct {
	fx.In

	Store   *index.Store
	Holder  *index.Holder
	Clock   clock.Clock
	Log     *slog.Logger
	Metrics prometheus.Registerer `optional:"true"`
}

func newRefresher(r refreshing) *index.Refresher {
	var metrics *index.Metrics
	if r.Metrics != nil {
		metrics = index.NewMetrics(r.Metrics, r.Clock)
	}
	return index.NewRefresher(r.Store, r.Holder, r.Clock, r.Log, metrics, index.RefreshConfig{})
}

// keepFresh keeps the index the newest in processes that answer requests; in others it is not even loaded.
func keepFresh(lifecycle fx.Lifecycle, process module.Process, refresher *index.Refresher) {
	if !process.Web {
		return
	}
	lifecycle.Append(fx.Hook{
		OnStart: func(ctx context.Context) error {
			refresher.Start(ctx)
			return nil
		},
		OnStop: refresher.Stop,
	})
}

// held tells of the snapshot that is being served.
type held struct{ holder *index.Holder }

// Freshness is that of the snapshot held; zero before the first.
func (h held) Freshness() catalogapi.Freshness {
	snapshot, err := h.holder.Snapshot()
	if err != nil {
		return catalogapi.Freshness{}
	}
	return snapshot.Freshness()
}

func dataSource(holder *index.Holder) catalogapi.DataSource { return held{holder} }
