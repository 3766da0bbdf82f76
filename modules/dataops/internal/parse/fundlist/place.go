package fundlist

import "strings"

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

// states are the states and the federal district, lower case.
var states = func() map[string]bool {
	set := make(map[string]bool)
	for name := range strings.SplitSeq("Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|"+
		"District of Columbia|Florida|Georgia|Hawaii|Idaho|Illinois|Indiana|Iowa|Kansas|Kentucky|Louisiana|Maine|Maryland|"+
		"Massachusetts|Michigan|Minnesota|Mississippi|Missouri|Montana|Nebraska|Nevada|New Hampshire|New Jersey|New Mexico|"+
		"New York|North Carolina|North Dakota|Ohio|Oklahoma|Oregon|Pennsylvania|Rhode Island|South Carolina|South Dakota|"+
		"Tennessee|Texas|Utah|Vermont|Virginia|Washington|West Virginia|Wisconsin|Wyoming", "|") {
		set[strings.ToLower(name)] = true
	}
	return set
}()
