package fold

import (
	"slices"
	"time"

	"gpatlas/modules/catalog/catalogapi"
)

// Filed is a filing with its flags of withdrawal and restatement.
type Filed struct {
	Filing
	Full     bool `gorm:"column:is_full"`  // a full withdrawal
	Restated bool `gorm:"column:restated"` // it has changed since
}

// Record is the input of folding one adviser: what was filed and is known as of some moment.
type Record struct {
	CRD          string
	Filings      []Filed             // its own, oldest first, ADV-W too
	Versions     []AdviserVersion    // what these state about it, in any order; folding sorts them
	FundVersions []FundVersion       // all versions of every fund that it ever named, whoever filed them, in any order
	Others       []Filed             // the filings of others that named these funds
	Notices      map[string][]Notice // of Form D, by the Fund ID of the funds that they are joined to
	Unlisted     *time.Time          // since when no list names it; nil: one does, or none ever did
	Overrides    Overrides           // of it and its funds, known as of that moment
}

// State is an adviser as its filings up to a moment said.
type State struct {
	Adviser
	Newest     Filing // the newest of its filings that count, an ADV-W and a list of funds too
	Funds      []Fund // its own, closed ones too, by Fund ID
	Provenance Provenance

	Unstated []string // in a timeline: see catalogapi.AdviserState

	origins []origin // of Funds
}

// FundProvenance says where the values of one of the funds come from. The adviser's provenance must have been asked for.
func (s *State) FundProvenance(i int) Provenance {
	p := s.origins[i].provenance(&s.Funds[i])
	if by, ok := s.Provenance["legal_name"]; ok {
		p["adviser_name"] = by
	}
	return p
}

// FundValues are what was stated of the value of one of the funds, oldest first.
func (s *State) FundValues(i int) []catalogapi.FundValue { return s.origins[i].versions.values() }

// State folds the record on a day, at least one of its versions, with the funds that are the adviser's; p takes the notes
// of where each value comes from and may be nil. The organization of the adviser depends on other
// advisers; the caller sets it.
func (r *Record) State(day time.Time, p Provenance) *State {
	state := &State{Newest: r.Filings[len(r.Filings)-1].Filing, Provenance: p}
	whole := lists(r.Versions)
	all := byFund(r.FundVersions)
	for i := range all {
		if f := &all[i]; f.newest.CRD == r.CRD {
			if state.Funds == nil { // it stays nil where the adviser has none
				state.Funds, state.origins = make([]Fund, 0, len(all)), make([]origin, 0, len(all))
			}
			fund, t := f.fold(whole, r.Notices[f.newest.FundID], day)
			r.Overrides.fund(&fund, &t, day)
			state.Funds, state.origins = append(state.Funds, fund), append(state.origins, t)
		}
	}
	state.Adviser = foldAdviser(r.Versions, state.Funds, state.origins, day, p)
	r.Overrides.adviser(&state.Adviser, day, p)
	newest := newestOf(&state.Newest, state.Funds, r.Notices)
	state.NewestFiledOn = newest.FilingDate
	p.note("latest_filing_date", newest)
	if w := Withdrawn(r.Filings, r.Versions); w != nil {
		state.WithdrawnOn = &w.FilingDate
		p.note("withdrawn_on", w)
	}
	if r.Unlisted != nil && !filedSince(r.Versions, *r.Unlisted) {
		state.NotListedSince = r.Unlisted
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

// Withdrawn returns the newest full withdrawal (Form ADV-W) among filings, the oldest first. It returns nil if there is none, or if
// a version is of the same day or later: a withdrawal must be later than everything else that we know of the adviser. A partial
// withdrawal ends one of several registrations, so the adviser continues.
//
// Spec: not shown; Form ADV-W states a day and no hour. A form of the same day counts as the later one, because showing a firm
// that has withdrawn does less harm than hiding one that has not.
func Withdrawn(filings []Filed, versions []AdviserVersion) *Filing {
	for i := range slices.Backward(filings) {
		f := &filings[i]
		if !f.Full {
			continue
		}
		if filedSince(versions, f.FilingDate) {
			return nil
		}
		return &f.Filing
	}
	return nil
}

// filedSince says that a version is of a day or later.
func filedSince(versions []AdviserVersion, day time.Time) bool {
	return find(versions, func(v *AdviserVersion) bool { return !v.FilingDate.Before(day) }) >= 0
}

// MarkInitial marks the filings of an adviser that were its first when no more than these were known: see firsts.
//
// Spec: not shown; whether a later filing was an annual amendment is as today.
func MarkInitial(oldestFirst []Filed) {
	first := firsts()
	for i := range oldestFirst {
		f := &oldestFirst[i]
		switch {
		case f.DocSource == catalogapi.SourceADVW:
		case first(&f.Filing):
			f.FormType, f.Amendment = "ADV", "initial"
		case f.FormType == "ADV":
			f.FormType, f.Amendment = "ADV/A", "material"
		}
	}
}
