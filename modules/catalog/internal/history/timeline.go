package history

import (
	"context"
	"slices"

	"gpatlas/modules/catalog/catalogapi"
)

// Timeline folds an adviser after each of its filings that count, oldest first. Its states are without the funds, and
// without what catalogapi.AdviserState does not show and what they were not read for: see blank.
func (s *Store) Timeline(ctx context.Context, current *Adviser, cut Cut) (states []State, err error) {
	err = s.reading(ctx, cut.Known, func(r *reader) error {
		a, err := r.account(ctx, current.CRD, &cut)
		if a == nil {
			return err
		}
		l := newLedger(a.crd)
		others, err := a.fundVersions(ctx, r, summedFund, l.enter)
		if err != nil {
			return err
		}
		states = a.timeline(l, others)
		return nil
	})
	return states, err
}

// timeline adds filing after filing to what stood before it.
//
// Spec: not shown; a fund that another adviser reports is that adviser's from this one's next filing on, and in the last
// state at once, which is thus that of today.
func (a *account) timeline(l *ledger, others []filed) (states []State) {
	oldestFirst := func(x, y filed) int { return order(&x.Filing, &y.Filing) }
	slices.SortFunc(others, oldestFirst)
	slices.SortFunc(a.versions, func(x, y AdviserVersion) int { return order(&x.Filing, &y.Filing) })
	said, named := 0, 0 // versions, and filings of others, up to the filing
	for i := range a.filings {
		f := &a.filings[i].Filing
		for ; said < len(a.versions) && order(&a.versions[said].Filing, f) <= 0; said++ {
		}
		for ; named < len(others) && order(&others[named].Filing, f) < 0; named++ {
			l.post(&others[named].Filing)
		}
		l.post(f)
		if i == len(a.filings)-1 {
			for ; named < len(others); named++ {
				l.post(&others[named].Filing)
			}
		}
		if said == 0 {
			continue // a withdrawal before all else that we know
		}
		versions := slices.Clone(a.versions[:said])
		state := State{Newest: *f}
		state.Adviser = foldAdviser(versions, l.own(newestList(versions)), nil, 0, f.FilingDate, nil)
		state.blank()
		if w := withdrawn(a.filings[:i+1], versions); w != nil {
			state.WithdrawnOn = &w.FilingDate
		}
		states = append(states, state)
	}
	return states
}

// blank takes out what depends on more of the funds than the totals do, and on the day that is asked for. Which organisation
// an adviser belonged to is not looked for.
func (a *Adviser) blank() {
	a.TotalInvestors, a.FoundedYear, a.FoundedYearBasis, a.SECStatus, a.RegisteredOn, a.NotListedSince = nil, nil, nil, nil, nil, nil
}

// ledger is the funds that an adviser named, as far as filings have been posted: what its totals rest on, and no more. It
// keeps as little as possible of a version, for there may be tens of thousands.
type ledger struct {
	crd   string
	pages map[string]*page // by accession
	last  *page
	at    map[string]int // by Fund ID
	lines []line
	book  []Fund // those that are the adviser's, in no order
}

// page is what one filing said of funds.
type page struct {
	accession string
	entries   []entry
}

type entry struct {
	line     int
	told     *told
	strategy string
	gav      *int64
	silent   []string // what of it the document had no column for
}

// line is one fund.
type line struct {
	told   *told   // entered last
	said   string  // the strategy that is told from it
	stands *told   // as of what is posted
	newest *Filing // that named it, of those posted
	place  int     // in the book; -1: not there
}

// told is what the strategy of a fund is told from.
type told struct {
	name, kind, other     string
	answered, fundOfFunds bool
}

func (t *told) strategy() string {
	f := FiledFund{Name: t.name, FundType: &t.kind, FundTypeOther: &t.other}
	if t.answered {
		f.IsFundOfFunds = &t.fundOfFunds
	}
	return f.strategy()
}

// stated is what a version says, with what it is silent about as it stood before, if it did.
func (t *told) stated(silent []string, before *told) *told {
	if before == nil {
		return t
	}
	out := *t
	for _, field := range silent {
		switch field {
		case catalogapi.FieldFundType:
			out.kind = before.kind
		case catalogapi.FieldFundTypeOther:
			out.other = before.other
		case catalogapi.FieldFundOfFunds:
			out.answered, out.fundOfFunds = before.answered, before.fundOfFunds
		}
	}
	return &out
}

func newLedger(crd string) *ledger {
	return &ledger{crd: crd, pages: map[string]*page{}, at: map[string]int{}}
}

// enter notes a version for its filing to be posted.
func (l *ledger) enter(v *FundVersion) {
	if l.last == nil || l.last.accession != v.Accession {
		if l.last = l.pages[v.Accession]; l.last == nil {
			l.last = &page{accession: v.Accession}
			l.pages[v.Accession] = l.last
		}
	}
	n, ok := l.at[v.FundID]
	if !ok {
		n = len(l.lines)
		l.at[v.FundID] = n
		l.lines = append(l.lines, line{place: -1})
	}
	of := &l.lines[n]
	from := told{v.Name, value(v.FundType), value(v.FundTypeOther), v.IsFundOfFunds != nil, value(v.IsFundOfFunds)}
	if !ok || *of.told != from {
		of.told, of.said = &from, v.strategy()
	}
	l.last.entries = append(l.last.entries, entry{n, of.told, of.said, v.GrossAssetValue, v.Silent})
}

// post adds what a filing said, which is newer than all posted before.
func (l *ledger) post(by *Filing) {
	p := l.pages[by.Accession]
	if p == nil {
		return
	}
	for i := range p.entries {
		e := &p.entries[i]
		of := &l.lines[e.line]
		of.newest = by
		strategy := e.strategy
		if before := of.stands; len(e.silent) == 0 || before == nil {
			of.stands = e.told
		} else if of.stands = e.told.stated(e.silent, before); *of.stands != *e.told {
			strategy = of.stands.strategy()
		}
		switch own := by.CRD == l.crd; {
		case own && of.place < 0:
			of.place = len(l.book)
			l.book = append(l.book, Fund{ID: int64(e.line)})
		case !own && of.place >= 0: // it moves to another adviser, and the last one takes its place
			end := len(l.book) - 1
			l.lines[l.book[end].ID].place = of.place
			l.book[of.place] = l.book[end]
			l.book, of.place = l.book[:end], -1
		}
		if of.place >= 0 {
			f := &l.book[of.place]
			f.Strategy, f.GrossAssetValue = strategy, e.gav
		}
	}
}

// own is the funds that are the adviser's, each closed or active: the totals ask for no more. It stands until the next
// post.
func (l *ledger) own(listed *Filing) []Fund {
	for i := range l.book {
		f := &l.book[i]
		f.Status = active
		if closes(listed, l.lines[f.ID].newest) {
			f.Status = closed
		}
	}
	return l.book
}
