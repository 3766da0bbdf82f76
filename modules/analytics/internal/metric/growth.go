package metric

import (
	"math"
	"time"

	"gpatlas/modules/analytics/internal/change"
	"gpatlas/modules/catalog/catalogapi"
)

const (
	withdrawal = "ADV-W"
	// most is how far off a filing may be from the day that it is to speak for.
	most = 120 * 24 * time.Hour
)

// compared is the states that growth compares; nil where no filing is near enough.
type compared struct {
	latest, yearBefore, threeYearsBefore *catalogapi.AdviserState
}

// compare picks the states of a timeline, oldest first.
//
// Spec: not shown; a Form ADV-W says nothing of assets or employees, so it is compared neither as the latest nor as an
// earlier filing.
func compare(timeline []catalogapi.AdviserState) (c compared) {
	for i := range timeline {
		if timeline[i].Filing.FormType != withdrawal {
			c.latest = &timeline[i]
		}
	}
	if c.latest == nil {
		return c
	}
	c.yearBefore = nearest(timeline, c.latest.Filing.FiledOn.AddDate(-1, 0, 0))
	c.threeYearsBefore = nearest(timeline, c.latest.Filing.FiledOn.AddDate(-3, 0, 0))
	return c
}

// nearest is the state after the filing nearest to a day.
//
// Spec: not shown; of two filings as near the later counts, and of several on its day the last, for that is what stood when
// the day was over.
func nearest(timeline []catalogapi.AdviserState, day time.Time) (found *catalogapi.AdviserState) {
	least := most
	for i := range timeline {
		s := &timeline[i]
		if off := s.Filing.FiledOn.Sub(day).Abs(); off <= least && s.Filing.FormType != withdrawal {
			found, least = s, off
		}
	}
	return found
}

// number is one figure of a state.
type number func(s *catalogapi.AdviserState) *int64

// yearly is the growth against the year before.
//
// Spec: not shown; the total_aum of an adviser that was exempt and has registered is compared as it stands, though it was
// the sum of its funds' gross asset values then and is its regulatory assets now. The basis shows both registrations.
func (c compared) yearly(of number) *float64 {
	if c.yearBefore == nil {
		return nil
	}
	return change.Percent(of(c.yearBefore), of(c.latest))
}

// cagr is the compound annual growth since three years before.
//
// Spec: not shown; the exponent is one third, also where the filing is some days off three years: the field's name says
// three years, and the assets that advisers report are of the ends of fiscal years, which are whole years apart.
func (c compared) cagr(of number) *float64 {
	if c.threeYearsBefore == nil {
		return nil
	}
	before, latest := of(c.threeYearsBefore), of(c.latest)
	if before == nil || latest == nil || *before <= 0 || *latest < 0 {
		return nil
	}
	if *before == *latest {
		return new(float64)
	}
	return rounded((math.Cbrt(float64(*latest)/float64(*before)) - 1) * 100)
}

// rounded rounds to two decimals, halves away from zero.
func rounded(v float64) *float64 {
	v = math.Round(v*100) / 100
	if v == 0 {
		return new(float64) // a small loss would be -0
	}
	return &v
}
