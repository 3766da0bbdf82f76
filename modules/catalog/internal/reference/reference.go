package reference

import "time"

// CatalogStats is the totals over the catalog.
type CatalogStats struct {
	TotalAdvisers     int `json:"total_advisers" doc:"Managers that are current: not withdrawn, and not gone from the lists." example:"21838"`
	TotalFunds        int `json:"total_funds" doc:"Funds that are not closed." example:"103400"`
	TotalCanonicalGPs int `json:"total_canonical_gps" doc:"Organizations. Advisers of one organization count once." example:"20950"`
	AdvisersWithFunds int `json:"advisers_with_funds" doc:"Advisers known to have a fund." example:"12870"`
	UniqueStrategies  int `json:"unique_strategies" doc:"Different primary strategies of the managers." example:"12"`
	UniqueStates      int `json:"unique_states" doc:"US states and territories." example:"54"`
}

// StatsMeta is when the totals were counted.
type StatsMeta struct {
	Timestamp time.Time `json:"timestamp" doc:"Time of the count, which is the newest change of the catalog." example:"2026-04-02T06:01:00.000000Z"`
}

// StrategyCount counts the advisers of a primary strategy.
type StrategyCount struct {
	Strategy string `json:"strategy" doc:"The strategy, as the filter strategy accepts it." example:"buyout"`
	Count    int    `json:"count" doc:"Advisers." example:"3120"`
}

// Locations counts the advisers by the location of their main office.
type Locations struct {
	States    []StateCount   `json:"states" doc:"US states, most advisers first."`
	Countries []CountryCount `json:"countries" doc:"Countries, most advisers first."`
}

// StateCount counts the advisers of a US state.
type StateCount struct {
	State string `json:"state" doc:"The state, as the filter state accepts it." example:"NY"`
	Count int    `json:"count" doc:"Managers whose main office is there." example:"4210"`
}

// CountryCount counts the advisers of a country.
type CountryCount struct {
	Country string  `json:"country" doc:"Name of the country, as the filter country accepts it." example:"United States"`
	Code    *string `json:"country_code" doc:"ISO 3166 alpha-2." example:"US"`
	Count   int     `json:"count" doc:"Managers whose main office is there." example:"19600"`
}
