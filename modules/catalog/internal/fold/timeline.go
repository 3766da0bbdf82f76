package fold

import (
	"slices"

	"gpatlas/modules/catalog/catalogapi"
)

// Timeline is the adviser's state after each of its filings, oldest first: filing after filing is added to the state before
// it. The states are without the funds, and without what catalogapi.AdviserState does not show and what depends on the day
// that is asked for: see blank.
//
// Spec: not shown; a fund that another adviser reports is that adviser's from this one's next filing on, and in the last
// state at once, which is thus that of today.
func (r *Record) Timeline() (states []State) {
	totals := &fundTotals{crd: r.CRD, filings: map[string]*filingFunds{}, byID: map[string]int{}}
	for i := range r.FundVersions {
		totals.add(&r.FundVersions[i])
	}
	own, others := slices.Clone(r.Versions), slices.Clone(r.Others)
	slices.SortFunc(others, func(x, y Filed) int { return Order(&x.Filing, &y.Filing) })
	slices.SortFunc(own, func(x, y AdviserVersion) int { return Order(&x.Filing, &y.Filing) })
	versionsUpTo, othersUpTo := 0, 0 // versions, and filings of others, up to the filing
	for i := range r.Filings {
		f := &r.Filings[i].Filing
		for ; versionsUpTo < len(own) && Order(&own[versionsUpTo].Filing, f) <= 0; versionsUpTo++ {
		}
		for ; othersUpTo < len(others) && Order(&others[othersUpTo].Filing, f) < 0; othersUpTo++ {
			totals.apply(&others[othersUpTo].Filing)
		}
		totals.apply(f)
		if i == len(r.Filings)-1 {
			for ; othersUpTo < len(others); othersUpTo++ {
				totals.apply(&others[othersUpTo].Filing)
			}
		}
		if versionsUpTo == 0 {
			continue // a withdrawal before all known versions
		}
		versions := slices.Clone(own[:versionsUpTo])
		state := State{Newest: *f}
		state.Adviser = foldAdviser(versions, totals.ownFunds(NewestList(versions)), nil, f.FilingDate, nil)
		state.Unstated = unstated(versions, &state.Adviser)
		state.blank()
		if w := Withdrawn(r.Filings[:i+1], versions); w != nil {
			state.WithdrawnOn = &w.FilingDate
		}
		states = append(states, state)
	}
	return states
}

// blank clears the fields that the running totals cannot give, and those that depend on the day asked for. The organization
// is not computed.
func (a *Adviser) blank() {
	a.NetGAV, a.TotalInvestors, a.FoundedYear, a.FoundedYearBasis, a.SECStatus, a.RegisteredOn, a.NotListedSince = nil, nil, nil, nil, nil, nil, nil
}

// fundTotals are the funds that an adviser named, as of the filings applied so far, with the fields that its totals need. It
// keeps as little as possible of a version, because there may be tens of thousands.
type fundTotals struct {
	crd     string
	filings map[string]*filingFunds // by accession
	last    *filingFunds
	byID    map[string]int // by Fund ID
	funds   []trackedFund
	owned   []Fund // the adviser's own, in no order; ID is the index in funds
}

// filingFunds are the funds that one filing reports.
type filingFunds struct {
	accession string
	funds     []reportedFund
}

type reportedFund struct {
	fund     int
	inputs   *strategyInputs
	strategy string
	gav      *int64
	silent   []string // fields for which the document had no column
}

// trackedFund is one fund.
type trackedFund struct {
	latest   *strategyInputs // of the version added last
	strategy string          // derived from latest
	silent   bool            // some version is silent about a field
	applied  []*reportedFund // where one is: the versions of the filings applied, oldest first
	newest   *Filing         // that named it, of those applied
	ownedAt  int             // index in owned; -1: not there
}

// strategyInputs are the fields from which the strategy of a fund is derived.
type strategyInputs struct {
	name, kind, other     string
	answered, fundOfFunds bool
}

func (t *strategyInputs) strategy() string {
	f := FiledFund{Name: t.name, FundType: &t.kind, FundTypeOther: &t.other}
	if t.answered {
		f.IsFundOfFunds = &t.fundOfFunds
	}
	return f.strategy()
}

