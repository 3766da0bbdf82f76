package change_test

import (
	"time"

	"gpatlas/modules/catalog/catalogapi"
)

func day(s string) time.Time {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		panic(err)
	}
	return t
}

// state is an adviser after a filing of a day, otherwise always the same.
func state(accession, on string, set func(s *catalogapi.AdviserState)) catalogapi.AdviserState {
	s := catalogapi.AdviserState{
		Filing: catalogapi.FilingRef{
			Accession: accession, FormType: "ADV/A", AmendmentType: "annual", Source: catalogapi.SourceADVArchive, FiledOn: day(on),
		},
		CRD: "900001", LegalName: "Harbor Ridge Capital Partners LLC", City: "Boston", State: "MA", Country: "United States",
		PrimaryStrategy: "buyout", TotalAUM: new(int64(2_000_000_000)), EmployeeCount: new(int64(40)),
		FundCount: new(int64(3)), TotalGAV: new(int64(1_800_000_000)),
	}
	if set != nil {
		set(&s)
	}
	return s
}

// from says that a state is known from another kind of document.
func from(source catalogapi.Source, set func(s *catalogapi.AdviserState)) func(s *catalogapi.AdviserState) {
	return func(s *catalogapi.AdviserState) {
		s.Filing.Source = source
		if source == catalogapi.SourceADVW {
			s.Filing.FormType = "ADV-W"
		}
		if set != nil {
			set(s)
		}
	}
}

func aum(v int64) func(s *catalogapi.AdviserState) {
	return func(s *catalogapi.AdviserState) { s.TotalAUM = &v }
}

func city(v string) func(s *catalogapi.AdviserState) {
	return func(s *catalogapi.AdviserState) { s.City = v }
}
