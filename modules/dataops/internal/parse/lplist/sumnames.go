package lplist

import (
	"slices"
	"strings"
	"unicode"
)

var (
	totals = words("total totals subtotal subtotals grandtotal grandtotals ttl tot gesamt")
	// sumWords are words of names that a row with a sum of other rows may have: "Portfolio Total", "All Funds". So may a fund: "Total Return
	// Fund", "All Weather Fund".
	sumWords = words("sum all overall aggregate aggregated composite combined consolidated cumulative summary entire whole net gross everything")
	// classWords are words of the names of classes of funds, which no fund has alone.
	classWords = words(`private equity pe buyout buyouts lbo venture vc growth credit debt real estate realty infrastructure secondaries secondary mezzanine distressed
		alternatives alternative market markets investment investments fund funds commitment commitments partnership partnerships portfolio portfolios
		program programs programme asset assets class classes category strategy strategies plan plans list of the in and for as at since inception to date
		active inactive current liquidated grand sub`)
)

func words(list string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		set[w] = true
	}
	return set
}

// wordsOf are the words of a name without its numbers. "Venture capital" is one word: capital alone is a word of many funds' names.
func wordsOf(name string) []string {
	list := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return !unicode.IsLetter(r) })
	for i := 1; i < len(list); i++ {
		if list[i] == "capital" && list[i-1] == "venture" {
			list = slices.Delete(list, i, i+1)
		}
	}
	return list
}

func isSumWord(w string) bool { return totals[w] || sumWords[w] }

func hasSumWord(name string) bool { return slices.ContainsFunc(wordsOf(name), isSumWord) }

// isSum reports whether a name is that of a sum whatever its figures are: it begins as "Subtotal" or "Total of", ends in "Total", or says nothing
// but that it is a sum, and of what class: "All Private Equity Funds".
func isSum(name string) bool {
	list := wordsOf(name)
	if len(list) == 0 {
		return false
	}
	if len(list) > 1 && totals[list[1]] && (list[0] == "grand" || list[0] == "sub") {
		return true
	}
	switch first := list[0]; {
	case totals[first] && first != "total" && first != "totals", totals[list[len(list)-1]]:
		return true
	case totals[first] && (list[1] == "of" || list[1] == "for"):
		return true
	}
	return slices.ContainsFunc(list, isSumWord) && !slices.ContainsFunc(list, func(w string) bool { return !isSumWord(w) && !classWords[w] })
}

// isClass reports whether the name of a fund is that of a class of funds: "Buyout", "Private Equity Portfolio". With a number it may be a fund's, and
// with the word "fund" too.
func isClass(name string) bool {
	list := wordsOf(name)
	return len(list) > 0 && !strings.ContainsFunc(name, unicode.IsDigit) && !slices.ContainsFunc(list, func(w string) bool { return !classWords[w] || w == "fund" })
}

// isSumOfLPs is isSum of the name of an LP. "Total Larkspur Teachers" is a sum too if the list has the LP "Larkspur Teachers".
func isSumOfLPs(name string, lps map[string]bool) bool {
	of, ok := strings.CutPrefix(strings.ToLower(name), "total ")
	return isSum(name) || ok && lps[of]
}
