package metric_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/analytics/internal/metric"
	"gpatlas/modules/catalog/catalogapi"
)

// Figures worked out by hand.
func TestGrowth(t *testing.T) {
	t.Parallel()
	type states = []catalogapi.AdviserState
	for name, c := range map[string]struct {
		timeline states
		want     growth
	}{
		"no filing":  {nil, growth{}},
		"one filing": {states{state("A", "2026-03-28", 100, 10)}, growth{}},
		"a filing a year": { // 2.5 of 2.0 billion; (2.5 / 1.25)^(1/3) = 1.259921; 48 of 46 employees
			states{
				state("A", "2023-03-30", 1_250_000_000, 30), state("B", "2024-03-29", 1_700_000_000, 40),
				state("C", "2025-03-28", 2_000_000_000, 46), state("D", "2026-03-28", 2_500_000_000, 48),
			},
			growth{new(25.0), new(25.99), new(4.35)},
		},
		"it shrinks": { // (27 / 64)^(1/3) = 3/4
			states{state("A", "2023-03-28", 64, 8), state("B", "2025-03-28", 36, 9), state("C", "2026-03-28", 27, 6)},
			growth{new(-25.0), new(-25.0), new(-33.33)},
		},
		"a gap of two years": { // 1.728^(1/3) = 1.2
			states{state("A", "2023-03-28", 1000, 10), state("B", "2024-03-28", 1500, 11), state("C", "2026-03-28", 1728, 12)},
			growth{nil, new(20.0), nil},
		},
		"120 days off": {
			states{state("A", "2025-07-26", 100, 10), state("B", "2026-03-28", 110, 11)}, growth{new(10.0), nil, new(10.0)},
		},
		"121 days off": {states{state("A", "2025-07-27", 100, 10), state("B", "2026-03-28", 110, 11)}, growth{}},
		"121 days off before": {
			states{state("A", "2024-11-27", 100, 10), state("B", "2026-03-28", 110, 11)}, growth{},
		},
		"the nearest counts": { // 26 days before the day, 31 after it
			states{state("A", "2025-03-02", 100, 10), state("B", "2025-04-28", 200, 20), state("C", "2026-03-28", 300, 15)},
			growth{new(200.0), nil, new(50.0)},
		},
		"of two as near the later": {
			states{state("A", "2025-03-18", 100, 10), state("B", "2025-04-07", 200, 20), state("C", "2026-03-28", 300, 15)},
			growth{new(50.0), nil, new(-25.0)},
		},
		"of several on a day the last": {
			states{
				state("A", "2023-03-28", 1000, 1), state("B", "2023-03-28", 125, 1), state("C", "2025-03-28", 999, 99), state("D", "2025-03-28", 500, 10),
				state("E", "2026-03-28", 77, 77), state("F", "2026-03-28", 1000, 12),
			},
			growth{new(100.0), new(100.0), new(20.0)},
		},
		"from nothing": {
			states{state("A", "2023-03-28", 0, 0), state("B", "2025-03-28", 0, 0), state("C", "2026-03-28", 100, 5)}, growth{},
		},
		"to nothing": {
			states{state("A", "2023-03-28", 50, 5), state("B", "2025-03-28", 100, 5), state("C", "2026-03-28", 0, 0)},
			growth{new(-100.0), new(-100.0), new(-100.0)},
		},
		"below nothing, which no form may say": {
			states{
				as(state("A", "2023-03-28", 50, 5), func(s *catalogapi.AdviserState) { s.TotalAUM = new(int64(-50)) }),
				as(state("C", "2026-03-28", 0, 0), func(s *catalogapi.AdviserState) { s.TotalAUM = new(int64(50)) }),
			}, growth{},
		},
		"unknown then": {
			states{state("A", "2023-03-28", -1, -1), state("B", "2025-03-28", -1, 4), state("C", "2026-03-28", 100, 5)},
			growth{nil, nil, new(25.0)},
		},
		"unknown now": {
			states{state("A", "2023-03-28", 50, 5), state("B", "2025-03-28", 100, 5), state("C", "2026-03-28", -1, -1)}, growth{},
		},
		// The 80 million were the value of its funds, the 600 million are its regulatory assets. Employees were not filed.
		"it was exempt before": {
			states{as(state("A", "2025-03-28", 80_000_000, -1), exempt), state("B", "2026-03-28", 600_000_000, 12)},
			growth{new(650.0), nil, nil},
		},
		"a withdrawal is not the latest": {
			states{
				state("A", "2025-03-28", 100, 10), state("B", "2026-03-28", 150, 12), as(state("W", "2026-09-01", 150, 12), withdraws),
			},
			growth{new(50.0), nil, new(20.0)},
		},
		"nor the one before": { // the withdrawal is of the very day, the form 60 days off
			states{
				state("A", "2025-01-27", 100, 10), as(state("W", "2025-03-28", 999, 99), withdraws), state("B", "2026-03-28", 150, 12),
			},
			growth{new(50.0), nil, new(20.0)},
		},
		"a withdrawal alone": {states{as(state("W", "2026-09-01", 150, 12), withdraws)}, growth{}},
		"a leap day": { // three years before 29 February is 1 March
			states{state("A", "2021-03-01", 8, 1), state("B", "2023-03-01", 20, 1), state("C", "2024-02-29", 27, 1)},
			growth{new(35.0), new(50.0), new(0.0)},
		},
		"the largest numbers": { // the cube root of 9223372036854775807 is 2097152
			states{state("A", "2023-03-28", 1, 1), state("B", "2025-03-28", math.MaxInt64, 1), state("C", "2026-03-28", math.MaxInt64, 1)},
			growth{new(0.0), new(209715100.0), new(0.0)},
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
