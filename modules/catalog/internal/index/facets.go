package index

import (
	"cmp"
	"slices"
	"strings"
)

// Stats counts the whole catalog.
type Stats struct {
	TotalAdvisers     int
	TotalFunds        int // not closed
	TotalCanonicalGPs int
	AdvisersWithFunds int // known to have at least one
	UniqueStrategies  int // primary strategies of advisers
	UniqueStates      int // states of US advisers
}

// ValueCount is how many advisers have a value.
type ValueCount struct {
	Value string
	Count int
}

// CountryCount is how many advisers have their main office in a country.
type CountryCount struct {
	Country string // its name, else as filed
	Code    string // alpha-2; empty where none is known
	Count   int
}

// facets are the reference counts, computed once a snapshot. Each list starts with the highest count.
type facets struct {
	stats      Stats
	strategies []ValueCount
	states     []ValueCount
	countries  []CountryCount
}

func newFacets(gps *gpIndex, funds *fundIndex) facets {
	var f facets
	strategies, states, countries := map[string]int{}, map[string]int{}, map[CountryCount]int{}
	canonical := map[int64]struct{}{}
	for i := range gps.all {
		g := &gps.all[i]
		canonical[g.CanonicalID] = struct{}{}
		strategies[g.PrimaryStrategy]++
		at := placeOf(g)
		if at.code == unitedStates {
			states[at.state]++
		}
		countries[CountryCount{Country: at.country, Code: at.code}]++
	}
	f.strategies, f.states = ranked(strategies), ranked(states)
	for c, n := range countries {
		if c.Country != "" || c.Code != "" {
			c.Count = n
			f.countries = append(f.countries, c)
		}
	}
	slices.SortFunc(f.countries, func(a, b CountryCount) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(a.Country, b.Country), strings.Compare(a.Code, b.Code))
	})
	f.stats = Stats{
		TotalAdvisers: len(gps.all), TotalFunds: funds.open.Len(), TotalCanonicalGPs: len(canonical),
		AdvisersWithFunds: gps.answers[GPHasFunds][Yes].Len(), UniqueStrategies: len(f.strategies), UniqueStates: len(f.states),
	}
	return f
}

// ranked lists the counts of known values, highest first, then by value.
func ranked(counts map[string]int) []ValueCount {
	var list []ValueCount
	for v, n := range counts {
		if v != "" {
			list = append(list, ValueCount{Value: v, Count: n})
		}
	}
	slices.SortFunc(list, func(a, b ValueCount) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(a.Value, b.Value))
	})
	return list
}

// Stats counts the whole catalog.
func (s *Snapshot) Stats() Stats { return s.facets.stats }

// Strategies counts the advisers of each primary strategy: as many as a search by that strategy finds.
// The list is the snapshot's own, as those of Locations are.
func (s *Snapshot) Strategies() []ValueCount { return s.facets.strategies }

// Locations counts the advisers of each state of the US, and of each country.
func (s *Snapshot) Locations() (states []ValueCount, countries []CountryCount) {
	return s.facets.states, s.facets.countries
}
