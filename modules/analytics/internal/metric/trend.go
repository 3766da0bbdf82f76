package metric

import (
	"slices"

	"gpatlas/modules/analytics/internal/change"
	"gpatlas/modules/catalog/catalogapi"
)

// Why a trend is null.
const (
	fewVintages = "too_few_vintages"
	noCommonAge = "no_common_age"
)

// vintages that a trend needs.
const thirds = 3

// trend compares the funds of the newest third of the vintages with those of the oldest, at one age.
//
// Spec: not shown; a third is rounded down to whole vintages, so of five vintages the newest is compared with the oldest.
// Each fund counts once, so a vintage of many funds weighs more than one of few. A fund grows as it calls capital, so an old
// one of today is no measure for a young one: both are taken at the greatest age that the newest vintage has reached and
// that the filings which we hold cover on both sides.
func (m *FundMetrics) trend(open []catalogapi.FundState) {
	aged := map[int64][]map[int64]int64{} // by vintage: of each fund its values by age
	var years []int64
	for i := range open {
		f := &open[i]
		if f.Vehicle != catalogapi.NoVehicle || f.VintageYear == 0 || len(f.Values) == 0 {
			continue
		}
		if aged[f.VintageYear] == nil {
			years = append(years, f.VintageYear)
		}
		aged[f.VintageYear] = append(aged[f.VintageYear], ages(f))
	}
	third := len(years) / thirds
	if third == 0 {
		m.AvgFundSizeTrendReason = new(fewVintages)
		return
	}
	slices.Sort(years)
	at := func(age int64, vintages []int64) (g group) {
		for _, v := range vintages {
			for _, values := range aged[v] {
				if gav, ok := values[age]; ok {
					g.add(gav)
				}
			}
		}
		return g
	}
	for age := reached(aged[years[len(years)-1]]); age >= 0; age-- {
		oldest, newest := at(age, years[:third]), at(age, years[len(years)-third:])
		if oldest.funds == 0 || newest.funds == 0 {
			continue
		}
		m.AvgFundSizeTrendAge = &age
		if oldest.gav.Sign() <= 0 {
			m.AvgFundSizeTrendReason = new(notPositive)
			return
		}
		m.AvgFundSizeTrendPercent = change.PercentOf(oldest.average(), newest.average())
		return
	}
	m.AvgFundSizeTrendReason = new(noCommonAge)
}

// ages are a fund's values by age: of a year's values the last. What was filed before the year of the first sale has none.
func ages(f *catalogapi.FundState) map[int64]int64 {
	by := map[int64]int64{}
	for _, v := range f.Values {
		if age := int64(v.FiledOn.Year()) - f.VintageYear; age >= 0 {
			by[age] = v.GAV
		}
	}
	return by
}

// reached is the greatest age of funds; below zero where they have none.
func reached(funds []map[int64]int64) (age int64) {
	age = -1
	for _, by := range funds {
		for a := range by {
			age = max(age, a)
		}
	}
	return age
}
