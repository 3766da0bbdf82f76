package storedhistory

import (
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/derive"
	"gpatlas/modules/catalog/internal/fold"
)

// Row is what is kept of one adviser.
type Row struct {
	CRD      string
	Standing catalogapi.AdviserWithFunds // the current one
	Timeline []catalogapi.AdviserState   // after each of its filings, oldest first

	Sources     fold.Provenance            // of the values that its detail shows
	FundSources map[string]fold.Provenance // of those of its funds, by Fund ID; of a filing, the part shown in details is kept
}

// Parts are a row as it is stored.
type Parts struct {
	States, Funds, Sources, FundSources []byte
}

// RowOf returns what is stored of a record whose current state is current, with provenance. The states after its filings
// are those that the filings state, even if current differs, for example by an override.
func RowOf(r *fold.Record, current *fold.State) *Row {
	row := &Row{
		CRD: r.CRD, Standing: StandingOf(current), Timeline: TimelineOf(r.Timeline()), Sources: current.Provenance,
		FundSources: make(map[string]fold.Provenance, len(current.Funds)),
	}
	for i := range current.Funds {
		row.FundSources[current.Funds[i].FundID] = current.FundProvenance(i)
	}
	return row
}

// TimelineOf is states as other modules read them.
func TimelineOf(states []fold.State) []catalogapi.AdviserState {
	out := make([]catalogapi.AdviserState, len(states))
	for i := range states {
		out[i] = stateOf(&states[i])
	}
	return out
}

// StandingOf is a state with its funds as other modules read it.
func StandingOf(s *fold.State) catalogapi.AdviserWithFunds {
	standing := catalogapi.AdviserWithFunds{AdviserState: stateOf(s)}
	names := make([]string, len(s.Funds))
	for i := range s.Funds {
		names[i] = s.Funds[i].Name
	}
	parallel, inMasters := derive.Parallels(names), fold.InMasters(s.Funds)
	for i := range s.Funds {
		f := &s.Funds[i]
		standing.Funds = append(standing.Funds, catalogapi.FundState{
			FundID: f.FundID, Name: f.Name, Strategy: f.Strategy, Status: f.Status, VintageYear: f.VintageYear,
			VintageQuality: f.VintageQuality, GAV: f.GrossAssetValue, FirstFiledOn: f.FirstFiledOn,
			Vehicle: vehicle(f, inMasters[f], parallel[i]), Values: s.FundValues(i),
		})
	}
	return standing
}

func vehicle(f *fold.Fund, inMaster, parallel bool) catalogapi.Vehicle {
	switch {
	case inMaster:
		return catalogapi.OwnFeederVehicle
	case f.IsFeeder != nil && *f.IsFeeder:
		return catalogapi.FeederVehicle
	case parallel:
		return catalogapi.ParallelVehicle
	}
	return catalogapi.NoVehicle
}

func stateOf(s *fold.State) catalogapi.AdviserState {
	return catalogapi.AdviserState{
		Filing: FilingRef(&s.Newest), CRD: s.CRD, LegalName: s.LegalName, City: known(s.City), State: known(s.State),
		Country: known(s.Country), Registration: known(s.RegistrationStatus), PrimaryStrategy: known(s.PrimaryStrategy),
		TotalAUM: s.TotalAUM, EmployeeCount: s.EmployeeCount, FundCount: s.FundCount, TotalGAV: s.TotalGAV,
		FirstFiledOn: s.FirstFiledOn, WithdrawnOn: known(s.WithdrawnOn), Unstated: s.Unstated,
	}
}

// FilingRef is a filing as other modules read it.
func FilingRef(f *fold.Filing) catalogapi.FilingRef {
	return catalogapi.FilingRef{
		Accession: f.Accession, FormType: f.FormType, AmendmentType: f.Amendment, Source: f.DocSource, FiledOn: f.FilingDate,
	}
}

// known is a value, or the zero value where no filing states it.
func known[T string | time.Time](v *T) (out T) {
	if v != nil {
		out = *v
	}
	return out
}
