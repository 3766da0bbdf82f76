package catalog

import (
	"context"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/modules/catalog/internal/fund"
	"gpatlas/modules/catalog/internal/gp"
	"gpatlas/modules/catalog/internal/history"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/listing"
	"gpatlas/modules/catalog/internal/storedhistory"
	"gpatlas/platform/apperr"
	"gpatlas/platform/clock"
)

// pastStates answers other modules from the stored versions of filings.
type pastStates struct {
	store *history.Store
	index *index.Holder
	clock clock.Clock
}

func newHistory(store *history.Store, holder *index.Holder, clk clock.Clock) catalogapi.History {
	return pastStates{store, holder, clk}
}

// Course is the adviser as of a moment and the way there.
func (p pastStates) Course(ctx context.Context, crd string, at catalogapi.Moment) (catalogapi.AdviserWithFunds, []catalogapi.AdviserState, error) {
	if at.Now() {
		standing, timeline, ok, err := p.store.KeptCourse(ctx, crd)
		if ok || err != nil {
			return standing, timeline, err
		}
	}
	current, err := p.find(ctx, crd, at.Known)
	if err != nil {
		return catalogapi.AdviserWithFunds{}, nil, err
	}
	state, timeline, err := p.store.CourseAt(ctx, current.CRD, p.asOf(catalogapi.Point{Moment: at}))
	if err != nil {
		return catalogapi.AdviserWithFunds{}, nil, err
	}
	if state == nil {
		return catalogapi.AdviserWithFunds{}, nil, listing.NotYet("GP with CRD "+crd, at)
	}
	return storedhistory.StandingOf(state), storedhistory.TimelineOf(timeline), nil
}

// Timeline is the adviser after each of its filings that count.
func (p pastStates) Timeline(ctx context.Context, crd string, at catalogapi.Moment) ([]catalogapi.AdviserState, error) {
	if at.Now() {
		timeline, ok, err := p.store.KeptTimeline(ctx, crd)
		if ok || err != nil {
			return timeline, err
		}
	}
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
	return storedhistory.TimelineOf(states), nil
}

// Record is everything that detail answers show at a point.
func (p pastStates) Record(ctx context.Context, crd string, at catalogapi.Point) (catalogapi.Record, error) {
	state, err := p.state(ctx, crd, at)
	if err != nil {
		return catalogapi.Record{}, err
	}
	record := catalogapi.Record{Filing: storedhistory.FilingRef(&state.Newest), Fields: gp.Fields(&state.Adviser)}
	for i := range state.Funds {
		f := &state.Funds[i]
		record.Funds = append(record.Funds, catalogapi.FundRecord{
			FundID: f.FundID, Name: f.Name, Status: f.Status, Fields: fund.Fields(p.index, f),
		})
	}
	return record, nil
}

// FindFund resolves a fund's address.
func (p pastStates) FindFund(ctx context.Context, fundID string) (id, adviserCRD string, err error) {
	key, err := listing.KeyOf(fundID)
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
		return nil, apperr.NotFound(catalogapi.NoGP, crd)
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
