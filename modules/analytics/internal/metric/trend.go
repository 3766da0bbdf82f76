package metric

import (
	"slices"

	"gpatlas/modules/analytics/internal/change"
	"gpatlas/modules/catalog/catalogapi"
)

// The reasons why a trend is null.
const (
	fewVintages = "too_few_vintages"
	noCommonAge = "no_common_age"
)

// the minimum number of vintages for a trend.
const thirds = 3

// trend compares the funds of the newest third of the vintages with those of the oldest, at one age.
//
// Spec: not shown; a third is rounded down to whole vintages, so of five vintages the newest is compared with the oldest. Each
// fund counts once, so a vintage of many funds weighs more than one of few. A fund grows as it calls capital, so an old fund
// today cannot be compared with a young one: both are taken at the greatest age that the newest vintage has reached and that
// our filings cover on both sides.
func (m *FundMetrics) trend(open []catalogapi.FundState) {
	var own []*catalogapi.FundState
	var years []int64
	for i := range open {
		if f := &open[i]; f.Vehicle == catalogapi.NoVehicle && f.VintageYear != 0 && len(f.Values) > 0 {
			own, years = append(own, f), append(years, f.VintageYear)
		}
	}
	slices.Sort(years)
	years = slices.Compact(years)
	third := len(years) / thirds
	if third == 0 {
		m.AvgFundSizeTrendReason = new(fewVintages)
		return
	}
	for age := reached(own, years[len(years)-1]); age >= 0; age-- {
		var oldest, newest group
		for _, f := range own {
			switch gav, ok := worth(f, age); {
			case !ok:
			case f.VintageYear <= years[third-1]:
				oldest.add(gav)
			case f.VintageYear >= years[len(years)-third]:
				newest.add(gav)
			}
		}
		if oldest.funds == 0 || newest.funds == 0 {
			continue
		}
		m.AvgFundSizeTrendAge = &age
		if oldest.gav.Sign() <= 0 {
			m.AvgFundSizeTrendReason = new(catalogapi.NotPositive)
			return
		}
		m.AvgFundSizeTrendPercent = change.PercentOf(oldest.average(), newest.average())
		return
	}
	m.AvgFundSizeTrendReason = new(noCommonAge)
}

// worth is a fund's value at an age: the last value of the year.
func worth(f *catalogapi.FundState, age int64) (gav int64, ok bool) {
	for _, v := range slices.Backward(f.Values) {
		if int64(v.FiledOn.Year()) == f.VintageYear+age {
			return v.GAV, true
		}
	}
	return 0, false
}

// reached is the age that the funds of a vintage have reached by their newest values. It is negative if all of these were filed
// before the year of the first sale.
func reached(funds []*catalogapi.FundState, vintage int64) int64 {
	age := int64(-1)
	for _, f := range funds {
		if f.VintageYear == vintage {
			age = max(age, int64(f.Values[len(f.Values)-1].FiledOn.Year())-vintage)
		}
	}
	return age
}
