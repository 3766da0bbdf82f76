package metric_test

import (
	"maps"
	"slices"
	"time"

	"gpatlas/modules/analytics/internal/metric"
	"gpatlas/modules/catalog/catalogapi"
)

func day(s string) time.Time {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		panic(err)
	}
	return t
}

// state is a registered adviser after a filing of a day. Its assets and employees are unknown below zero.
func state(accession, on string, aum, employees int64) catalogapi.AdviserState {
	s := catalogapi.AdviserState{
		Filing: catalogapi.FilingRef{Accession: accession, FormType: "ADV/A", Source: catalogapi.SourceADVArchive, FiledOn: day(on)},
		CRD:    "900001", LegalName: "Harbor Ridge Capital Partners LLC", Registration: "registered",
	}
	if aum >= 0 {
		s.TotalAUM = &aum
	}
	if employees >= 0 {
		s.EmployeeCount = &employees
	}
	return s
}

// as changes a copy of a state.
func as(s catalogapi.AdviserState, set func(s *catalogapi.AdviserState)) catalogapi.AdviserState {
	set(&s)
	return s
}

func withdraws(s *catalogapi.AdviserState) {
	s.Filing.FormType, s.Filing.Source, s.WithdrawnOn = "ADV-W", catalogapi.SourceADVW, s.Filing.FiledOn
}

func exempt(s *catalogapi.AdviserState) { s.Registration = "exempt_reporting" }

func unregistered(s *catalogapi.AdviserState) { s.Registration = "" }

// amends says that the filing is not the annual amendment.
func amends(s *catalogapi.AdviserState) { s.Filing.AmendmentType = "material" }

// fund is an open fund of a vintage that first appeared on a day. Its value, which its only filing states at the end of the
// first year after its vintage, is unknown below zero.
func fund(vintage, gav int64, on string) catalogapi.FundState {
	f := catalogapi.FundState{Status: "active", VintageYear: vintage, VintageQuality: catalogapi.VintageFirstFiling, FirstFiledOn: day(on)}
	if gav >= 0 {
		f.GAV = &gav
		f.Values = []catalogapi.FundValue{{FiledOn: time.Date(int(vintage)+1, 12, 31, 0, 0, 0, 0, time.UTC), GAV: gav}}
	}
	return f
}

// worth is an open fund of a vintage with values by age.
func worth(vintage int64, values map[int]int64) catalogapi.FundState {
	f := fund(vintage, -1, "2020-01-01")
	for _, age := range slices.Sorted(maps.Keys(values)) {
		f.GAV = new(values[age])
		f.Values = append(f.Values, catalogapi.FundValue{FiledOn: time.Date(int(vintage)+age, 3, 28, 0, 0, 0, 0, time.UTC), GAV: values[age]})
	}
	return f
}

// through makes a fund a vehicle of another.
func through(vehicle catalogapi.Vehicle, f catalogapi.FundState) catalogapi.FundState {
	f.Vehicle = vehicle
	return f
}

func shut(f catalogapi.FundState) catalogapi.FundState {
	f.Status = "closed"
	return f
}

// of is an adviser of funds.
func of(funds ...catalogapi.FundState) *catalogapi.AdviserWithFunds {
	return &catalogapi.AdviserWithFunds{Funds: funds}
}

// growth is the three figures that compare filings, each a percent or the reason for none.
type growth struct{ aum, cagr, employees any }

func growthOf(timeline ...catalogapi.AdviserState) growth {
	m, _ := metric.Compute(of(), timeline)
	either := func(percent *float64, reason *string) any {
		switch {
		case percent != nil && reason == nil:
			return *percent
		case percent == nil && reason != nil:
			return *reason
		}
		return "both or neither"
	}
	a, e := m.AUMGrowth, m.EmployeeGrowth
	return growth{either(a.YoYPercent, a.YoYReason), either(a.CAGR3YPercent, a.CAGRReason), either(e.YoYPercent, e.YoYReason)}
}
