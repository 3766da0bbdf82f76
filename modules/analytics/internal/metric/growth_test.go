package metric_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/analytics/internal/metric"
	"gpatlas/modules/catalog/catalogapi"
)

const (
	noFiling   = "no_filing"
	unknown    = "unknown_value"
	noPositive = "not_positive"
	registered = "registration_changed"
	otherBasis = "basis_changed"
)

// Figures worked out by hand, by the days between the filings. 28 March 2025 to 28 March 2026 is 365 days, so nothing is
// annualized; from 28 March 2023 it is 1,096.
func TestGrowth(t *testing.T) {
	t.Parallel()
	none := growth{noFiling, noFiling, noFiling}
	type states = []catalogapi.AdviserState
	for name, c := range map[string]struct {
		timeline states
		want     growth
	}{
		"no filing":  {nil, none},
		"one filing": {states{state("A", "2026-03-28", 100, 10)}, none},
		"a filing a year": { // 2.5 of 2.0 billion; (2.5 / 1.25)^(365/1094) = 1.260187; 48 of 46 employees
			states{
				state("A", "2023-03-30", 1_250_000_000, 30), state("B", "2024-03-29", 1_700_000_000, 40),
				state("C", "2025-03-28", 2_000_000_000, 46), state("D", "2026-03-28", 2_500_000_000, 48),
			},
			growth{25.0, 26.02, 4.35},
		},
		"it shrinks": { // (27 / 64)^(365/1096) = 0.750197
			states{state("A", "2023-03-28", 64, 8), state("B", "2025-03-28", 36, 9), state("C", "2026-03-28", 27, 6)},
			growth{-25.0, -24.98, -33.33},
		},
		"a gap of two years": { // 1.728^(365/1096) = 1.1998
			states{state("A", "2023-03-28", 1000, 10), state("B", "2024-03-28", 1500, 11), state("C", "2026-03-28", 1728, 12)},
			growth{noFiling, 19.98, noFiling},
		},
		"120 days less": { // 1.1^(365/245) = 1.152568
			states{state("A", "2025-07-26", 100, 10), state("B", "2026-03-28", 110, 11)}, growth{15.26, noFiling, 15.26},
		},
		"120 days more": { // 1.5^(365/485) = 1.35682
			states{state("A", "2024-11-28", 100, 10), state("B", "2026-03-28", 150, 15)}, growth{35.68, noFiling, 35.68},
		},
		"121 days less": {states{state("A", "2025-07-27", 100, 10), state("B", "2026-03-28", 110, 11)}, none},
		"121 days more": {states{state("A", "2024-11-27", 100, 10), state("B", "2026-03-28", 110, 11)}, none},
		"the nearest counts": { // 26 days before the day, 31 after it; 3^(365/391) and 1.5^(365/391)
			states{state("A", "2025-03-02", 100, 10), state("B", "2025-04-28", 200, 20), state("C", "2026-03-28", 300, 15)},
			growth{178.87, noFiling, 46.01},
		},
		"of two as near the later": { // 1.5^(365/355) and 0.75^(365/355)
			states{state("A", "2025-03-18", 100, 10), state("B", "2025-04-07", 200, 20), state("C", "2026-03-28", 300, 15)},
			growth{51.72, noFiling, -25.61},
		},
		"of several on a day the last": { // 8^(365/1096) = 1.998736
			states{
				state("A", "2023-03-28", 1000, 1), state("B", "2023-03-28", 125, 1), state("C", "2025-03-28", 999, 99), state("D", "2025-03-28", 500, 10),
				state("E", "2026-03-28", 77, 77), state("F", "2026-03-28", 1000, 12),
			},
			growth{100.0, 99.87, 20.0},
		},
		"an amendment that repeats is none": { // else 150 of 100 would be of 474 days
			states{
				state("A", "2025-03-28", 100, 10), as(state("B", "2025-04-28", 100, 10), amends), state("C", "2026-03-28", 150, 12),
				as(state("D", "2026-07-15", 150, 12), amends),
			},
			growth{50.0, noFiling, 20.0},
		},
		"one that is put right on its day repeats": {
			states{
				state("A", "2025-03-28", 100, 10), state("C", "2026-03-28", 150, 12), as(state("D", "2026-07-15", 150, 120), amends),
				as(state("E", "2026-07-15", 150, 12), amends),
			},
			growth{50.0, noFiling, 20.0},
		},
		"one that states anew counts": { // 2^(365/474): the amendment of employees states what the assets are too
			states{state("A", "2025-03-28", 100, 10), as(state("D", "2026-07-15", 200, 11), amends)}, growth{70.53, noFiling, 7.62},
		},
		"so does the annual one that repeats": {
			states{state("A", "2025-03-28", 100, 10), state("C", "2026-03-28", 100, 10)}, growth{0.0, noFiling, 0.0},
		},
		"evidence of it is none either": {
			states{
				state("A", "2025-03-28", 100, 10), state("C", "2026-03-28", 150, 12), as(state("D", "2026-07-15", 150, 12), amends),
				as(state("F", "2026-07-15", 150, 12), func(s *catalogapi.AdviserState) { s.Filing.Source = catalogapi.SourceFeed }),
			},
			growth{50.0, noFiling, 20.0},
		},
		"from nothing": {
			states{state("A", "2023-03-28", 0, 0), state("B", "2025-03-28", 0, 0), state("C", "2026-03-28", 100, 5)},
			growth{noPositive, noPositive, noPositive},
		},
		"to nothing": {
			states{state("A", "2023-03-28", 50, 5), state("B", "2025-03-28", 100, 5), state("C", "2026-03-28", 0, 0)},
			growth{-100.0, -100.0, -100.0},
		},
		"below nothing, which no form may say": {
			states{
				as(state("A", "2023-03-28", 50, 5), func(s *catalogapi.AdviserState) { s.TotalAUM = new(int64(-50)) }),
				state("B", "2025-03-28", 50, 0),
				as(state("C", "2026-03-28", 0, 0), func(s *catalogapi.AdviserState) { s.TotalAUM = new(int64(-50)) }),
			}, growth{noPositive, noPositive, noPositive},
		},
		"unknown then": {
			states{state("A", "2023-03-28", -1, -1), state("B", "2025-03-28", -1, 4), state("C", "2026-03-28", 100, 5)},
			growth{unknown, unknown, 25.0},
		},
		"unknown now": {
			states{state("A", "2023-03-28", 50, 5), state("B", "2025-03-28", 100, 5), state("C", "2026-03-28", -1, -1)},
			growth{unknown, unknown, unknown},
		},
		// The 80 million were the value of its funds, the 600 million are its regulatory assets. Employees were not filed.
		"it was exempt before": {
			states{as(state("A", "2025-03-28", 80_000_000, -1), exempt), state("B", "2026-03-28", 600_000_000, 12)},
			growth{registered, noFiling, unknown},
		},
		"it is exempt now, and was": {
			states{
				as(state("A", "2023-03-28", 125, -1), exempt), state("B", "2025-03-28", 600_000_000, 12),
				as(state("C", "2026-03-28", 1000, -1), exempt),
			},
			growth{registered, 99.87, unknown},
		},
		"exempt, and nobody says what it was": {
			states{as(state("A", "2025-03-28", 80, 10), unregistered), as(state("B", "2026-03-28", 90, 10), exempt)},
			growth{otherBasis, noFiling, 0.0},
		},
		"registered, and nobody says what it was": {
			states{as(state("A", "2025-03-28", 80, 10), unregistered), state("B", "2026-03-28", 100, 10)}, growth{25.0, noFiling, 0.0},
		},
		"a withdrawal is not the latest": {
			states{
				state("A", "2025-03-28", 100, 10), state("B", "2026-03-28", 150, 12), as(state("W", "2026-09-01", 150, 12), withdraws),
			},
			growth{50.0, noFiling, 20.0},
		},
		"nor the one before": { // the withdrawal is of the very day, the form 60 days off: 1.5^(365/425) and 1.2^(365/425)
			states{
				state("A", "2025-01-27", 100, 10), as(state("W", "2025-03-28", 999, 99), withdraws), state("B", "2026-03-28", 150, 12),
			},
			growth{41.65, noFiling, 16.95},
		},
		"a withdrawal alone": {states{as(state("W", "2026-09-01", 150, 12), withdraws)}, none},
		"a leap day": { // three years before 29 February is 1 March: 365 and 1,095 days
			states{state("A", "2021-03-01", 8, 1), state("B", "2023-03-01", 20, 1), state("C", "2024-02-29", 27, 1)},
			growth{35.0, 50.0, 0.0},
		},
		"the largest numbers": { // 9223372036854775807^(365/1096)
			states{state("A", "2023-03-28", 1, 1), state("B", "2025-03-28", math.MaxInt64, 1), state("C", "2026-03-28", math.MaxInt64, 1)},
			growth{0.0, 206948264.45, 0.0},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, growthOf(c.timeline...))
		})
	}
}

