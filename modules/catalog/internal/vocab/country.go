package vocab

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// UnitedStates is the country's name as filings spell it.
const UnitedStates = "United States"

type country struct{ code, name string }

type countryIndex struct {
	list   []country
	byCode map[string]string
	byKey  map[string]string
	exact  map[string]string // by the names as the table spells them: most filings spell them so
}

var countries = sync.OnceValue(func() countryIndex {
	ix := countryIndex{byCode: map[string]string{}, byKey: map[string]string{}, exact: map[string]string{}}
	for line := range strings.Lines(countryTable) {
		parts := strings.Split(strings.TrimSpace(line), "|")
		if len(parts) < 2 {
			continue
		}
		code := parts[0]
		ix.list = append(ix.list, country{code, parts[1]})
		ix.byCode[code] = parts[1]
		for _, name := range parts[1:] {
			ix.byKey[key(name)], ix.exact[name] = code, ""
		}
	}
	for name := range ix.exact {
		ix.exact[name], _ = ix.find(name)
	}
	return ix
})

// CountryCode returns the ISO 3166 alpha-2 code of a country named by its code (UK and GB mean the same) or by one of the names
// under which filings and people write it ("Korea, South", "The Bahamas"), in any letter case.
func CountryCode(s string) (string, bool) {
	ix := countries()
	if code, ok := ix.exact[s]; ok {
		return code, true
	}
	return ix.find(s)
}

func (ix *countryIndex) find(s string) (string, bool) {
	code := strings.ToUpper(strings.TrimSpace(s))
	if code == "UK" {
		code = "GB"
	}
	if _, ok := ix.byCode[code]; ok {
		return code, true
	}
	code, ok := ix.byKey[key(s)]
	return code, ok
}

// CountryName returns the name of a country, as filings mostly spell it, by its code or any of its names.
func CountryName(s string) (string, bool) {
	code, ok := CountryCode(s)
	return countries().byCode[code], ok
}

// CountryNames lists every spelling that CountryCode knows beside the codes, with its code: for tables that must
// resolve many rows at once.
func CountryNames() map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(countryTable) {
		parts := strings.Split(strings.TrimSpace(line), "|")
		for _, name := range parts[min(1, len(parts)):] {
			out[name] = parts[0]
		}
	}
	return out
}

// SortedCountryNames lists the spellings of CountryNames in alphabetical order.
var SortedCountryNames = sync.OnceValue(func() []string { return slices.Sorted(maps.Keys(CountryNames())) })

// key folds a place's name to what two spellings of it have in common: letters without case and marks, the words in
// alphabetical order, articles and little words left out. "Bahamas, The" and "the Bahamas" have one key, so have
// "Korea, South" and "South Korea".
func key(name string) string {
	var b strings.Builder
	for _, r := range norm.NFKD.String(name) {
		switch {
		case unicode.Is(unicode.Mn, r), r == '.', r == '\'', r == '’':
		case unicode.IsLetter(r), unicode.IsDigit(r):
			b.WriteRune(unicode.ToLower(r))
		default:
			b.WriteByte(' ')
		}
	}
	words := slices.DeleteFunc(strings.Fields(b.String()), func(w string) bool {
		return w == "the" || w == "of" || w == "and"
	})
	slices.Sort(words)
	return strings.Join(words, " ")
}
