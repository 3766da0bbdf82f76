package notifications

import (
	"log/slog"

	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/fx"

	"gpatlas/modules/accounts/accountsapi"
	"gpatlas/modules/billing/billingapi"
	"gpatlas/modules/notifications/internal/delivery"
	"gpatlas/modules/notifications/internal/digest"
	"gpatlas/modules/notifications/internal/linkkey"
	"gpatlas/modules/notifications/internal/marketintel"
	"gpatlas/modules/notifications/internal/pages"
	"gpatlas/modules/notifications/internal/preference"
	"gpatlas/modules/notifications/internal/queue"
	"gpatlas/modules/notifications/internal/registry"
	"gpatlas/modules/notifications/internal/render"
	"gpatlas/modules/notifications/internal/tracking"
	"gpatlas/modules/notifications/internal/unsubscribe"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/jobs"
	"gpatlas/platform/mail"
	"gpatlas/platform/module"
)

// Module provides notifications to the container. It needs its Config, *database.DB, clock.Clock, *slog.Logger, *jobs.Enqueuer,
// mail.Sender, prometheus.Registerer, the accounts' directory and public URL, and billing's preferences.
var Module = fx.Module(
	"notifications",
	fx.Provide(
		fx.Annotate(build, fx.ResultTags(`group:"manifests"`)),
		fx.Annotate(buildWishes, fx.As(new(billingapi.Wishes))),
	),
)

// buildWishes makes the service that billing calls before it sends a mail. It depends on nothing of billing.
func buildWishes(db *database.DB, clk clock.Clock, accounts accountsapi.Directory, url accountsapi.PublicURL) *preference.Wishes {
	return preference.NewWishes(db, preference.NewService(db, clk, accounts), unsubscribe.NewTokens(linkkey.New(db, clk), url))
}

// build makes the module's slices. The constructors only assign.
func build(
	c Config, db *database.DB, clk clock.Clock, log *slog.Logger, starts *jobs.Enqueuer, sender mail.Sender,
	accounts accountsapi.Directory, url accountsapi.PublicURL, weekly billingapi.Preferences, metrics prometheus.Registerer,
) module.Manifest {
	key := linkkey.New(db, clk)
	tokens := unsubscribe.NewTokens(key, url)
	post := render.Post{
		Renderers: render.Join(render.Letters(), digest.Renderers(), marketintel.Renderers()),
		Samples:   render.Join(render.LetterSamples(), digest.Samples(), marketintel.Samples()), Unsubscriber: tokens, Sender: sender, URL: url,
	}
	kinds := registry.NewService(db, clk, accounts, post)
	mails := queue.NewService(db, clk, kinds)
	preferences := preference.NewService(db, clk, accounts)
	return module.New("notifications",
		mails.Part(),
		preferences.Part(),
		unsubscribe.NewService(tokens, preferences, accounts).Part(),
		delivery.NewService(db, clk, log, starts, delivery.Parts{
			Post: post, Queue: mails, Kinds: kinds, Accounts: accounts, Preferences: preferences, Bounces: delivery.NewBounces(db, clk, key),
			Tracker: tracking.NewTracker(db, clk, url), Connections: c.Connections,
		}).Part(),
		digest.NewService(db, clk, mails, kinds, weekly, starts).Part(),
		marketintel.NewService(db, clk, mails, kinds, starts).Part(),
		kinds.Part(),
		pages.Part(),
		tracking.NewService(db, clk, tracking.NewCounter(db, clk, log, metrics)).Part(),
	)
}