func TestBasis(t *testing.T) {
	t.Parallel()
	_, basis := metric.Compute(of(), []catalogapi.AdviserState{
		as(state("A", "2023-03-28", 100, -1), func(s *catalogapi.AdviserState) { exempt(s); s.Filing.FormType = "ADV" }),
		as(state("B", "2025-04-01", -1, 11), func(s *catalogapi.AdviserState) { s.Registration = "" }),
		state("C", "2026-03-28", 300, 12),
		as(state("W", "2026-09-01", 300, 12), withdraws),
	})
	require.Equal(t, metric.Basis{
		Latest: &metric.BasisFiling{
			AccessionNumber: "C", FilingType: "ADV/A", FilingDate: "2026-03-28", RegistrationStatus: new("registered"),
			TotalAUM: new(int64(300)), EmployeeCount: new(int64(12)),
		},
		YearBefore: &metric.BasisFiling{AccessionNumber: "B", FilingType: "ADV/A", FilingDate: "2025-04-01", EmployeeCount: new(int64(11))},
		ThreeYearsBefore: &metric.BasisFiling{
			AccessionNumber: "A", FilingType: "ADV", FilingDate: "2023-03-28", RegistrationStatus: new("exempt_reporting"), TotalAUM: new(int64(100)),
		},
	}, basis)
	_, basis = metric.Compute(of(), []catalogapi.AdviserState{as(state("W", "2026-09-01", 1, 1), withdraws)})
	require.Equal(t, metric.Basis{}, basis)
}
