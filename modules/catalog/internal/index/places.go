package index

import (
	"gpatlas/modules/catalog/internal/index/column"
	"gpatlas/modules/catalog/internal/text"
	"gpatlas/modules/catalog/internal/vocab"
)

// unitedStates is the country that covers the states.
const unitedStates = "US"

// The kinds of key that a fund's place is filed under.
const (
	placeCode  = "c:" // alpha-2
	placeState = "s:" // stateKey
	placeName  = "n:" // normalized name of the country
)

// fundPlaces files each fund under the places under whose law it is organized: its country by code and by name, its
// state by code and name alike. A fund of a US state is one of the US, whether it names the country or not.
func fundPlaces(ix *fundIndex) column.Groups[string] {
	states, countries := uint64(len(ix.state.Words)), uint64(len(ix.country.Words))
	codes, first := column.Combined(ix.n, func(i uint32) uint64 { // few combinations represent all funds
		return (uint64(ix.code.Codes[i])*countries+uint64(ix.country.Codes[i]))*states + uint64(ix.state.Codes[i])
	})
	keys := make([][]string, len(first))
	for code, i := range first {
		keys[code] = placeKeys(ix.state.At(i), ix.country.At(i), ix.code.At(i))
	}
	return column.GroupCodes(codes, keys)
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
	if k := text.Normalize(country); k != "" {
		keys = append(keys, placeName+k)
	}
	return keys
}

// jurisdiction is the set of the funds organized in a place. Two letters are a country's code where there is such a
// country ("DE" is Germany), else a state's ("NY"); a name may be both (Georgia), and then means both.
func (ix *fundIndex) jurisdiction(place string) *column.Set {
	code, isCountry := vocab.CountryCode(place)
	if isCountry && len(place) == 2 {
		return ix.place.Get(placeCode + code)
	}
	parts := []*column.Set{ix.place.Get(placeState + stateKey(place)), ix.place.Get(placeName + text.Normalize(place))}
	if isCountry {
		parts = append(parts, ix.place.Get(placeCode+code))
	}
	return column.Union(ix.n, parts...)
}
