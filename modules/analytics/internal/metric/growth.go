package metric

import (
	"math"
	"slices"
	"time"

	"gpatlas/modules/analytics/internal/ask"
	"gpatlas/modules/analytics/internal/change"
	"gpatlas/modules/catalog/catalogapi"
)

const (
	withdrawal = "ADV-W"
	material   = "material"
	exempt     = "exempt_reporting"
	// most is the maximum distance of a filing from the day that it represents.
	most = 120 * 24 * time.Hour
	// yearDays is the year of a rate: Actual/365, as in XIRR.
	yearDays = 365
)

// The reasons why a growth is null.
const (
	noFiling            = "no_filing"
	registrationChanged = "registration_changed"
	basisChanged        = "basis_changed"
	unknownValue        = "unknown_value"
	notPositive         = "not_positive"
)

// compared are the states that growth compares; nil if no filing is near enough.
type compared struct {
	latest, yearBefore, threeYearsBefore *catalogapi.AdviserState
}

// compare picks the states of a timeline, oldest first.
func compare(timeline []catalogapi.AdviserState) (c compared) {
	states := statements(timeline)
	if len(states) == 0 {
		return c
	}
	c.latest = &states[len(states)-1]
	c.yearBefore = nearest(states, c.latest.Filing.FiledOn.AddDate(-1, 0, 0))
	c.threeYearsBefore = nearest(states, c.latest.Filing.FiledOn.AddDate(-3, 0, 0))
	return c
}

// statements are the states at the ends of the days on which filings restate the figures.
//
// Spec: not shown; a Form ADV-W has no assets or employees. Amendments other than the annual one need not update them (General
// Instruction 4 of Form ADV): one that repeats both figures would date them months too late, and is not compared.
func statements(timeline []catalogapi.AdviserState) (states []catalogapi.AdviserState) {
	filings := slices.DeleteFunc(change.Filings(timeline), func(s catalogapi.AdviserState) bool { return s.Filing.FormType == withdrawal })
	states = make([]catalogapi.AdviserState, 0, len(filings))
	for i := 0; i < len(filings); {
		last, amends := i, true
		for ; last < len(filings) && filings[last].Filing.FiledOn.Equal(filings[i].Filing.FiledOn); last++ {
			f := &filings[last].Filing
			amends = amends && f.Source == catalogapi.SourceADVArchive && f.AmendmentType == material
		}
		if s := filings[last-1]; len(states) == 0 || !amends || !repeats(&s, &states[len(states)-1]) {
			states = append(states, s)
		}
		i = last
	}
	return states
}

func repeats(s, before *catalogapi.AdviserState) bool {
	return s.Registration == before.Registration && same(s.TotalAUM, before.TotalAUM) && same(s.EmployeeCount, before.EmployeeCount)
}

func same(a, b *int64) bool { return a == nil && b == nil || a != nil && b != nil && *a == *b }

// nearest is the state after the filing nearest to a day.
//
// Spec: not shown; of two equally near filings the later counts, and of several on its day the last, because it is the state at
// the end of the day.
func nearest(states []catalogapi.AdviserState, day time.Time) (found *catalogapi.AdviserState) {
	least := most
	for i := range states {
		if off := states[i].Filing.FiledOn.Sub(day).Abs(); off <= least {
			found, least = &states[i], off
		}
	}
	return found
}

// number is one figure of a state.
type number func(s *catalogapi.AdviserState) *int64

func assets(s *catalogapi.AdviserState) *int64    { return s.TotalAUM }
func employees(s *catalogapi.AdviserState) *int64 { return s.EmployeeCount }

// rate is an annual growth: its percent, or why there is none, and the days of the filings compared.
type rate struct {
	percent          *float64
	reason, from, to *string
}

// rateOf is the growth of a figure between the states after two filings, annualized by the days between them.
func rateOf(before, latest *catalogapi.AdviserState, of number) (r rate) {
	if before == nil || latest == nil {
		r.reason = new(noFiling)
		return r
	}
	r.from, r.to = new(ask.Day(before.Filing.FiledOn)), new(ask.Day(latest.Filing.FiledOn))
	b, l := of(before), of(latest)
	switch {
	case b == nil || l == nil:
		r.reason = new(unknownValue)
	case *b <= 0 || *l < 0:
		r.reason = new(notPositive)
	case *b == *l:
		r.percent = new(float64)
	default:
		days := latest.Filing.FiledOn.Sub(before.Filing.FiledOn).Hours() / hoursOfDay
		r.percent = rounded((math.Pow(float64(*l)/float64(*b), yearDays/days) - 1) * 100)
	}
	return r
}

// assetsRate is rateOf the assets. There is no growth if their definition differs between the two filings.
//
// Spec: not shown; exempt reporting advisers file no regulatory assets, so theirs are the gross assets of their funds. Only the
// two filings count: a registration in between that has ended again is ignored.
func assetsRate(before, latest *catalogapi.AdviserState) rate {
	r := rateOf(before, latest, assets)
	if before == nil || latest == nil {
		return r
	}
	a, b := before.Registration, latest.Registration
	switch {
	case (a == exempt) == (b == exempt):
		return r
	case a == "" || b == "":
		r.reason = new(basisChanged)
	default:
		r.reason = new(registrationChanged)
	}
	r.percent = nil
	return r
}

// rounded rounds to two decimals, halves away from zero.
func rounded(v float64) *float64 {
	v = math.Round(v*100) / 100
	if v == 0 {
		return new(float64) // a small loss would be -0
	}
	return &v
}
