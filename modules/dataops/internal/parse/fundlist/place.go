package fundlist

import (
	"strings"

	"gpatlas/modules/catalog/catalogapi"
)

// unitedStates is the country as Schedule D prints it.
const unitedStates = "United States"

// place splits the list's single column of jurisdictions into state and country, as Schedule D has them: "Delaware" is a
// state of the United States, "Cayman Islands" a country.
//
// Spec: not shown; "Georgia" could be either. It counts as the state, where many more funds are organized.
func place(jurisdiction string) (state, country string) {
	if states[strings.ToLower(jurisdiction)] {
		return jurisdiction, unitedStates
	}
	return "", jurisdiction
}

// states are the names of the states and territories, lower case.
var states = func() map[string]bool {
	set := make(map[string]bool, len(catalogapi.USStates))
	for _, name := range catalogapi.USStates {
		set[strings.ToLower(name)] = true
	}
	return set
}()
