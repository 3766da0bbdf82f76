package vocab

import (
	"maps"
	"slices"
	"strings"

	"gpatlas/modules/catalog/catalogapi"
)

var stateCodes = invert(catalogapi.USStates)

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
	if code := strings.ToUpper(strings.TrimSpace(s)); catalogapi.USStates[code] != "" {
		return code, true
	}
	code, ok := stateCodes[key(s)]
	return code, ok
}

// StateName returns the name of a US state or territory by its code or its name in any letter case.
func StateName(s string) (string, bool) {
	code, ok := StateCode(s)
	return catalogapi.USStates[code], ok
}

// StateNames lists every name, in alphabetical order.
func StateNames() []string { return slices.Sorted(maps.Values(catalogapi.USStates)) }
