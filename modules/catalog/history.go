package catalog

import (
	"context"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/derive"
	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/modules/catalog/internal/fund"
	"gpatlas/modules/catalog/internal/gp"
	"gpatlas/modules/catalog/internal/history"
	"gpatlas/modules/catalog/internal/listing"
	"gpatlas/platform/apperr"
	"gpatlas/platform/clock"
)

// pastStates answers other modules from the stored versions of filings.
type pastStates struct {
	store *history.Store
	clock clock.Clock
}

func newHistory(store *history.Store, clk clock.Clock) catalogapi.History {
	return pastStates{store, clk}
}

// Standing is the adviser as of a moment.
func (p pastStates) Standing(ctx context.Context, crd string, at catalogapi.Moment) (catalogapi.Standing, error) {
	state, err := p.state(ctx, crd, catalogapi.Point{Moment: at})
	if err != nil {
		return catalogapi.Standing{}, err
	}
	standing := catalogapi.Standing{AdviserState: adviserState(state)}
	names := make([]string, len(state.Funds))
	for i := range state.Funds {
		names[i] = state.Funds[i].Name
	}
	parallel := derive.Parallels(names)
	for i := range state.Funds {
		f := &state.Funds[i]
		standing.Funds = append(standing.Funds, catalogapi.FundState{
			FundID: f.FundID, Name: f.Name, Strategy: f.Strategy, Status: f.Status, VintageYear: f.VintageYear,
			VintageQuality: f.VintageQuality, GAV: f.GrossAssetValue, FirstFiledOn: f.FirstFiledOn,
			Vehicle: vehicle(f, parallel[i]), Values: state.Values[i],
		})
	}
	return standing, nil
}

func vehicle(f *fold.Fund, parallel bool) catalogapi.Vehicle {
	switch {
	case f.IsFeeder != nil && *f.IsFeeder:
		return catalogapi.FeederVehicle
	case parallel:
		return catalogapi.ParallelVehicle
	}
	return catalogapi.NoVehicle
}

// Timeline is the adviser after each of its filings that count.
func (p pastStates) Timeline(ctx context.Context, crd string, at catalogapi.Moment) ([]catalogapi.AdviserState, error) {
	current, err := p.find(ctx, crd, at.Known)
	if err != nil {
		return nil, err
	}
	states, err := p.store.Timeline(ctx, current, p.asOf(catalogapi.Point{Moment: at}))
	if err != nil {
		return nil, err
	}
	if len(states) == 0 {
		return nil, listing.NotYet("GP with CRD "+crd, at)
	}
	out := make([]catalogapi.AdviserState, len(states))
	for i := range states {
		out[i] = adviserState(&states[i])
	}
	return out, nil
}

// Record is everything that detail answers show at a point.
func (p pastStates) Record(ctx context.Context, crd string, at catalogapi.Point) (catalogapi.Record, error) {
	state, err := p.state(ctx, crd, at)
	if err != nil {
		return catalogapi.Record{}, err
	}
	record := catalogapi.Record{Filing: filingRef(&state.Newest), Fields: gp.Fields(&state.Adviser)}
	for i := range state.Funds {
		f := &state.Funds[i]
		record.Funds = append(record.Funds, catalogapi.FundRecord{
			FundID: f.FundID, Name: f.Name, Status: f.Status, Fields: fund.Fields(f),
		})
	}
	return record, nil
}

// FindFund resolves a fund's address.
func (p pastStates) FindFund(ctx context.Context, fundID string) (id, adviserCRD string, err error) {
	key, err := listing.FundPath{FundID: fundID}.Key()
	if err != nil {
		return "", "", err
	}
	f, err := p.store.FindFund(ctx, key.FundID, key.ID)
	if err != nil {
		return "", "", err
	}
	if f == nil {
		return "", "", listing.NoFund(fundID)
	}
	return f.FundID, f.AdviserCRD, nil
}

func (p pastStates) asOf(at catalogapi.Point) history.AsOf {
	return history.AsOf{Point: at, Today: p.clock.Now()}
}

func (p pastStates) find(ctx context.Context, crd string, known time.Time) (*fold.Adviser, error) {
	if err := p.store.WaitForCommit(ctx, known); err != nil {
		return nil, err
	}
	current, err := p.store.FindAdviser(ctx, crd)
	if err != nil {
		return nil, err
	}
	if current == nil {
		return nil, listing.NoGP(crd)
	}
	return current, nil
}

// state is an adviser at a point; NotFound when no filing that counts says anything of it.
func (p pastStates) state(ctx context.Context, crd string, at catalogapi.Point) (*fold.State, error) {
	current, err := p.find(ctx, crd, at.Known)
	if err != nil {
		return nil, err
	}
	state, err := p.store.AdviserAt(ctx, current, p.asOf(at))
	if err != nil {
		return nil, err
	}
	switch {
	case state != nil:
		return state, nil
	case at.Accession != "": // an ADV-W before all else that we know
		return nil, apperr.NotFound("GP with CRD %s is in no filing of Form ADV up to %s", crd, at.Accession)
	}
	return nil, listing.NotYet("GP with CRD "+crd, at.Moment)
}

func filingRef(f *fold.Filing) catalogapi.FilingRef {
	return catalogapi.FilingRef{
		Accession: f.Accession, FormType: f.FormType, AmendmentType: f.Amendment, Source: f.DocSource, FiledOn: f.FilingDate,
	}
}

func adviserState(s *fold.State) catalogapi.AdviserState {
	return catalogapi.AdviserState{
		Filing: filingRef(&s.Newest), CRD: s.CRD, LegalName: s.LegalName, City: known(s.City), State: known(s.State),
		Country: known(s.Country), Registration: known(s.RegistrationStatus), PrimaryStrategy: known(s.PrimaryStrategy),
		TotalAUM: s.TotalAUM, EmployeeCount: s.EmployeeCount, FundCount: s.FundCount, TotalGAV: s.TotalGAV,
		FirstFiledOn: s.FirstFiledOn, WithdrawnOn: known(s.WithdrawnOn), Unstated: s.Unstated,
	}
}

// known is a value, or the zero one where nobody said.
func known[T string | time.Time](v *T) (out T) {
	if v != nil {
		out = *v
	}
	return out
}
