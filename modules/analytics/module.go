package analytics

import (
	"log/slog"

	"go.uber.org/fx"

	"gpatlas/modules/analytics/internal/amendment"
	"gpatlas/modules/analytics/internal/change"
	"gpatlas/modules/analytics/internal/diff"
	"gpatlas/modules/analytics/internal/metric"
	"gpatlas/modules/analytics/internal/pages"
	"gpatlas/modules/analytics/internal/regulatory"
	"gpatlas/modules/analytics/internal/related"
	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/module"
)

// Module provides the analytics to the container. It needs its Config, *database.DB, clock.Clock, *slog.Logger and the
// catalog's History, Analysis and Vocabulary.
var Module = fx.Module("analytics", fx.Provide(fx.Annotate(build, fx.ResultTags(`group:"manifests"`))))

// build makes the module's slices. The constructors only assign.
func build(
	c Config, db *database.DB, clk clock.Clock, log *slog.Logger,
	history catalogapi.History, analysis catalogapi.Analysis, words catalogapi.Vocabulary,
) (module.Manifest, error) {
	firms, err := newRegulatory(c, db, clk, log)
	if err != nil {
		return module.Manifest{}, err
	}
	return module.New("analytics",
		amendment.NewService(db, history).Part(),
		change.NewService(history).Part(),
		metric.NewService(history, clk).Part(),
		related.NewService(analysis, words, clk).Part(),
		diff.NewService(history, clk).Part(),
		firms.Part(),
		pages.Part(),
	), nil
}

func newRegulatory(c Config, db *database.DB, clk clock.Clock, log *slog.Logger) (*regulatory.Service, error) {
	store := regulatory.NewStore(db)
	providers, err := regulatory.Providers(regulatory.Settings{
		SearchURL: c.RegulatoryURL, Timeout: c.RegulatoryTimeout, Contact: c.RegulatoryContact,
	}, store, clk, log)
	return regulatory.NewService(store, providers, clk, log), err
}
