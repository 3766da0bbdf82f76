package index

import (
	"slices"

	"gpatlas/modules/catalog/catalogapi"
)

// Analysis is what aggregates, related lists and the lists of a past day need of a catalog, and nothing else: no text, no rows ready
// for an answer, of closed funds no more than their IDs, and few filters. It takes a small part of a Snapshot's memory, and of the time to build one. It is
// immutable and safe for concurrent use.
type Analysis struct {
	s       *Snapshot
	noticed []fundNotice // of the funds that have notices of Form D, by Fund ID
}

// OpenFund is a fund that is not closed, as an Analysis has it.
type OpenFund struct {
	Number                      int64 // FundNumber of its Fund ID
	AdviserCRD                  string
	Strategy                    string
	State, Country, CountryCode string // under whose law it is organized
	VintageYear                 int64
	Quality                     string // of the vintage
	GAV                         int64  // USD; Unknown when not reported
}

// BuildAnalysis makes an Analysis of gps, which it takes over and reorders, and of their funds. FoundedYear of a GP is here the oldest vintage of
// its funds, closed ones too, or Unknown. It answers as a Snapshot
// of the same catalog does. fresh's counts are filled in; the funds are the open ones, which it takes over too, and closed has the numbers of
// the others. former is the analysis of the advisers that have withdrawn or are in no list any more, and of their funds; nil = there are none.
func BuildAnalysis(gps []GP, funds []OpenFund, closed []int64, fresh Freshness, former *Analysis) *Analysis {
	count := len(funds)
	ix := numberGPs(gps)
	ix.groupAnalysis()
	sortRecords(&ix.searchable, analysisNumbers[:], func(id int) []int64 { return ix.values(gpNumbers[id].Of) },
		func(i uint32) string { return gps[i].LegalName }, ix.byTie)
	ix.tie, ix.byTie = nil, nil
	s := &Snapshot{gps: ix, funds: newOpenFunds(funds, ix), fresh: fresh}
	s.grouped = newGroupColumns(s.gps, s.funds)
	s.funds.forget()
	slices.Sort(closed)
	s.funds.closed = closed
	s.fresh.Advisers, s.fresh.Funds = len(gps), count
	s.scratch = newScratch(len(gps), s.funds.n)
	if former != nil {
		s.former = former.s
	}
	return &Analysis{s: s}
}

// Freshness returns the age of the catalog.
func (a *Analysis) Freshness() Freshness { return a.s.Freshness() }

// analysisNumbers are the numbers of advisers that an Analysis is filtered and sorted by.
var analysisNumbers = [gpNumberCount]numberFilter[GP]{
	GPAUM: gpNumbers[GPAUM], GPFundCount: gpNumbers[GPFundCount], GPEmployees: gpNumbers[GPEmployees],
}

// SearchGPs is Snapshot's, for the advisers of the moment or the former ones, as q asks. It returns CRD numbers. q has no text and no
// facets, and filters and sorts only by what the index has.
func (a *Analysis) SearchGPs(q *GPQuery) (total int, crds []string) {
	of := a.s.Of(q.Former)
	found := of.SearchGPs(q)
	for _, id := range found.IDs {
		crds = append(crds, of.gps.all[id].CRD)
	}
	return found.Total, crds
}

// Has reports whether the Analysis has an adviser, and whether it was a former one.
func (a *Analysis) Has(crd string) (known, former bool) {
	in, _, ok := a.s.Find(crd)
	return ok, in != a.s
}

// Aggregate is Snapshot's.
func (a *Analysis) Aggregate(q *AggregateQuery) []AggregateRow {
	return a.s.Aggregate(q)
}

// Group is Snapshot's. q filters only by what the index has, and asks for no growth.
func (a *Analysis) Group(q *GroupQuery) []AggregateRow { return a.s.Group(q) }

// FindGP is Snapshot's.
func (a *Analysis) FindGP(crd string) (id uint32, ok bool) { return a.s.FindGP(crd) }

// RelatedGP is Snapshot's.
func (a *Analysis) RelatedGP(id uint32) catalogapi.RelatedGP { return a.s.RelatedGP(id) }

// Related is Snapshot's.
func (a *Analysis) Related(source uint32, wanted catalogapi.Factor, limit int) []catalogapi.Similar {
	return a.s.Related(source, wanted, limit)
}
