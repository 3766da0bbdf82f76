package text

import (
	"maps"
	"slices"
)

// AllAlike is every word of the table.
func AllAlike() []string { return slices.Sorted(maps.Keys(alikeOf)) }
