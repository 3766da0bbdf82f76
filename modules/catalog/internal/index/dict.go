package index

import (
	"slices"

	"gpatlas/modules/catalog/internal/text"
	"gpatlas/modules/catalog/internal/vocab"
)

// dict is a column of few distinct strings: a code a row. Codes have 32 bits, for 16 overflowed on real columns.
type dict struct {
	words []string
	codes []uint32
}

func (d *dict) at(i uint32) string { return d.words[d.codes[i]] }

// auditors is the column of auditors' names: a list of dictionary codes a fund.
type auditors struct {
	names []string
	words [][]string // of each name, normalised
	codes []uint32
	ends  []int
}

func (a *auditors) at(i uint32) []uint32 {
	start := 0
	if i > 0 {
		start = a.ends[i-1]
	}
	return a.codes[start:a.ends[i]]
}

// match lists the auditors of whose name every word of query is, or begins, a word.
func (a *auditors) match(query string) []uint32 {
	terms := text.Words(query)
	if len(terms) == 0 {
		return nil
	}
	var hits []uint32
	for code, words := range a.words {
		if !slices.ContainsFunc(terms, func(t string) bool { return !begun(words, t) }) {
			hits = append(hits, uint32(code))
		}
	}
	return hits
}

func begun(words []string, term string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return len(w) >= len(term) && w[:len(term)] == term })
}

// unitedStates is the country that covers the states.
const unitedStates = "US"

// The kinds of key that a fund's place is filed under.
const (
	placeCode  = "c:" // alpha-2
	placeState = "s:" // stateKey
	placeName  = "n:" // normalised name of the country
)

// fundPlaces files each fund under the places under whose law it is organised: its country by code and by name, its
// state by code and name alike. A fund of a US state is one of the US, whether it names the country or not.
func fundPlaces(ix *fundIndex) groups[string] {
	keysOf := map[[3]uint32][]string{}
	return newGroups(ix.n, func(i uint32, yield func(string)) {
		combined := [3]uint32{ix.state.codes[i], ix.country.codes[i], ix.code.codes[i]}
		keys, ok := keysOf[combined]
		if !ok {
			keys = placeKeys(ix.state.at(i), ix.country.at(i), ix.code.at(i))
			keysOf[combined] = keys
		}
		for _, k := range keys {
			yield(k)
		}
	})
}

func placeKeys(state, country, code string) (keys []string) {
	code = countryCode(code)
	if k := stateKey(state); k != "" {
		keys = append(keys, placeState+k)
		if _, ok := vocab.StateCode(k); ok && code != unitedStates {
			keys = append(keys, placeCode+unitedStates)
		}
	}
	if code != "" {
		keys = append(keys, placeCode+code)
	}
	if k := text.Normalise(country); k != "" {
		keys = append(keys, placeName+k)
	}
	return keys
}

// jurisdiction is the set of the funds organised in a place. Two letters are a country's code where there is such a
// country ("DE" is Germany), else a state's ("NY"); a name may be both (Georgia), and then means both.
func (ix *fundIndex) jurisdiction(place string) *set {
	code, isCountry := vocab.CountryCode(place)
	if isCountry && len(place) == 2 {
		return ix.place.get(placeCode + code)
	}
	parts := []*set{ix.place.get(placeState + stateKey(place)), ix.place.get(placeName + text.Normalise(place))}
	if isCountry {
		parts = append(parts, ix.place.get(placeCode+code))
	}
	return union(ix.n, parts...)
}
