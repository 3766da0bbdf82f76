package derive

import (
	"strings"

	"gpatlas/modules/catalog/internal/text"
)

// parallelWord marks a vehicle by itself; vehicleWords do beside a fund of the same name without them. Words that are also
// a strategy ("domestic", "tax-exempt") are not among them.
const parallelWord = "parallel"

var vehicleWords = text.SetOf(`parallel offshore onshore cayman luxembourg lux delaware eea erisa qp te`)

// Parallels returns for each of one adviser's funds, by their names, whether it is a parallel vehicle: it has the word
// "parallel", or it is another fund's name with words of a vehicle, or one letter from A to H at the end ("Fund III-A" beside
// "Fund III"). Case, punctuation and legal forms do not count.
//
// Spec: not shown; Form ADV marks feeders, but not parallel vehicles. Where the fund without a mark is not among the adviser's,
// all count: of "Fund III-A" and "Fund III-B" alone it cannot be known which is the main one.
func Parallels(names []string) []bool {
	whole, stems := make([]string, len(names)), make([]string, len(names))
	mains := map[string]bool{}
	for i, name := range names {
		whole[i], stems[i] = familyOf(name)
		mains[whole[i]] = true
	}
	out := make([]bool, len(names))
	for i := range names {
		marked := stems[i] != whole[i] && stems[i] != ""
		out[i] = marked && (mains[stems[i]] || strings.Contains(" "+whole[i]+" ", " "+parallelWord+" "))
	}
	return out
}

// familyOf is a name without its legal form, and that without marks of a vehicle.
func familyOf(name string) (whole, stem string) {
	rest, _ := cutForm(text.Normalize(name))
	words := strings.Fields(rest)
	kept := make([]string, 0, len(words))
	for _, w := range words {
		if !vehicleWords[w] {
			kept = append(kept, w)
		}
	}
	if n := len(kept) - 1; n > 0 && len(kept[n]) == 1 && kept[n] >= "a" && kept[n] <= "h" {
		kept = kept[:n]
	}
	return rest, strings.Join(kept, " ")
}
