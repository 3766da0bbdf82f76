package metric_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"gpatlas/modules/analytics/internal/metric"
	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/apperr"
	"gpatlas/platform/clock"
)

// today is the day on which the tests play.
var today = clock.Fixed(time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC))

var amounts = rapid.Ptr(rapid.OneOf(
	rapid.SampledFrom([]int64{0, 1, 100, math.MaxInt64, math.MinInt64}), rapid.Int64(), rapid.Int64Range(0, 1000),
), true)

// timelines draws up to a dozen filings, many of them about a year apart.
func timelines(least int) *rapid.Generator[[]catalogapi.AdviserState] {
	return rapid.Custom(func(t *rapid.T) []catalogapi.AdviserState {
		states := make([]catalogapi.AdviserState, rapid.IntRange(least, 12).Draw(t, "filings"))
		on := day("2014-03-28")
		for i := range states {
			on = on.AddDate(0, 0, rapid.SampledFrom([]int{0, 0, 1, 30, 120, 245, 300, 365, 365, 366, 500}).Draw(t, "days"))
			states[i] = state(fmt.Sprint("ADV-", i), on.Format(time.DateOnly), 0, 0)
			states[i].TotalAUM, states[i].EmployeeCount = amounts.Draw(t, "aum"), amounts.Draw(t, "employees")
			states[i].Filing.AmendmentType = rapid.SampledFrom([]string{"annual", "annual", "material"}).Draw(t, "amendment")
			states[i].Registration = rapid.SampledFrom([]string{"registered", "registered", "exempt_reporting", ""}).Draw(t, "registration")
			if rapid.IntRange(0, 5).Draw(t, "withdrawal") == 0 {
				states[i].Filing.FormType, states[i].Filing.Source = "ADV-W", catalogapi.SourceADVW
			}
		}
		return states
	})
}

func standings() *rapid.Generator[*catalogapi.AdviserWithFunds] {
	return rapid.Custom(func(t *rapid.T) *catalogapi.AdviserWithFunds {
		s := &catalogapi.AdviserWithFunds{Funds: make([]catalogapi.FundState, rapid.IntRange(0, 12).Draw(t, "funds"))}
		for i := range s.Funds {
			s.Funds[i] = catalogapi.FundState{
				Status:      rapid.SampledFrom([]string{"active", "liquidating", "closed"}).Draw(t, "status"),
				GAV:         amounts.Draw(t, "gav"),
				VintageYear: rapid.Int64Range(2012, 2020).Draw(t, "vintage"),
				Vehicle:     rapid.SampledFrom([]catalogapi.Vehicle{"", "", "feeder", "parallel"}).Draw(t, "vehicle"),
			}
			if s.Funds[i].VintageYear == 2012 {
				s.Funds[i].VintageYear = 0
			}
			for range rapid.IntRange(0, 4).Draw(t, "values") {
				on := day("2013-03-28").AddDate(rapid.IntRange(0, 9).Draw(t, "stated"), 0, 0)
				if gav := amounts.Draw(t, "value"); gav != nil {
					s.Funds[i].Values = append(s.Funds[i].Values, catalogapi.FundValue{FiledOn: on, GAV: *gav})
				}
			}
			slices.SortStableFunc(s.Funds[i].Values, func(a, b catalogapi.FundValue) int { return a.FiledOn.Compare(b.FiledOn) })
			if rapid.Bool().Draw(t, "dated") {
				s.Funds[i].FirstFiledOn = day("2014-03-28").AddDate(0, 0, rapid.IntRange(0, 4000).Draw(t, "first"))
			}
		}
		return s
	})
}

func figures(m metric.Metrics) []*float64 {
	return []*float64{
		m.AUMGrowth.YoYPercent, m.AUMGrowth.CAGR3YPercent, m.EmployeeGrowth.YoYPercent,
		m.FundMetrics.AvgFundSizeTrendPercent, m.FundMetrics.FundLaunchCadenceMonths,
	}
}

