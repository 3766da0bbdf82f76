package metric_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/analytics/internal/metric"
	"gpatlas/modules/catalog/catalogapi"
)

// Figures worked out by hand.
func TestFundMetrics(t *testing.T) {
	t.Parallel()
	number := func(v int64) *int64 { return &v }
	few, noAge, zero, one, older, days := "too_few_vintages", "no_common_age", "not_positive", "too_few_funds", "funds_older_than_data", "too_few_days"
	for name, c := range map[string]struct {
		standing *catalogapi.AdviserWithFunds
		want     metric.FundMetrics
	}{
		"no fund":         {of(), metric.FundMetrics{AvgFundSizeTrendReason: &few, FundLaunchCadenceReason: &one}},
		"the count alone": {&catalogapi.AdviserWithFunds{AdviserState: catalogapi.AdviserState{FundCount: number(4)}}, metric.FundMetrics{FundCount: number(4), AvgFundSizeTrendReason: &few, FundLaunchCadenceReason: &one}},
		"one fund": {
			of(fund(2019, 700, "2019-03-28")),
			metric.FundMetrics{AvgFundSizeUSD: number(700), FirstVintage: number(2019), LatestVintage: number(2019), AvgFundSizeTrendReason: &few, FundLaunchCadenceReason: &one},
		},
		"one of unknown value": {
			of(fund(2019, -1, "2019-03-28"), fund(2021, 501, "2019-03-28"), fund(2020, 500, "2019-03-28")),
			metric.FundMetrics{ // 1001 / 2, rounded down; all three appeared on one day
				AvgFundSizeUSD: number(500), FirstVintage: number(2019), LatestVintage: number(2021), FundLaunchCadenceReason: &older,
				AvgFundSizeTrendReason: &few,
			},
		},
		"three vintages": { // (300 - 200) / 200; 731 days between three funds
			of(fund(2022, 300, "2022-01-01"), fund(2020, 200, "2020-01-01"), fund(2021, 900, "2021-01-01")),
			metric.FundMetrics{
				AvgFundSizeUSD: number(466), AvgFundSizeTrendPercent: new(50.0), AvgFundSizeTrendAge: number(1), FundLaunchCadenceMonths: new(12.01),
				FirstVintage: number(2020), LatestVintage: number(2022),
			},
		},
		"thirds of seven vintages": { // oldest 2014 and 2015: 100, 200, 300 = 200 a fund; newest 2019 and 2020: 450, 150 = 300 a fund
			of(
				fund(2014, 100, "2020-01-01"), fund(2015, 200, "2020-01-01"), fund(2015, 300, "2020-01-01"), fund(2016, 5, "2020-01-01"),
				fund(2017, 5, "2020-01-01"), fund(2018, 5, "2020-01-01"), fund(2019, 450, "2020-01-01"), fund(2020, 150, "2020-01-01"),
			),
			metric.FundMetrics{
				AvgFundSizeUSD: number(151), AvgFundSizeTrendPercent: new(50.0), AvgFundSizeTrendAge: number(1), FundLaunchCadenceReason: &older,
				FirstVintage: number(2014), LatestVintage: number(2020),
			},
		},
		"a vintage of unknown values is none": { // two vintages with a value: no trend
			of(fund(2020, 200, "2020-01-01"), fund(2021, -1, "2020-01-01"), fund(2022, 300, "2020-01-01")),
			metric.FundMetrics{
				AvgFundSizeUSD: number(250), AvgFundSizeTrendReason: &few, FundLaunchCadenceReason: &older, FirstVintage: number(2020), LatestVintage: number(2022),
			},
		},
		"the oldest third is empty of value": {
			of(fund(2020, 0, "2020-01-01"), fund(2021, 6, "2020-01-01"), fund(2022, 3, "2020-01-01")),
			metric.FundMetrics{
				AvgFundSizeUSD: number(3), AvgFundSizeTrendAge: number(1), AvgFundSizeTrendReason: &zero, FundLaunchCadenceReason: &older, FirstVintage: number(2020), LatestVintage: number(2022),
			},
		},
		"closed funds were launched too": { // 1 January 2016 to 1 January 2020 is 1461 days, 48 months
			of(shut(fund(2010, 9_000, "2016-01-01")), fund(2018, 200, "2018-06-01"), fund(2019, 100, "2020-01-01")),
			metric.FundMetrics{
				AvgFundSizeUSD: number(150), AvgFundSizeTrendReason: &few, FundLaunchCadenceMonths: new(24.0), FirstVintage: number(2018), LatestVintage: number(2019),
			},
		},
		"all closed": {
			of(shut(fund(2010, 9_000, "2016-01-01")), shut(fund(2011, 9_000, "2020-01-01"))),
			metric.FundMetrics{FundLaunchCadenceReason: &days, AvgFundSizeTrendReason: &few},
		},
		// A master, its feeder and a parallel vehicle of 2020 are one fund of 100, and one launch: 1,461 days to 2024.
		"vehicles": {
			of(
				fund(2020, 100, "2020-01-01"), through(catalogapi.OwnFeederVehicle, fund(2020, 90, "2021-01-01")),
				through(catalogapi.ParallelVehicle, fund(2021, 80, "2022-01-01")), fund(2022, 50, "2022-01-01"), fund(2023, 150, "2024-01-01"),
			),
			metric.FundMetrics{
				AvgFundSizeUSD: number(95), AvgFundSizeTrendPercent: new(50.0), AvgFundSizeTrendAge: number(1), FundLaunchCadenceMonths: new(24.0),
				FirstVintage: number(2020), LatestVintage: number(2023),
			},
		},
		"half of the funds are older": { // and all others appear on one day
			of(fund(2020, 100, "2020-01-01"), fund(2022, 100, "2022-01-01")),
			metric.FundMetrics{
				AvgFundSizeUSD: number(100), AvgFundSizeTrendReason: &few, FundLaunchCadenceReason: &days, FirstVintage: number(2020), LatestVintage: number(2022),
			},
		},
		"half are older, and the others of two days": { // two launches in 1,096 days
			of(fund(2020, 100, "2020-01-01"), fund(2020, 100, "2020-01-01"), fund(2022, 100, "2022-01-01"), fund(2022, 100, "2023-01-01")),
			metric.FundMetrics{
				AvgFundSizeUSD: number(100), AvgFundSizeTrendReason: &few, FundLaunchCadenceMonths: new(18.0), FirstVintage: number(2020), LatestVintage: number(2022),
			},
		},
		"most funds are older": {
			of(fund(2020, 100, "2020-01-01"), fund(2020, 100, "2020-01-01"), fund(2022, 100, "2022-01-01")),
			metric.FundMetrics{
				AvgFundSizeUSD: number(100), AvgFundSizeTrendReason: &few, FundLaunchCadenceReason: &older, FirstVintage: number(2020), LatestVintage: number(2022),
			},
		},
		"vehicles alone": {
			of(through(catalogapi.FeederVehicle, fund(2020, 100, "2020-01-01")), through(catalogapi.ParallelVehicle, fund(2021, 100, "2021-01-01"))),
			metric.FundMetrics{AvgFundSizeUSD: number(100), AvgFundSizeTrendReason: &few, FundLaunchCadenceReason: &one, FirstVintage: number(2020), LatestVintage: number(2021)},
		},
		"at the age of the newest": { // 300 of 200 at the age of 2, though the old fund is at 900 by now
			of(worth(2014, map[int]int64{0: 10, 2: 200, 8: 900}), worth(2018, map[int]int64{3: 5}), worth(2022, map[int]int64{0: 20, 1: 100, 2: 300})),
			metric.FundMetrics{
				AvgFundSizeUSD: number(401), AvgFundSizeTrendPercent: new(50.0), AvgFundSizeTrendAge: number(2), FundLaunchCadenceReason: &older,
				FirstVintage: number(2014), LatestVintage: number(2022),
			},
		},
		"at a lower age where no filing covers it": { // 30 of 10 at the launch
			of(worth(2014, map[int]int64{0: 10, 3: 900}), worth(2018, map[int]int64{2: 5}), worth(2022, map[int]int64{0: 30, 1: 100, 2: 300})),
			metric.FundMetrics{
				AvgFundSizeUSD: number(401), AvgFundSizeTrendPercent: new(200.0), AvgFundSizeTrendAge: number(0), FundLaunchCadenceReason: &older,
				FirstVintage: number(2014), LatestVintage: number(2022),
			},
		},
		"at no common age": { // the old fund is known from its eighth year on; the sale of the newest came after its first filing
			of(worth(2014, map[int]int64{8: 900}), worth(2018, map[int]int64{4: 5}), worth(2022, map[int]int64{-1: 1, 0: 30})),
			metric.FundMetrics{
				AvgFundSizeUSD: number(311), AvgFundSizeTrendReason: &noAge, FundLaunchCadenceReason: &older,
				FirstVintage: number(2014), LatestVintage: number(2022),
			},
		},
		"the largest values": {
			of(fund(2020, math.MaxInt64, "2020-01-01"), fund(2021, math.MaxInt64, "2020-01-01"), fund(2022, math.MaxInt64, "2020-01-01")),
			metric.FundMetrics{
				AvgFundSizeUSD: number(math.MaxInt64), AvgFundSizeTrendPercent: new(0.0), AvgFundSizeTrendAge: number(1), FundLaunchCadenceReason: &older,
				FirstVintage: number(2020), LatestVintage: number(2022),
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, _ := metric.Compute(c.standing, nil)
			require.Equal(t, c.want, m.FundMetrics)
		})
	}
}