// answer is the answer to a field as text.
func (t *strategyInputs) answer(field string) string {
	switch field {
	case catalogapi.FieldFundType:
		return t.kind
	case catalogapi.FieldFundTypeOther:
		return t.other
	}
	return ""
}

// completed is what the last of a fund's versions says, with the fields that it is silent about as those before state them.
func completed(versions []*reportedFund) *strategyInputs {
	newest := versions[len(versions)-1]
	at := func(i int) *reportedFund { return versions[len(versions)-1-i] }
	all := fieldReader{len(versions), func(i int, field string) (string, bool) {
		return at(i).inputs.answer(field), !slices.Contains(at(i).silent, field)
	}}
	out := *newest.inputs
	carried := func(field string) *strategyInputs {
		if slices.Contains(newest.silent, field) {
			if _, i := all.newest(field, 1); i > 0 && all.holds(catalogapi.FundGroups, field, i) {
				return at(i).inputs
			}
		}
		return newest.inputs
	}
	out.kind = carried(catalogapi.FieldFundType).kind
	out.other = carried(catalogapi.FieldFundTypeOther).other
	if slices.Contains(newest.silent, catalogapi.FieldFundTypeOther) && !asked(catalogapi.FundGroups, catalogapi.FieldFundTypeOther, out.answer) {
		out.other = ""
	}
	from := carried(catalogapi.FieldFundOfFunds)
	out.answered, out.fundOfFunds = from.answered, from.fundOfFunds
	return &out
}

// add adds a version, to take effect when its filing is applied.
func (t *fundTotals) add(v *FundVersion) {
	if t.last == nil || t.last.accession != v.Accession {
		if t.last = t.filings[v.Accession]; t.last == nil {
			t.last = &filingFunds{accession: v.Accession}
			t.filings[v.Accession] = t.last
		}
	}
	i, ok := t.byID[v.FundID]
	if !ok {
		i = len(t.funds)
		t.byID[v.FundID] = i
		t.funds = append(t.funds, trackedFund{ownedAt: -1})
	}
	f := &t.funds[i]
	from := strategyInputs{v.Name, value(v.FundType), value(v.FundTypeOther), v.IsFundOfFunds != nil, value(v.IsFundOfFunds)}
	if !ok || *f.latest != from {
		f.latest, f.strategy = &from, v.strategy()
	}
	f.silent = f.silent || len(v.Silent) > 0
	t.last.funds = append(t.last.funds, reportedFund{i, f.latest, f.strategy, v.GrossAssetValue, v.Silent})
}

// apply applies the versions of a filing, which is newer than all applied before.
func (t *fundTotals) apply(by *Filing) {
	p := t.filings[by.Accession]
	if p == nil {
		return
	}
	for i := range p.funds {
		e := &p.funds[i]
		f := &t.funds[e.fund]
		f.newest = by
		strategy := e.strategy
		if f.silent {
			f.applied = append(f.applied, e)
		}
		if len(e.silent) > 0 {
			if current := completed(f.applied); *current != *e.inputs {
				strategy = current.strategy()
			}
		}
		switch own := by.CRD == t.crd; {
		case own && f.ownedAt < 0:
			f.ownedAt = len(t.owned)
			t.owned = append(t.owned, Fund{ID: int64(e.fund)})
		case !own && f.ownedAt >= 0: // it moves to another adviser; the last one fills the gap
			end := len(t.owned) - 1
			t.funds[t.owned[end].ID].ownedAt = f.ownedAt
			t.owned[f.ownedAt] = t.owned[end]
			t.owned, f.ownedAt = t.owned[:end], -1
		}
		if f.ownedAt >= 0 {
			owned := &t.owned[f.ownedAt]
			owned.Strategy, owned.GrossAssetValue = strategy, e.gav
		}
	}
}

// ownFunds are the funds that are the adviser's, each closed or active: the totals need no more. The result is valid until
// the next apply.
func (t *fundTotals) ownFunds(listed *Filing) []Fund {
	for i := range t.owned {
		f := &t.owned[i]
		f.Status = catalogapi.FundActive
		if closes(listed, t.funds[f.ID].newest) {
			f.Status = catalogapi.FundClosed
		}
	}
	return t.owned
}
