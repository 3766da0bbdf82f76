package metric

import (
	"cmp"
	"math/big"
	"slices"
	"time"

	"gpatlas/modules/analytics/internal/change"
	"gpatlas/modules/catalog/catalogapi"
)

// FundMetrics are the figures of an adviser's funds.
type FundMetrics struct {
	FundCount               *int64   `json:"fund_count" doc:"Funds that are not closed. Null if neither a list nor a count of the funds is known." example:"12"`
	AvgFundSizeUSD          *int64   `json:"avg_fund_size_usd" doc:"USD. Total gross asset value of the funds that are not closed, divided by the number of those of known value, rounded down. Null if there is none." example:"350000000"`
	AvgFundSizeTrendPercent *float64 `json:"avg_fund_size_trend_percent" doc:"Takes the distinct vintages of those funds with a known value, sorted. Compares the average gross asset value of a fund in the newest third (rounded down to whole vintages) with that in the oldest third, in percent of the latter, rounded to two decimals. Null below three vintages, and if the base is zero." example:"42.5"`
	FundLaunchCadenceMonths *float64 `json:"fund_launch_cadence_months" doc:"Mean months between the first filings of all funds ever reported, including closed funds: days from the first to the last of these filings, divided by their number minus one, divided by 30.4375, rounded to two decimals. Null below two funds." example:"18.4"`
	FirstVintage            *int64   `json:"first_vintage" doc:"Oldest vintage of the funds that are not closed." example:"2014"`
	LatestVintage           *int64   `json:"latest_vintage" doc:"Newest vintage of the funds that are not closed." example:"2025"`
}

const (
	closed     = "closed"
	byFormD    = "form_d_first_sale"
	monthDays  = 30.4375 // a year of 365.25 days, by twelve
	hoursOfDay = 24
)

// fundMetrics works out the figures of the funds.
//
// Spec: not shown; fund_count is the adviser's own, which is the rosters' count where no list of its funds was loaded.
func fundMetrics(s *catalogapi.Standing) FundMetrics {
	open := make([]catalogapi.FundState, 0, len(s.Funds))
	for i := range s.Funds {
		if s.Funds[i].Status != closed {
			open = append(open, s.Funds[i])
		}
	}
	m := FundMetrics{FundCount: s.FundCount, FundLaunchCadenceMonths: cadence(s.Funds)}
	m.FirstVintage, m.LatestVintage = vintages(open)
	m.AvgFundSizeUSD, m.AvgFundSizeTrendPercent = sizes(open)
	return m
}

// vintages are the oldest and the newest.
func vintages(open []catalogapi.FundState) (first, latest *int64) {
	for i := range open {
		v := open[i].VintageYear
		if v == 0 {
			continue
		}
		if first == nil || v < *first {
			first = &v
		}
		if latest == nil || v > *latest {
			latest = &v
		}
	}
	return first, latest
}

// cadence is the mean time between first appearances.
//
// Spec: not shown; a fund appears in the first filing that we know to report it, so funds that are older than our data
// appear together.
func cadence(funds []catalogapi.FundState) *float64 {
	var first, last time.Time
	n := 0
	for i := range funds {
		on := funds[i].FirstFiledOn
		if on.IsZero() {
			continue
		}
		if n == 0 || on.Before(first) {
			first = on
		}
		if n == 0 || on.After(last) {
			last = on
		}
		n++
	}
	if n < 2 {
		return nil
	}
	return rounded(last.Sub(first).Hours() / hoursOfDay / float64(n-1) / monthDays)
}

// group is funds of known value. Their sum may be beyond 64 bits, for a filing may hold any number.
type group struct {
	vintage int64
	gav     big.Int
	funds   int64
}

func (g *group) add(gav *big.Int, funds int64) {
	g.gav.Add(&g.gav, gav)
	g.funds += funds
}

func (g *group) average() *big.Rat { return new(big.Rat).SetFrac(&g.gav, big.NewInt(g.funds)) }

// sizes are the average value of the funds, and its trend over their vintages.
func sizes(open []catalogapi.FundState) (average *int64, trend *float64) {
	var all group
	var by []*group
	for i := range open {
		f := &open[i]
		if f.GAV == nil {
			continue
		}
		gav := big.NewInt(*f.GAV)
		all.add(gav, 1)
		if f.VintageYear == 0 {
			continue
		}
		k := slices.IndexFunc(by, func(g *group) bool { return g.vintage == f.VintageYear })
		if k < 0 {
			k, by = len(by), append(by, &group{vintage: f.VintageYear})
		}
		by[k].add(gav, 1)
	}
	if all.funds == 0 {
		return nil, nil
	}
	average = new(new(big.Int).Div(&all.gav, big.NewInt(all.funds)).Int64()) // no larger than the largest of them
	slices.SortFunc(by, func(a, b *group) int { return cmp.Compare(a.vintage, b.vintage) })
	return average, trendOf(by)
}

// trendOf compares the newest third of the vintages with the oldest.
//
// Spec: not shown; a third is rounded down to whole vintages, so of five vintages the newest is compared with the oldest.
// Each fund counts once, so a vintage of many funds weighs more than one of few.
func trendOf(by []*group) *float64 {
	third := len(by) / 3
	if third == 0 {
		return nil
	}
	var oldest, newest group
	for i := range third {
		oldest.add(&by[i].gav, by[i].funds)
		newest.add(&by[len(by)-1-i].gav, by[len(by)-1-i].funds)
	}
	return change.PercentOf(oldest.average(), newest.average())
}
