package index

import (
	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/index/column"
)

// Analysis is what aggregates, related lists and the lists of a past day need of a catalog, and nothing else: no text, no rows ready
// for an answer, no closed funds, and few filters. It takes a small part of a Snapshot's memory, and of the time to build one. It is
// immutable and safe for concurrent use.
type Analysis struct{ s *Snapshot }

// OpenFund is a fund that is not closed, as an Analysis counts it.
type OpenFund struct {
	AdviserCRD  string
	Strategy    string
	VintageYear int64
	Quality     string // of the vintage
	GAV         int64  // USD; Unknown when not reported
}

// BuildAnalysis makes an Analysis of gps, which it takes over and reorders, and of their funds. It answers as a Snapshot
// of the same catalog does. fresh's counts are filled in; the funds are the open ones. former is the analysis of the advisers
// that have withdrawn or are in no list any more, and of their funds; nil = there are none.
func BuildAnalysis(gps []GP, funds []OpenFund, fresh Freshness, former *Analysis) *Analysis {
	ix := numberGPs(gps)
	ix.groupAnalysis()
	sortRecords(&ix.searchable, analysisNumbers[:], func(id int) []int64 { return ix.values(gpNumbers[id].Of) },
		func(i uint32) string { return gps[i].LegalName }, ix.byTie)
	ix.tie, ix.byTie = nil, nil
	s := &Snapshot{gps: ix, funds: newOpenFunds(funds, ix), fresh: fresh}
	s.grouped = newGroupColumns(s.gps, s.funds)
	// What only the columns were made from.
	s.funds.gp, s.funds.flags, s.funds.strategy = nil, nil, column.Dict{}
	s.funds.slots.owned = nil
	s.fresh.Advisers, s.fresh.Funds = len(gps), len(funds)
	s.scratch = newScratch(len(gps), len(funds))
	if former != nil {
		s.former = former.s
	}
	return &Analysis{s}
}

// newOpenFunds keeps the parts of the funds that are in slots, by adviser.
func newOpenFunds(funds []OpenFund, gps *gpIndex) *fundIndex {
	n := len(funds)
	ix := &fundIndex{searchable: searchable{n: n}, gp: make([]uint32, n), flags: make([]flags, n), gav: make([]int64, n)}
	vintages := make([]int64, n)
	strategy := column.NewDictRows(n)
	numbers := make([]uint32, n)
	for i := range funds {
		f := &funds[i]
		ix.gp[i] = noGP
		if gp, ok := gps.byCRD.Find(f.AdviserCRD); ok {
			ix.gp[i] = gp
		}
		ix.flags[i] = flagOpen | flags(qualityNumber(f.Quality))<<qualityShift // #nosec G115 -- not above 3
		ix.gav[i], vintages[i] = f.GAV, f.VintageYear
		strategy.Add(f.Strategy)
		numbers[i] = uint32(i)
	}
	ix.strategy = strategy.Dict()
	s := &ix.slots
	s.arrange(ix, numbers, len(gps.all)) // an analysis never lists an adviser's funds in the order of their names
	vintage, gav := make([]int64, len(s.fund)), make([]int64, len(s.fund))
	for i, f := range s.fund {
		vintage[i], gav[i] = vintages[f], ix.gav[f]
	}
	s.byAdviser = byAdviser{advisers: len(gps.all)}
	for id, values := range map[int][]int64{MatchVintage: vintage, MatchSize: gav} {
		s.numbers[id] = column.NewNumbers(values)
		s.byAdviser.high[id], s.byAdviser.low[id] = s.byAdviser.extremes(s, values)
	}
	s.groupWords(MatchQuality, s.kinds(ix))
	s.byAdviser.words[MatchQuality] = lift(s, s.words[MatchQuality], len(gps.all))
	ix.gav = nil
	return ix
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

// FindGP is Snapshot's.
func (a *Analysis) FindGP(crd string) (id uint32, ok bool) { return a.s.FindGP(crd) }

// RelatedGP is Snapshot's.
func (a *Analysis) RelatedGP(id uint32) catalogapi.RelatedGP { return a.s.RelatedGP(id) }

// Related is Snapshot's.
func (a *Analysis) Related(source uint32, wanted catalogapi.Factor, limit int) []catalogapi.Similar {
	return a.s.Related(source, wanted, limit)
}
