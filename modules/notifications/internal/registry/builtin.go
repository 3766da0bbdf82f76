package registry

import (
	"maps"
	"slices"
	"sync"

	"gpatlas/modules/notifications/internal/kind"
)

// words are the registry's texts about a built-in kind besides its defaults.
type words struct{ name, description string }

var described = map[string]words{
	kind.TrialEnding:     {"Trial ending", "Says that a free trial ends in three days, and where the plans are."},
	kind.TrialEnded:      {"Trial ended", "Says that a free trial has ended and that the account is on the free plan."},
	kind.Digest:          {"Activity digest", "New filings and funds of the GPs on the watchlist, daily or weekly."},
	kind.Market:          {"Market intelligence", "New registrations, largest changes, launches and closings of the week. For accounts with plan enterprise."},
	kind.Test:            {"Test email", "What people send to themselves to see whether emails arrive."},
	kind.WebhookDisabled: {"Webhook disabled", "Says that a webhook endpoint is no longer called because its requests failed."},
	kind.SearchAlert:     {"Search alert", "GPs that saved searches find now, or find no more, and those that have changed."},
	kind.UnknownPrice:    {"Unknown price", "Says to administrators that a subscription has a price that BILLING_PRICES does not name."},
}

// builtIns are the kinds that the program sends, with their defaults, by ID.
var builtIns = sync.OnceValue(func() map[string]settings {
	all := map[string]settings{}
	for _, k := range kind.BuiltIn() {
		w := described[k.ID]
		all[k.ID] = settings{ID: k.ID, Name: w.name, Description: w.description, Category: k.Category, Enabled: k.Enabled, MaxPerDay: k.MaxPerDay}
	}
	return all
})

// perDay is the default limit of mails of a kind to an account in a day.
func perDay(category string) int {
	if category == kind.ActivityDigest || category == kind.MarketIntel {
		return 1
	}
	return 5
}

// merge joins the built-in kinds and the stored ones, by ID.
func merge(rows []row) []Notification {
	all := map[string]Notification{}
	for id, s := range builtIns() {
		all[id] = s.untouched()
	}
	for _, r := range rows {
		all[r.ID] = r.notification()
	}
	list := make([]Notification, 0, len(all))
	for _, id := range slices.Sorted(maps.Keys(all)) {
		list = append(list, all[id])
	}
	return list
}

// untouched is a built-in kind that was never changed.
func (s settings) untouched() Notification {
	return Notification{
		ID: s.ID, Name: s.Name, Description: s.Description, Category: s.Category, Enabled: s.Enabled, MaxPerDay: s.MaxPerDay, BuiltIn: true,
	}
}
