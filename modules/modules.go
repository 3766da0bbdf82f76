package modules

import (
	"cmp"
	"slices"

	"go.uber.org/fx"

	"gpatlas/modules/accounts"
	"gpatlas/modules/analytics"
	"gpatlas/modules/catalog"
	"gpatlas/modules/dataops"
	"gpatlas/modules/keys"
	"gpatlas/platform/module"
)

// All is the one list of modules. One can be left out and the rest still starts.
var All = fx.Options(
	accounts.Module,
	analytics.Module,
	catalog.Module,
	dataops.Module,
	keys.Module,
)

// Settings are the modules' own.
type Settings struct {
	Accounts  accounts.Config  `envPrefix:"ACCOUNTS_"`
	Analytics analytics.Config `envPrefix:"ANALYTICS_"`
	Catalog   catalog.Config   `envPrefix:"CATALOG_"`
	DataOps   dataops.Config   `envPrefix:"DATAOPS_"`
	Keys      keys.Config
}

// Supply hands each module its settings.
func (s Settings) Supply() fx.Option {
	return fx.Supply(s.Accounts, s.Analytics, s.Catalog, s.DataOps, s.Keys)
}

// Manifests is what the modules of All hand to the container.
type Manifests struct {
	fx.In

	List []module.Manifest `group:"manifests"`
}

// Sorted is the manifests by name: fx gives groups in random order.
func (m Manifests) Sorted() []module.Manifest {
	return slices.SortedFunc(slices.Values(m.List), func(a, b module.Manifest) int { return cmp.Compare(a.Name, b.Name) })
}