// Whatever is filed, each figure is a number that JSON can show, or null; averages lie among the values.
func TestFiguresAreNumbers(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := standings().Draw(t, "standing")
		m, basis := metric.Compute(s, timelines(0).Draw(t, "timeline"))
		for _, f := range figures(m) {
			require.False(t, f != nil && (math.IsNaN(*f) || math.IsInf(*f, 0) || *f == 0 && math.Signbit(*f)))
		}
		_, err := json.Marshal([]any{m, basis})
		require.NoError(t, err)
		var known []int64
		for _, f := range s.Funds {
			if f.Status != "closed" && f.GAV != nil {
				known = append(known, *f.GAV)
			}
		}
		require.Equal(t, len(known) == 0, m.FundMetrics.AvgFundSizeUSD == nil)
		if len(known) > 0 {
			require.GreaterOrEqual(t, *m.FundMetrics.AvgFundSizeUSD, slices.Min(known))
			require.LessOrEqual(t, *m.FundMetrics.AvgFundSizeUSD, slices.Max(known))
		}
		require.False(t, m.FundMetrics.FundLaunchCadenceMonths != nil && *m.FundMetrics.FundLaunchCadenceMonths < 0)
	})
}

// An adviser that files the same each time does not grow: each figure is 0, or null where there is no filing to compare with.
func TestEqualStatesDoNotGrow(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		timeline := timelines(1).Draw(t, "timeline")
		v := rapid.Int64Range(1, math.MaxInt64).Draw(t, "value")
		for i := range timeline {
			timeline[i].TotalAUM, timeline[i].EmployeeCount, timeline[i].Registration = &v, &v, "registered"
		}
		m, basis := metric.Compute(of(), timeline)
		none := func(filing *metric.BasisFiling, f *float64) {
			require.Equal(t, filing == nil, f == nil)
			require.True(t, f == nil || *f == 0, "growth of %v", f)
		}
		none(basis.YearBefore, m.AUMGrowth.YoYPercent)
		none(basis.YearBefore, m.EmployeeGrowth.YoYPercent)
		none(basis.ThreeYearsBefore, m.AUMGrowth.CAGR3YPercent)
	})
}

// The filing compared with is the nearest that there is: no other form is nearer to the day, and none later as near.
func TestTheNearestFilingIsCompared(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		timeline := timelines(1).Draw(t, "timeline")
		for i := range timeline {
			timeline[i].Filing.AmendmentType = "annual"
		}
		_, basis := metric.Compute(of(), timeline)
		if basis.Latest == nil {
			return
		}
		target := day(basis.Latest.FilingDate).AddDate(-1, 0, 0)
		off := func(on time.Time) int { return int(on.Sub(target).Abs().Hours() / 24) }
		chosen := slices.IndexFunc(timeline, func(s catalogapi.AdviserState) bool {
			return basis.YearBefore != nil && s.Filing.Accession == basis.YearBefore.AccessionNumber
		})
		for i, s := range timeline {
			switch {
			case s.Filing.FormType == "ADV-W":
				require.NotEqual(t, i, chosen)
			case chosen < 0:
				require.Greater(t, off(s.Filing.FiledOn), 120)
			default:
				require.LessOrEqual(t, off(timeline[chosen].Filing.FiledOn), 120)
				require.GreaterOrEqual(t, off(s.Filing.FiledOn), off(timeline[chosen].Filing.FiledOn))
				require.False(t, i > chosen && off(s.Filing.FiledOn) == off(timeline[chosen].Filing.FiledOn), "a later one is as near")
			}
		}
	})
}

// Each growth is a percent or has a reason. Amendments that repeat the figures, wherever they are, change nothing.
func TestRepeatedFiguresAreNoFiling(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		timeline := timelines(0).Draw(t, "timeline")
		var longer []catalogapi.AdviserState
		for i, s := range timeline {
			longer = append(longer, s)
			day := s.Filing.FiledOn.AddDate(0, 0, rapid.IntRange(1, 200).Draw(t, "later"))
			if s.Filing.FormType == "ADV-W" || i+1 < len(timeline) && !timeline[i+1].Filing.FiledOn.After(day) {
				continue
			}
			again := s
			again.Filing.FiledOn, again.Filing.AmendmentType, again.Filing.Accession = day, "material", s.Filing.Accession+"A"
			longer = append(longer, again)
		}
		want, basis := metric.Compute(of(), timeline)
		got, also := metric.Compute(of(), longer)
		require.Equal(t, want, got)
		require.Equal(t, basis, also)
		a, e := want.AUMGrowth, want.EmployeeGrowth
		require.NotEqual(t, a.YoYPercent == nil, a.YoYReason == nil)
		require.NotEqual(t, a.CAGR3YPercent == nil, a.CAGRReason == nil)
		require.NotEqual(t, e.YoYPercent == nil, e.YoYReason == nil)
	})
}

