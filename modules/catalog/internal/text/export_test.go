package text

import (
	"maps"
	"slices"
	"strings"
)

// AlikeTo lists the words that say the same as a normalized word, itself among them; nil when there is no other.
func AlikeTo(word string) []string { return alikeOf[word] }

// Terms are those of a query: see appendTerms.
func Terms(query string) []string {
	words, _ := cutWords(query)
	return appendTerms(nil, words)
}

// Key is what all ways to write a whole name have in common: "D. E. Shaw & Co., L.P." and "de shaw and company lp" have
// the same. It is empty for a text without a letter or digit.
func Key(name string) string {
	words, _ := cutWords(name)
	return string(appendKey(nil, words))
}

// NameWords are the words by which a name is found: its own, and those that other ways to write it would have.
func NameWords(name string) []NameWord {
	words, joined := cutWords(name)
	return appendMade(nil, words, joined)
}

// cutWords cuts a name or a query into its words. joined says of each whether it and the next are also written as one.
func cutWords(s string) (words []string, joined []bool) {
	for rest := string(appendReadable(nil, s)); rest != ""; {
		word, tail, also := cutWord(rest)
		words, joined, rest = append(words, word), append(joined, also), tail
	}
	return words, joined
}

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
