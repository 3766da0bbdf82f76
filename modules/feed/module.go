package feed

import (
	"log/slog"

	"go.uber.org/fx"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/feed/internal/alert"
	"gpatlas/modules/feed/internal/changefeed"
	"gpatlas/modules/feed/internal/pages"
	"gpatlas/modules/feed/internal/sending"
	"gpatlas/modules/feed/internal/signing"
	"gpatlas/modules/feed/internal/webhook"
	"gpatlas/platform/changes"
	"gpatlas/platform/charge"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/jobs"
	"gpatlas/platform/module"
	"gpatlas/platform/outbound"
	"gpatlas/platform/seal"
)

// Secrets are the server's, for what webhook endpoints keep secret.
type Secrets seal.Secrets

// Module provides the feed and webhooks to the container. It needs its Config, Secrets, *database.DB, clock.Clock, *slog.Logger,
// *jobs.Enqueuer, charge.PlansSold, catalogapi.GPSearcher and catalogapi.GPDiffer.
var Module = fx.Module("feed", fx.Provide(fx.Annotate(build, fx.ResultTags(`group:"manifests"`))))

// build makes the module's slices. The constructors only assign.
func build(
	c Config, secrets Secrets, db *database.DB, clk clock.Clock, log *slog.Logger, queue *jobs.Enqueuer, sold charge.PlansSold,
	search catalogapi.GPSearcher, differ catalogapi.GPDiffer,
) (module.Manifest, error) {
	proxy, err := c.proxy()
	if err != nil {
		return module.Manifest{}, err
	}
	hub := changes.NewHub(db, log)
	feed := changefeed.NewService(db, hub, clk, c.ChangesKeep)
	deps := sending.Deps{
		DB: db, Hub: hub, Feed: feed, Out: outbound.New(outbound.Config{AllowHTTP: c.AllowHTTP, Proxy: proxy, UserAgent: "GPAtlas-Webhooks/1"}),
		Vault: signing.Vault{Secrets: seal.Secrets(secrets)}, Queue: queue, Clock: clk, Log: log,
	}
	if sold {
		deps.Most = webhook.EndpointsMost
	}
	sender := sending.New(deps)
	alerts := alert.NewService(db, clk, search, differ, queue, bool(sold))
	return module.New("feed", feed.Part(), webhook.NewService(sender).Part(), alerts.Part(), pages.Part(), module.Part{Workers: []module.Background{hub, sender}}), nil
}