// Without its vehicles an adviser has the same trend and cadence, and a trend is of an age or has a reason.
func TestVehiclesAreNoFunds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		all := standings().Draw(t, "standing")
		var own []catalogapi.FundState
		for _, f := range all.Funds {
			if f.Vehicle == catalogapi.NoVehicle {
				own = append(own, f)
			}
		}
		with, _ := metric.Compute(all, nil)
		without, _ := metric.Compute(of(own...), nil)
		a, b := with.FundMetrics, without.FundMetrics
		require.Equal(t, b.AvgFundSizeTrendPercent, a.AvgFundSizeTrendPercent)
		require.Equal(t, b.AvgFundSizeTrendReason, a.AvgFundSizeTrendReason)
		require.Equal(t, b.AvgFundSizeTrendAge, a.AvgFundSizeTrendAge)
		require.Equal(t, b.FundLaunchCadenceMonths, a.FundLaunchCadenceMonths)
		require.NotEqual(t, a.FundLaunchCadenceMonths == nil, a.FundLaunchCadenceReason == nil)
		require.NotEqual(t, a.AvgFundSizeTrendPercent == nil, a.AvgFundSizeTrendReason == nil)
		require.False(t, a.AvgFundSizeTrendPercent != nil && a.AvgFundSizeTrendAge == nil)
	})
}

// past is a history of one adviser that heeds the day of a moment.
type past struct {
	catalogapi.History
	timeline []catalogapi.AdviserState
	funds    []catalogapi.FundState
}

func (p past) Timeline(_ context.Context, crd string, at catalogapi.Moment) (states []catalogapi.AdviserState, err error) {
	for _, s := range p.timeline {
		if at.Day.IsZero() || !s.Filing.FiledOn.After(at.Day) {
			states = append(states, s)
		}
	}
	if states == nil {
		return nil, apperr.NotFound("GP with CRD %s is in no filing up to then", crd)
	}
	return states, nil
}

func (p past) Course(ctx context.Context, crd string, at catalogapi.Moment) (catalogapi.AdviserWithFunds, []catalogapi.AdviserState, error) {
	states, err := p.Timeline(ctx, crd, at)
	if err != nil {
		return catalogapi.AdviserWithFunds{}, nil, err
	}
	s := catalogapi.AdviserWithFunds{AdviserState: states[len(states)-1]}
	for _, f := range p.funds {
		if at.Day.IsZero() || !f.FirstFiledOn.After(at.Day) {
			s.Funds = append(s.Funds, f)
		}
	}
	return s, states, nil
}

// The figures as of the day of the newest filing are those of now, and those of an earlier day are what would have been
// answered had nothing been filed since.
func TestAsOf(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		timeline := timelines(1).Draw(t, "timeline")
		for i := range timeline {
			timeline[i].FundCount = new(int64(i))
		}
		newest := timeline[len(timeline)-1].Filing.FiledOn
		funds := slices.DeleteFunc(standings().Draw(t, "standing").Funds, func(f catalogapi.FundState) bool { return f.FirstFiledOn.After(newest) })
		all := past{timeline: timeline, funds: funds}
		now, err := metric.NewService(all, today).Get(t.Context(), "900001", catalogapi.Moment{})
		require.NoError(t, err)
		then, err := metric.NewService(all, today).Get(t.Context(), "900001", catalogapi.Moment{Day: newest})
		require.NoError(t, err)
		require.Equal(t, now, then)

		at := catalogapi.Moment{Day: timeline[rapid.IntRange(0, len(timeline)-1).Draw(t, "as of")].Filing.FiledOn}
		then, err = metric.NewService(all, today).Get(t.Context(), "900001", at)
		require.NoError(t, err)
		cut := past{
			timeline: slices.DeleteFunc(slices.Clone(timeline), func(s catalogapi.AdviserState) bool { return s.Filing.FiledOn.After(at.Day) }),
			funds:    slices.DeleteFunc(slices.Clone(funds), func(f catalogapi.FundState) bool { return f.FirstFiledOn.After(at.Day) }),
		}
		now, err = metric.NewService(cut, today).Get(t.Context(), "900001", catalogapi.Moment{})
		require.NoError(t, err)
		require.Equal(t, now, then)
	})
}
