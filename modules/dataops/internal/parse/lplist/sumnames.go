package lplist

import (
	"regexp"
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
		active inactive current liquidated grand sub
		hedge natural resource resources energy oil gas timber timberland agriculture farmland commodity commodities special situations direct lending coinvestment coinvestments co`)
	// manyClassWords are words of the names of classes that are too common in names of funds to make a sum of a name with a word such as "total".
	manyClassWords = words(`absolute return returns value add added core plus opportunistic opportunity opportunities non senior subordinated structured corporate finance turnaround
		restructuring early late later stage seed multi sector balanced diversified diversifying strategic tactical global emerging developed international domestic us u s usa uk
		north latin america american europe european asia asian pacific rest world large mega mid middle lower small micro cap equities fixed income cash public listed
		unlisted inflation protection risk parity long short event driven macro relative healthcare health care technology tech consumer industrial industrials
		media telecom power renewable renewables transportation residential commercial office retail multifamily hospitality land mortgage mortgages royalty
		royalties insurance linked life other others misc miscellaneous unclassified uncategorized legacy mature run off closed open end ended new existing
		directs primary primaries terminated average averages mean median weighted separate account accounts separately managed expansion impact esg sustainable`)
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

// isClass reports whether the name of a fund is that of a class of funds: "Buyout", "Value-Add", "Private Equity Portfolio". With a number it may be a
// fund's, with the word "fund" too, and in a row with a manager or a vintage. "Vintage 2015" and "N/A" are no fund's either.
func isClass(name, manager, vintage string) bool {
	if vintageYear.MatchString(name) || noManager[strings.ToLower(name)] {
		return true
	}
	list := wordsOf(strings.ReplaceAll(strings.ReplaceAll(strings.ToLower(name), "-", " "), "fund of funds", "funds"))
	return len(list) > 0 && noManager[strings.ToLower(manager)] && vintage == "" && !strings.ContainsFunc(name, unicode.IsDigit) &&
		!slices.ContainsFunc(list, func(w string) bool { return w == "fund" || !classWords[w] && !manyClassWords[w] })
}

var vintageYear = regexp.MustCompile(`(?i)^\W*(?:vintage|year|vintage year|vy)?\W*(?:19|20)\d\d\W*(?:vintage|funds|vintage funds)?\W*$`)

// noManager is what stands in the column of managers of a row without one.
var noManager = map[string]bool{"": true, "-": true, "--": true, "n/a": true, "na": true, "none": true, "various": true, "multiple": true, "total": true}

// isSumOfLPs is isSum of the name of an LP. "Total Larkspur Teachers" is a sum too if the list has the LP "Larkspur Teachers".
func isSumOfLPs(name string, lps map[string]bool) bool {
	of, ok := strings.CutPrefix(strings.ToLower(name), "total ")
	return isSum(name) || ok && lps[of]
}
