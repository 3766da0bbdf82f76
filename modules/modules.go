package modules

import (
	"cmp"
	"context"
	"slices"

	"go.uber.org/fx"

	"gpatlas/modules/accounts"
	"gpatlas/modules/analytics"
	"gpatlas/modules/billing"
	"gpatlas/modules/catalog"
	"gpatlas/modules/dataops"
	"gpatlas/modules/feed"
	"gpatlas/modules/keys"
	"gpatlas/modules/notifications"
	"gpatlas/modules/people"
	"gpatlas/platform/module"
)

// All is the one list of modules. One can be left out and the rest still starts.
var All = Of(
	accounts.Module,
	analytics.Module,
	billing.Module,
	catalog.Module,
	dataops.Module,
	feed.Module,
	keys.Module,
	notifications.Module,
	people.Module,
)

// Of provides some modules to the container. It has their offers as []module.Manifest, sorted by name.
func Of(list ...fx.Option) fx.Option {
	return fx.Options(
		fx.Provide(
			func() *module.Personal { return new(module.Personal) },
			fx.Annotate(gather, fx.ParamTags(`group:"manifests"`)),
		),
		fx.Options(list...),
	)
}

// gather sorts the manifests by name, because fx returns groups in random order. It fills personal from the manifests, and
// runs the modules' background work: Background where requests are answered, Workers where jobs run. Hosts ask for the manifests
// before they append their own hooks, so the background work starts before them and stops after them.
func gather(list []module.Manifest, personal *module.Personal, process module.Process, lifecycle fx.Lifecycle) []module.Manifest {
	list = slices.SortedFunc(slices.Values(list), func(a, b module.Manifest) int { return cmp.Compare(a.Name, b.Name) })
	personal.Fill(list)
	for _, m := range list {
		var all []module.Background
		if process.Web {
			all = append(all, m.Background...)
		}
		if process.Worker {
			all = append(all, m.Workers...)
		}
		for _, work := range all {
			lifecycle.Append(fx.Hook{
				OnStart: func(ctx context.Context) error { work.Start(ctx); return nil },
				OnStop:  work.Stop,
			})
		}
	}
	return list
}

// Settings are the modules' own.
type Settings struct {
	Accounts      accounts.Config  `envPrefix:"ACCOUNTS_"`
	Analytics     analytics.Config `envPrefix:"ANALYTICS_"`
	Billing       billing.Config   `envPrefix:"BILLING_"`
	Catalog       catalog.Config   `envPrefix:"CATALOG_"`
	DataOps       dataops.Config   `envPrefix:"DATAOPS_"`
	Feed          feed.Config
	Keys          keys.Config
	Notifications notifications.Config `envPrefix:"NOTIFICATIONS_"`
	People        people.Config        `envPrefix:"PEOPLE_"`
}

// Supply provides each module with its settings.
func (s Settings) Supply() fx.Option {
	return fx.Supply(s.Accounts, s.Analytics, s.Billing, s.Catalog, s.DataOps, s.Feed, s.Keys, s.Notifications, s.People)
}
