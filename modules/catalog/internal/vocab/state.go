package vocab

import (
	"maps"
	"slices"
	"strings"
)

// The fifty states, the District of Columbia and the territories, by their postal codes.
var stateNames = map[string]string{
	"AL": "Alabama", "AK": "Alaska", "AZ": "Arizona", "AR": "Arkansas", "CA": "California", "CO": "Colorado",
	"CT": "Connecticut", "DE": "Delaware", "DC": "District of Columbia", "FL": "Florida", "GA": "Georgia",
	"HI": "Hawaii", "ID": "Idaho", "IL": "Illinois", "IN": "Indiana", "IA": "Iowa", "KS": "Kansas", "KY": "Kentucky",
	"LA": "Louisiana", "ME": "Maine", "MD": "Maryland", "MA": "Massachusetts", "MI": "Michigan", "MN": "Minnesota",
	"MS": "Mississippi", "MO": "Missouri", "MT": "Montana", "NE": "Nebraska", "NV": "Nevada", "NH": "New Hampshire",
	"NJ": "New Jersey", "NM": "New Mexico", "NY": "New York", "NC": "North Carolina", "ND": "North Dakota",
	"OH": "Ohio", "OK": "Oklahoma", "OR": "Oregon", "PA": "Pennsylvania", "RI": "Rhode Island",
	"SC": "South Carolina", "SD": "South Dakota", "TN": "Tennessee", "TX": "Texas", "UT": "Utah", "VT": "Vermont",
	"VA": "Virginia", "WA": "Washington", "WV": "West Virginia", "WI": "Wisconsin", "WY": "Wyoming",
	"AS": "American Samoa", "GU": "Guam", "MP": "Northern Mariana Islands", "PR": "Puerto Rico", "VI": "Virgin Islands",
}

var stateCodes = invert(stateNames)

func invert(names map[string]string) map[string]string {
	codes := make(map[string]string, len(names))
	for code, name := range names {
		codes[key(name)] = code
	}
	codes[key("Washington DC")] = "DC"
	codes[key("US Virgin Islands")] = "VI"
	codes[key("Virgin Islands, U.S.")] = "VI"
	return codes
}

// StateCode returns the postal code of a US state or territory, named by its code or its name in any letter case.
func StateCode(s string) (string, bool) {
	if code := strings.ToUpper(strings.TrimSpace(s)); stateNames[code] != "" {
		return code, true
	}
	code, ok := stateCodes[key(s)]
	return code, ok
}

// StateName returns the name of a US state or territory by its code or its name in any letter case.
func StateName(s string) (string, bool) {
	code, ok := StateCode(s)
	return stateNames[code], ok
}

// StateNames lists every name, in alphabetical order.
func StateNames() []string { return slices.Sorted(maps.Values(stateNames)) }

// StateCodes lists every code, in no particular order.
func StateCodes() []string {
	codes := make([]string, 0, len(stateNames))
	for code := range stateNames {
		codes = append(codes, code)
	}
	return codes
}
