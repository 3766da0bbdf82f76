package metric

import (
	"math/big"
	"slices"
	"time"

	"gpatlas/modules/catalog/catalogapi"
)

// FundMetrics are the figures of an adviser's funds.
type FundMetrics struct {
	FundCount               *int64   `json:"fund_count" doc:"Funds that are not closed. Null if neither a list nor a count of the funds is known." example:"12"`
	AvgFundSizeUSD          *int64   `json:"avg_fund_size_usd" doc:"USD. Total gross asset value of the funds that are not closed, divided by the number of those of known value, rounded down. A feeder is left out if its master is among the manager's open funds; a fund that does not say whether it is a feeder counts. Null if there is none." example:"350000000"`
	AvgFundSizeTrendPercent *float64 `json:"avg_fund_size_trend_percent" doc:"Takes the distinct vintages of those funds, without feeders and parallel vehicles, sorted. Compares the average gross asset value of a fund in the newest third (rounded down to whole vintages) with that in the oldest third, both at the same age, in percent of the latter, rounded to two decimals. Null if avg_fund_size_trend_reason is set." example:"42.5"`
	AvgFundSizeTrendAge     *int64   `json:"avg_fund_size_trend_age_years" doc:"The age at which the funds are compared: the year of a filing minus the vintage. The greatest one, up to the age of the newest vintage, at which both thirds state a value. Null if there is none." example:"2"`
	AvgFundSizeTrendReason  *string  `json:"avg_fund_size_trend_reason" enum:"too_few_vintages,no_common_age,not_positive" doc:"Why the trend is null. too_few_vintages: fewer than three. no_common_age: no age at which funds of both thirds state a value. not_positive: the average of the oldest third is not above zero. Null if there is a figure." example:"too_few_vintages"`
	FundLaunchCadenceMonths *float64 `json:"fund_launch_cadence_months" doc:"Mean months between launches of funds. A fund is launched when it first appears in a filing; funds in the first filing with a list of funds that we hold may be older, and are no launches unless the filing before it states that there were none. The days from that first filing (or the one without funds) to the last launch, divided by the number of launches and by 30.4375, rounded to two decimals. Closed funds count; feeders and parallel vehicles do not. Null if fund_launch_cadence_reason is set." example:"18.4"`
	FundLaunchCadenceReason *string  `json:"fund_launch_cadence_reason" enum:"too_few_funds,funds_older_than_data,too_few_days" doc:"Why the cadence is null. too_few_funds: fewer than two. funds_older_than_data: more than half of the funds appear in the first filing with a list of funds that we hold, so the day of their launch is not known. too_few_days: the launches are of one day only, so the figure would rest on two filings. Null if there is a figure." example:"funds_older_than_data"`
	FirstVintage            *int64   `json:"first_vintage" doc:"Oldest vintage of the funds that are not closed." example:"2014"`
	LatestVintage           *int64   `json:"latest_vintage" doc:"Newest vintage of the funds that are not closed." example:"2025"`
}

const (
	monthDays  = 30.4375 // a year of 365.25 days, by twelve
	hoursOfDay = 24
)

// fundMetrics calculates the figures of the funds.
//
// Spec: not shown; fund_count is the adviser's own, which is the rosters' count if no list of its funds was loaded.
func fundMetrics(s *catalogapi.AdviserWithFunds, timeline []catalogapi.AdviserState) FundMetrics {
	open := make([]catalogapi.FundState, 0, len(s.Funds))
	for i := range s.Funds {
		if s.Funds[i].Status != catalogapi.FundClosed {
			open = append(open, s.Funds[i])
		}
	}
	m := FundMetrics{FundCount: s.FundCount, AvgFundSizeUSD: average(open)}
	m.FundLaunchCadenceMonths, m.FundLaunchCadenceReason = cadence(s.Funds, timeline)
	m.FirstVintage, m.LatestVintage = vintages(open)
	m.trend(open)
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

// The reasons why there is no cadence.
var (
	tooFewFunds        = "too_few_funds"
	fundsOlderThanData = "funds_older_than_data"
	tooFewDays         = "too_few_days"
)

// cadence is the mean time between launches, or why there is none.
//
// Spec: not shown; a fund appears in the first filing that we know to report it. Those in the first list of funds that we hold
// may be of any age, so they are no launches, but the time begins with that list. If they are more than half, or if all launches
// are of one day, the figure is about our data and not about launches.
func cadence(funds []catalogapi.FundState, timeline []catalogapi.AdviserState) (months *float64, reason *string) {
	var days []time.Time
	for i := range funds {
		if on := funds[i].FirstFiledOn; !on.IsZero() && funds[i].Vehicle == catalogapi.NoVehicle {
			days = append(days, on)
		}
	}
	if len(days) < 2 {
		return nil, &tooFewFunds
	}
	slices.SortFunc(days, time.Time.Compare)
	begin, launches := days[0], days
	if none := lastWithout(timeline, begin); !none.IsZero() {
		begin = none
	} else {
		launches = slices.DeleteFunc(slices.Clone(days), func(on time.Time) bool { return on.Equal(begin) })
	}
	if 2*len(launches) < len(days) {
		return nil, &fundsOlderThanData
	}
	first, last := launches[0], launches[len(launches)-1]
	if first.Equal(last) {
		return nil, &tooFewDays
	}
	return catalogapi.Rounded(last.Sub(begin).Hours() / hoursOfDay / float64(len(launches)) / monthDays), nil
}

// lastWithout is the day of the last filing before a day if it reported that there are no funds; otherwise zero.
func lastWithout(timeline []catalogapi.AdviserState, day time.Time) (on time.Time) {
	for i := range timeline {
		if !timeline[i].Filing.FiledOn.Before(day) {
			continue
		}
		on = time.Time{}
		if n := timeline[i].FundCount; n != nil && *n == 0 {
			on = timeline[i].Filing.FiledOn
		}
	}
	return on
}

// average is the average value of the funds that state one. Their sum may exceed 64 bits, because a filing may contain any
// number.
func average(open []catalogapi.FundState) *int64 {
	var all group
	for i := range open {
		if open[i].GAV != nil && open[i].Vehicle != catalogapi.OwnFeederVehicle {
			all.add(*open[i].GAV)
		}
	}
	if all.funds == 0 {
		return nil
	}
	return new(new(big.Int).Div(&all.gav, big.NewInt(all.funds)).Int64()) // no larger than the largest of them
}

// group is funds of known value.
type group struct {
	gav   big.Int
	funds int64
}

func (g *group) add(gav int64) {
	g.gav.Add(&g.gav, big.NewInt(gav))
	g.funds++
}

func (g *group) average() *big.Rat { return new(big.Rat).SetFrac(&g.gav, big.NewInt(g.funds)) }
