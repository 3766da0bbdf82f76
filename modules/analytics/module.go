package analytics

import (
	"log/slog"
	"slices"

	"go.uber.org/fx"

	"gpatlas/modules/analytics/internal/amendment"
	"gpatlas/modules/analytics/internal/change"
	"gpatlas/modules/analytics/internal/diff"
	"gpatlas/modules/analytics/internal/market"
	"gpatlas/modules/analytics/internal/metric"
	"gpatlas/modules/analytics/internal/regulatory"
	"gpatlas/modules/analytics/internal/related"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
)

// Module hands the analytics to the container. It needs *database.DB, clock.Clock, *slog.Logger and, of the catalogue,
// History, Analysis and Vocabulary.
var Module = fx.Module(
	"analytics",
	fx.Provide(fx.Annotate(manifest, fx.ResultTags(`group:"manifests"`))),
	fx.Provide(
		fx.Private,
		amendment.NewService, change.NewService, metric.NewService, related.NewService, market.NewService,
		diff.NewService, newRegulatory,
	),
)

// operations are the slices of the module, each with its own.
type operations struct {
	fx.In

	Amendments *amendment.Service
	Changes    *change.Service
	Metrics    *metric.Service
	Related    *related.Service
	Market     *market.Service
	Diff       *diff.Service
	Regulatory *regulatory.Service
}

func manifest(o operations) module.Manifest {
	return module.Manifest{
		Name: "analytics",
		Routes: slices.Concat([]httpapi.Route{}, amendment.Routes(o.Amendments), change.Routes(o.Changes),
			metric.Routes(o.Metrics), related.Routes(o.Related), market.Routes(o.Market), diff.Routes(o.Diff),
			regulatory.Routes(o.Regulatory)),
		Models: regulatory.Models(),
	}
}

// needs is what regulatory answers are made of.
type needs struct {
	fx.In

	Config Config `optional:"true"`
	DB     *database.DB
	Clock  clock.Clock
	Log    *slog.Logger
}

func newRegulatory(n needs) (*regulatory.Service, error) {
	store := regulatory.NewStore(n.DB)
	providers, err := regulatory.Providers(regulatory.Settings{
		SearchURL: n.Config.RegulatoryURL, Timeout: n.Config.RegulatoryTimeout, Contact: n.Config.RegulatoryContact,
	}, store, n.Clock, n.Log)
	if err != nil {
		return nil, err
	}
	return regulatory.NewService(store, providers, n.Clock, n.Log), nil
}
