package history

import (
	"context"
	"maps"
	"slices"

	"gpatlas/modules/catalog/catalogapi"
)

// State is an adviser as its filings up to a moment said.
type State struct {
	Adviser
	Newest     Filing                   // the newest of its filings that count, an ADV-W and a list of funds too
	Funds      []Fund                   // its own, closed ones too, by Fund ID
	Values     [][]catalogapi.FundValue // what was stated of each of these, oldest first
	Provenance Provenance

	Unstated []string // in a timeline: see catalogapi.AdviserState
}

// AdviserAt folds what the filings of an adviser that count said; nil when none says anything. It fails with NotFound when
// the filing that it ends at is not the adviser's.
func (s *Store) AdviserAt(ctx context.Context, current *Adviser, asOf AsOf) (state *State, err error) {
	err = s.reading(ctx, asOf.Known, func(r *reader) error {
		a, err := r.adviserFilings(ctx, current.CRD, &asOf)
		if a == nil {
			return err
		}
		var versions []FundVersion
		_, err = a.fundVersions(ctx, r, wholeFund, func(v *FundVersion) { versions = append(versions, *v) })
		if err != nil {
			return err
		}
		notices, err := r.notices(ctx, versions, &a.bounds)
		if err != nil {
			return err
		}
		canonicalID := current.CanonicalGPID
		if a.through != nil || !asOf.Now() {
			if canonicalID, err = r.organisation(ctx, a.crd, &a.bounds); err != nil {
				return err
			}
		}
		state = a.fold(versions, notices, canonicalID)
		state.NotListedSince, err = a.unlisted(ctx, r)
		return err
	})
	return state, err
}

func (a *adviserFilings) fold(versions []FundVersion, notices map[string][]Notice, canonicalID int64) *State {
	byFund := map[string]*running{}
	for i := range versions {
		v := &versions[i]
		if byFund[v.FundID] == nil {
			byFund[v.FundID] = &running{}
		}
		byFund[v.FundID].add(v)
	}
	state := &State{Newest: a.filings[len(a.filings)-1].Filing, Provenance: Provenance{}}
	listed := newestList(a.versions)
	var origins []origin
	for _, id := range slices.Sorted(maps.Keys(byFund)) {
		if f := byFund[id]; f.newest.CRD == a.crd {
			fund, t := f.fold(listed, notices[id], a.today)
			state.Funds, origins = append(state.Funds, fund), append(origins, t)
			state.Values = append(state.Values, f.values())
		}
	}
	state.Adviser = foldAdviser(a.versions, state.Funds, origins, canonicalID, a.today, state.Provenance)
	newest := newestOf(&state.Newest, state.Funds, notices)
	state.NewestFiledOn = newest.FilingDate
	state.Provenance.note("latest_filing_date", newest)
	if w := withdrawn(a.filings, a.versions); w != nil {
		state.WithdrawnOn = &w.FilingDate
		state.Provenance.note("withdrawn_on", w)
	}
	return state
}

// newestOf is the newest of an adviser's filings and of the notices that are joined to its funds, as its list of filings
// shows them.
func newestOf(filing *Filing, funds []Fund, notices map[string][]Notice) *Filing {
	for i := range funds {
		of := notices[funds[i].FundID]
		for k := range of {
			if n := &of[k]; n.FilingDate.After(filing.FilingDate) {
				filing = n.filing()
			}
		}
	}
	return filing
}

// FundState is a fund as the filings up to a moment said.
type FundState struct {
	Fund
	AdviserName string // its adviser's legal name then
	Provenance  Provenance
}

// FundAt folds what the filings that count said of a fund; nil when none names it. Only a moment limits it.
func (s *Store) FundAt(ctx context.Context, current *Fund, asOf AsOf) (state *FundState, err error) {
	b := asOf.bounds(nil)
	err = s.reading(ctx, asOf.Known, func(r *reader) error {
		var versions []FundVersion
		_, err := b.fundVersionsElsewhere(ctx, r, wholeFund, []string{current.FundID}, "", func(v *FundVersion) {
			versions = append(versions, *v)
		})
		if err != nil || len(versions) == 0 {
			return err
		}
		var all running
		for i := range versions {
			all.add(&versions[i])
		}
		adviser, err := r.adviserOf(ctx, all.newest.CRD, b)
		if err != nil {
			return err
		}
		notices, err := r.notices(ctx, versions, &b)
		if err != nil {
			return err
		}
		f, t := all.fold(newestList(adviser.versions), notices[current.FundID], b.today)
		f.ID = current.ID
		state = &FundState{Fund: f, Provenance: t.provenance(&f)}
		newestFirst(adviser.versions)
		if named := adviser.versions; len(named) > 0 {
			state.AdviserName = named[0].LegalName
			state.Provenance.note("adviser_name", &named[0].Filing)
		}
		return nil
	})
	return state, err
}
