package billing

import (
	"log/slog"

	"go.uber.org/fx"

	"gpatlas/modules/billing/billingapi"
	"gpatlas/modules/billing/internal/account"
	"gpatlas/modules/billing/internal/ledger"
	"gpatlas/modules/billing/internal/preference"
	"gpatlas/modules/billing/internal/spendingcap"
	"gpatlas/platform/charge"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/module"
)

// Module hands billing and its meter to the container. It needs its Config, *database.DB, clock.Clock and *slog.Logger.
var Module = fx.Module(
	"billing",
	fx.Provide(
		fx.Annotate(ledger.NewDesk, fx.As(new(billingapi.Purchases)), fx.As(new(billingapi.Preferences))),
		fx.Annotate(build, fx.ResultTags("", `group:"manifests"`)),
	),
)

// build makes the module's slices. The constructors only assign.
func build(c Config, db *database.DB, clk clock.Clock, log *slog.Logger) (charge.Meter, module.Manifest, error) {
	meter := ledger.NewMeter(db, clk, log, c.rules(), ledger.Hooks{})
	return meter, module.New("billing",
		module.Part{Models: account.Models()},
		meter.Part(),
		preference.NewService(db, clk).Part(),
		spendingcap.NewService(db, clk).Part(),
	), nil
}

// rules are what the settings say about charges. Nothing is collected without Stripe, and nobody is refused for a debt then.
func (c Config) rules() ledger.Rules {
	if !c.On() {
		return ledger.Rules{}
	}
	return ledger.Rules{CallersOnly: true, UnbackedMicros: new(int64(c.UnbackedLimitUSD) * 1e6)}
}
