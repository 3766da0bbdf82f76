package catalogapi

import (
	"math"
	"slices"
	"time"
)

const (
	withdrawal = "ADV-W"
	material   = "material"
	exempt     = string(ExemptReporting)
	// most is the maximum distance of a filing from the day that it represents.
	most = 120 * 24 * time.Hour
	// yearDays is the year of a rate: Actual/365, as in XIRR.
	yearDays   = 365
	hoursOfDay = 24
)

// The reasons why a growth is null.
const (
	NoFiling            = "no_filing"
	RegistrationChanged = "registration_changed"
	BasisChanged        = "basis_changed"
	UnknownValue        = "unknown_value"
	NotPositive         = "not_positive"
)

// GrowthReasons are these reasons.
var GrowthReasons = []string{NoFiling, RegistrationChanged, BasisChanged, UnknownValue, NotPositive}

// GrowthYears are the horizons over which the growth of all managers is kept.
var GrowthYears = [...]int{1, 2, 3, 5}

// GrowthReasonBits is how many bits of the kept reasons belong to each horizon.
const GrowthReasonBits = 3

// GrowthReason is the reason why there is no growth over the horizon of a place in GrowthYears; empty if there is one, or if it was not
// derived yet.
func GrowthReason(kept int64, horizon int) string {
	n := kept >> (horizon * GrowthReasonBits) & (1<<GrowthReasonBits - 1)
	if n == 0 || int(n) > len(GrowthReasons) {
		return ""
	}
	return GrowthReasons[n-1]
}

// GrowthBasis is the states at the ends of the days on which filings restate the figures, of a timeline that is oldest first.
//
// Spec: not shown; a Form ADV-W has no assets or employees. Amendments other than the annual one need not update them (General
// Instruction 4 of Form ADV): one that repeats both figures would date them months too late, and is not compared.
func GrowthBasis(timeline []AdviserState) (states []AdviserState) {
	filings := slices.DeleteFunc(Steps(timeline), func(s AdviserState) bool { return s.Filing.FormType == withdrawal })
	states = make([]AdviserState, 0, len(filings))
	for i := 0; i < len(filings); {
		last, amends := i, true
		for ; last < len(filings) && filings[last].Filing.FiledOn.Equal(filings[i].Filing.FiledOn); last++ {
			f := &filings[last].Filing
			amends = amends && f.Source == SourceADVArchive && f.AmendmentType == material
		}
		if s := filings[last-1]; len(states) == 0 || !amends || !repeats(&s, &states[len(states)-1]) {
			states = append(states, s)
		}
		i = last
	}
	return states
}

func repeats(s, before *AdviserState) bool {
	return s.Registration == before.Registration && same(s.TotalAUM, before.TotalAUM) && same(s.EmployeeCount, before.EmployeeCount)
}

func same(a, b *int64) bool { return a == nil && b == nil || a != nil && b != nil && *a == *b }

// YearsBefore is the last of the states, and the one nearest to some years before it; nil if no filing is near enough.
//
// Spec: not shown; of two equally near filings the later counts, and of several on its day the last, because it is the state at
// the end of the day.
func YearsBefore(states []AdviserState, years int) (before, latest *AdviserState) {
	if len(states) == 0 {
		return nil, nil
	}
	latest = &states[len(states)-1]
	day, least := latest.Filing.FiledOn.AddDate(-years, 0, 0), most
	for i := range states {
		if off := states[i].Filing.FiledOn.Sub(day).Abs(); off <= least {
			before, least = &states[i], off
		}
	}
	return before, latest
}

// Growth is an annual growth: its percent, or why there is none. Before and Latest are the states compared, nil if no filing is near enough.
type Growth struct {
	Percent        *float64
	Reason         string
	Before, Latest *AdviserState
}

// GrowthOf is the growth of a figure between the states after two filings, annualized by the days between them.
func GrowthOf(before, latest *AdviserState, of func(s *AdviserState) *int64) Growth {
	if before == nil || latest == nil {
		return Growth{Reason: NoFiling}
	}
	g := Growth{Before: before, Latest: latest}
	b, l := of(before), of(latest)
	switch {
	case b == nil || l == nil:
		g.Reason = UnknownValue
	case *b <= 0 || *l < 0:
		g.Reason = NotPositive
	case *b == *l:
		g.Percent = new(float64)
	default:
		days := latest.Filing.FiledOn.Sub(before.Filing.FiledOn).Hours() / hoursOfDay
		g.Percent = Rounded((math.Pow(float64(*l)/float64(*b), yearDays/days) - 1) * 100)
	}
	return g
}

// AssetsGrowth is GrowthOf the assets. There is none if their definition differs between the two filings.
//
// Spec: not shown; only the two filings count: a registration in between that has ended again is ignored.
func AssetsGrowth(before, latest *AdviserState) Growth {
	g := GrowthOf(before, latest, func(s *AdviserState) *int64 { return s.TotalAUM })
	if g.Before == nil {
		return g
	}
	if reason := AssetsDiffer(before, latest); reason != "" {
		g.Percent, g.Reason = nil, reason
	}
	return g
}

// AssetsDiffer is why the assets of two states have different definitions; empty if they have not.
//
// Two statements repeat the rule in their own WHERE, because they compare other pairs of filings: marketintel/changes.sql the newest before and
// after an arrival, quality/sql/aum_jumps.sql two that follow one another. No view has both pairs. TestNoChangeOfRegistration and
// TestQualityFindsPlantedFaults give them the filings of exempt advisers.
//
// Spec: not shown; exempt reporting advisers file no regulatory assets, so theirs are the gross assets of their funds.
func AssetsDiffer(before, latest *AdviserState) (reason string) {
	a, b := before.Registration, latest.Registration
	switch {
	case (a == exempt) == (b == exempt):
		return ""
	case a == "" || b == "":
		return BasisChanged
	}
	return RegistrationChanged
}

// Rounded rounds to two decimals, halves away from zero.
func Rounded(v float64) *float64 {
	v = math.Round(v*100) / 100
	if v == 0 {
		return new(float64) // a small loss would be -0
	}
	return &v
}
