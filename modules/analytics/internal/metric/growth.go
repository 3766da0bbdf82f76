package metric

import (
	"gpatlas/modules/analytics/internal/ask"
	"gpatlas/modules/catalog/catalogapi"
)

// compared are the states that growth compares; nil if no filing is near enough.
type compared struct {
	latest, yearBefore, threeYearsBefore *catalogapi.AdviserState
}

// compare picks the states of a timeline, oldest first.
func compare(timeline []catalogapi.AdviserState) (c compared) {
	states := catalogapi.GrowthBasis(timeline)
	c.yearBefore, c.latest = catalogapi.YearsBefore(states, 1)
	c.threeYearsBefore, _ = catalogapi.YearsBefore(states, 3)
	return c
}

func employees(s *catalogapi.AdviserState) *int64 { return s.EmployeeCount }

// rate is a growth as responses show it.
type rate struct {
	percent          *float64
	reason, from, to *string
}

func newRate(g catalogapi.Growth) rate {
	r := rate{percent: g.Percent, reason: catalogapi.Text(g.Reason)}
	if g.Before != nil {
		r.from, r.to = new(ask.Day(g.Before.Filing.FiledOn)), new(ask.Day(g.Latest.Filing.FiledOn))
	}
	return r
}