// Funds that appear together after a filing without funds were launched since.
func TestCadenceAfterNoFunds(t *testing.T) {
	t.Parallel()
	standing := of(fund(2020, 100, "2020-01-01"), fund(2020, 100, "2020-01-01"), fund(2022, 100, "2022-01-01"))
	at := func(on string, funds int64) catalogapi.AdviserState {
		return catalogapi.AdviserState{Filing: catalogapi.FilingRef{FiledOn: day(on)}, FundCount: &funds}
	}
	none, _ := metric.Compute(standing, []catalogapi.AdviserState{at("2019-01-01", 0), at("2020-01-01", 2)})
	require.Equal(t, new(12.0), none.FundMetrics.FundLaunchCadenceMonths)
	require.Nil(t, none.FundMetrics.FundLaunchCadenceReason)
	together, _ := metric.Compute(of(fund(2020, 100, "2020-01-01"), fund(2020, 100, "2020-01-01")), []catalogapi.AdviserState{at("2017-01-01", 0)})
	require.Nil(t, together.FundMetrics.FundLaunchCadenceMonths, "of one day")
	require.Equal(t, new("too_few_days"), together.FundMetrics.FundLaunchCadenceReason)
	for _, timeline := range [][]catalogapi.AdviserState{{at("2019-01-01", 2)}, {at("2018-01-01", 0), at("2019-01-01", 1)}, {at("2020-01-01", 0)}} {
		some, _ := metric.Compute(standing, timeline)
		require.Nil(t, some.FundMetrics.FundLaunchCadenceMonths)
	}
}
