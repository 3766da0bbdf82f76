package text

import (
	"maps"
	"slices"
	"strings"
)

// BesideForms are the words that are part of a form behind them.
func BesideForms() []string { return slices.Sorted(maps.Keys(besideForm)) }

// SpelledForms are the legal forms in words that have letters, and these.
func SpelledForms() map[string]string {
	all := map[string]string{}
	for _, f := range spelledForms {
		if f.is != "" {
			all[strings.Join(f.words, " ")] = f.is
		}
	}
	return all
}

// AllAlike is every word of the table.
func AllAlike() []string { return slices.Sorted(maps.Keys(alikeOf)) }

// FullNames is the records that have a name with the query's Key, ascending.
func (ix *Index) FullNames(query string) []uint32 {
	key := Key(query)
	if key == "" {
		return nil
	}
	return ix.fullNames(nil, []byte(key))
}
