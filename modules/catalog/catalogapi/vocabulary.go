package catalogapi

import (
	"fmt"
	"slices"
	"strings"
)

// Vocabulary reads the words that filters are written in, as the searches read them.
type Vocabulary struct {
	// Strategies expands a strategy or an alias, in any letter case, into the strategies that it means ("PE" is three);
	// false when it is neither.
	Strategies func(word string) ([]string, bool)
	// StrategyNames lists every strategy, StrategyAliases the documented aliases.
	StrategyNames, StrategyAliases func() []string
	// Country returns the ISO 3166 alpha-2 code of a country named by its code (UK and GB mean the same) or by one of its names.
	Country func(word string) (code string, ok bool)
}

// Strategies expands a comma-separated list of strategies and aliases into strategies, each once. fault is what is wrong with
// the list, in words for the caller; suggest names a known word that resembles the one that was sent (httpapi.DidYouMean).
func Strategies(words Vocabulary, list string, suggest func(sent string, known []string) string) (all []string, fault string) {
	for part := range strings.SplitSeq(list, ",") {
		some, ok := words.Strategies(part)
		if !ok {
			part = short(strings.TrimSpace(part))
			return nil, fmt.Sprintf("%q is not a strategy; the strategies are %s, and the aliases %s%s", part,
				strings.Join(words.StrategyNames(), ", "), strings.Join(words.StrategyAliases(), ", "),
				suggest(part, words.StrategyNames()))
		}
		for _, s := range some {
			if !slices.Contains(all, s) {
				all = append(all, s)
			}
		}
	}
	return all, ""
}

// short shortens a caller's text for a message.
func short(s string) string {
	const most = 40
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
