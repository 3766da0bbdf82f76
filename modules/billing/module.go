package billing

import (
	"log/slog"

	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/fx"

	"gpatlas/modules/accounts/accountsapi"
	"gpatlas/modules/billing/billingapi"
	"gpatlas/modules/billing/internal/account"
	"gpatlas/modules/billing/internal/alert"
	"gpatlas/modules/billing/internal/cancellation"
	"gpatlas/modules/billing/internal/checkout"
	"gpatlas/modules/billing/internal/collecting"
	"gpatlas/modules/billing/internal/dunning"
	"gpatlas/modules/billing/internal/ledger"
	"gpatlas/modules/billing/internal/mailing"
	"gpatlas/modules/billing/internal/pages"
	"gpatlas/modules/billing/internal/preference"
	"gpatlas/modules/billing/internal/purchase"
	"gpatlas/modules/billing/internal/receipt"
	"gpatlas/modules/billing/internal/spendingcap"
	"gpatlas/modules/billing/internal/stripe"
	"gpatlas/modules/billing/internal/subscription"
	"gpatlas/modules/billing/internal/webhook"
	"gpatlas/platform/charge"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/jobs"
	"gpatlas/platform/mail"
	"gpatlas/platform/module"
)

// Module provides billing and its meter to the container. It needs its Config, *database.DB, clock.Clock, *slog.Logger,
// *jobs.Enqueuer, mail.Sender, prometheus.Registerer, the accounts' directory, plans and public URL, and the accounts' wishes
// from notifications.
var Module = fx.Module(
	"billing",
	fx.Provide(
		fx.Annotate(ledger.NewPurchaseReader, fx.As(new(billingapi.Purchases)), fx.As(new(billingapi.Preferences))),
		fx.Annotate(build, fx.ResultTags("", `group:"manifests"`)),
		Config.Offers,
		func(c Config) charge.PlansSold { return charge.PlansSold(c.On()) },
	),
	fx.Invoke(func(lifecycle fx.Lifecycle, c Config, log *slog.Logger) {
		lifecycle.Append(fx.StartHook(func() { c.announce(log) }))
	}),
)

// build makes the module's slices. The constructors only assign.
func build(
	c Config, db *database.DB, clk clock.Clock, log *slog.Logger, queue *jobs.Enqueuer, sender mail.Sender,
	directory accountsapi.Directory, plans accountsapi.Plans, wishes billingapi.Wishes, url accountsapi.PublicURL, metrics prometheus.Registerer,
) (charge.Meter, module.Manifest, error) {
	prices, err := c.PriceList()
	if err != nil {
		return nil, module.Manifest{}, err
	}
	mailer := mailing.NewMailer(directory, wishes, sender, url)
	client := stripe.New(c.StripeSecretKey, c.StripeURL, stripe.Options{})
	subscriptions := subscription.NewService(db, clk, directory, plans)
	alerts := alert.NewService(db, clk, queue, mailer, log)
	receipts := receipt.NewService(db, clk, queue, mailer)
	meter := ledger.NewMeter(db, clk, log, c.rules(), ledger.Hooks{Alerted: alerts.Alerted, Bought: receipts.Bought})
	return meter, module.New("billing",
		module.Part{Models: account.Models()},
		meter.Part(),
		ledger.NewBooks(db, clk, log, metrics).Part(),
		preference.NewService(db, clk).Part(),
		spendingcap.NewService(db, clk, c.rules().UnbackedMicros).Part(),
		alerts.Part(),
		purchase.NewService(db).Part(),
		receipts.Part(),
		subscriptions.Part(),
		cancellation.NewService(db, queue, directory, client).Part(),
		collecting.NewService(db, clk, log, client, c.Collect).Part(),
		checkout.NewService(db, clk, directory, subscriptions, client, prices, url, c.EduCoupon).Part(),
		webhook.NewService(db, clk, log, queue, c.On(), c.StripeWebhookSecrets, prices, subscriptions, metrics).Part(),
		pages.Part(clk),
		dunning.NewService(db, clk, queue, subscriptions, mailer).Part(),
	), nil
}

// rules are the settings about charges. Without Stripe nothing is collected, and no account is refused for a debt.
func (c Config) rules() ledger.Rules {
	if !c.On() {
		return ledger.Rules{}
	}
	return ledger.Rules{CallersOnly: true, UnbackedMicros: new(int64(c.UnbackedLimitUSD) * 1e6)}
}
