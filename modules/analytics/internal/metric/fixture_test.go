package metric_test

import (
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

// fund is an open fund of a vintage that first appeared on a day. Its value is unknown below zero.
func fund(vintage, gav int64, on string) catalogapi.FundState {
	f := catalogapi.FundState{Status: "active", VintageYear: vintage, VintageSource: "first_filing", FirstFiledOn: day(on)}
	if gav >= 0 {
		f.GAV = &gav
	}
	return f
}

func shut(f catalogapi.FundState) catalogapi.FundState {
	f.Status = "closed"
	return f
}

// of is an adviser of funds.
func of(funds ...catalogapi.FundState) *catalogapi.Standing {
	return &catalogapi.Standing{Funds: funds}
}

// growth is the three figures that compare filings.
type growth struct{ aum, cagr, employees *float64 }

func growthOf(timeline ...catalogapi.AdviserState) growth {
	m, _ := metric.Compute(of(), timeline)
	return growth{m.AUMGrowth.YoYPercent, m.AUMGrowth.CAGR3YPercent, m.EmployeeGrowth.YoYPercent}
}
