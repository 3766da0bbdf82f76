package load

import (
	"math"
	"slices"
	"time"

	"gpatlas/modules/catalog/catalogapi"
)

// growth is the growth of an adviser's assets over each of catalogapi.GrowthYears. It depends on the history alone: no clock is read, and
// corrections do not change it.
type growth struct {
	Growth1 *int64     `gorm:"column:aum_growth_1y"` // hundredths of a percent a year
	Before1 *int64     `gorm:"column:aum_before_1y"`
	From1   *time.Time `gorm:"column:aum_from_1y"`
	Growth2 *int64     `gorm:"column:aum_growth_2y"`
	Before2 *int64     `gorm:"column:aum_before_2y"`
	From2   *time.Time `gorm:"column:aum_from_2y"`
	Growth3 *int64     `gorm:"column:aum_growth_3y"`
	Before3 *int64     `gorm:"column:aum_before_3y"`
	From3   *time.Time `gorm:"column:aum_from_3y"`
	Growth5 *int64     `gorm:"column:aum_growth_5y"`
	Before5 *int64     `gorm:"column:aum_before_5y"`
	From5   *time.Time `gorm:"column:aum_from_5y"`
	Latest  *int64     `gorm:"column:aum_latest"`
	To      *time.Time `gorm:"column:aum_to"`
	Reasons int64      `gorm:"column:aum_growth_reasons"` // see catalogapi.GrowthReason
}

// growthOf is the growth that a timeline shows.
func growthOf(timeline []catalogapi.AdviserState) (g growth) {
	states := catalogapi.GrowthBasis(timeline)
	if len(states) > 0 {
		latest := &states[len(states)-1]
		g.Latest, g.To = latest.TotalAUM, &latest.Filing.FiledOn
	}
	for i, to := range []struct {
		percent, before **int64
		from            **time.Time
	}{
		{&g.Growth1, &g.Before1, &g.From1}, {&g.Growth2, &g.Before2, &g.From2}, {&g.Growth3, &g.Before3, &g.From3}, {&g.Growth5, &g.Before5, &g.From5},
	} {
		found := catalogapi.AssetsGrowth(catalogapi.YearsBefore(states, catalogapi.GrowthYears[i]))
		if found.Percent == nil {
			g.Reasons |= int64(slices.Index(catalogapi.GrowthReasons, found.Reason)+1) << (i * catalogapi.GrowthReasonBits)
			continue
		}
		*to.percent, *to.before, *to.from = new(hundredths(*found.Percent)), found.Before.TotalAUM, &found.Before.Filing.FiledOn
	}
	return g
}

// hundredths saturates at the largest number that is exact in a float.
func hundredths(percent float64) int64 {
	const largest = 1 << 53
	return int64(math.Round(min(percent*100, largest)))
}
