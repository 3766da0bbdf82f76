package index

import (
	"slices"

	"gpatlas/modules/catalog/internal/index/column"
	"gpatlas/modules/catalog/internal/text"
)

// SearchGPs answers q exactly: the total, and the page in a total order.
func (s *Snapshot) SearchGPs(q *GPQuery) Result {
	if m := &q.Fund.Services; m.named() { // once, not for each facet
		q = new(*q)
		q.Fund.Services.hits = s.services.find(m)
	}
	sc, done := s.borrow(s.gps.n)
	defer done()
	asked := q.asked()
	who, holders := s.identify(q.Text, (*Snapshot).gpHolders)
	asked.holders = holders
	m := s.gps.match(&asked)
	defer m.Release()
	conds := s.gpConds(q, &asked, m, sc)
	r := s.gpMatches(q, conds, sc)
	out := s.gps.page(&asked, &r, m, conds, sc)
	out.Identified = who
	if q.CountGrowth {
		out.Growth = s.gps.countGrowth(&r, q.Horizon)
	}
	if len(q.Facets) > 0 {
		out.Facets = facetsOf(q, q.Facets, q.FacetLimit, gpFacets[:], s.gps.facets[:], r, func(q *GPQuery) column.Result {
			asked := q.asked()
			asked.holders = holders
			return s.gpMatches(q, s.gpConds(q, &asked, m, sc), sc)
		}, sc)
	}
	return out
}

// asked is what q asks of the advisers themselves.
func (q *GPQuery) asked() search {
	return search{
		text: q.Text, words: q.Words[:], numbers: q.Numbers[:], answers: q.Answers[:], strategies: q.Strategies,
		order: q.Order, desc: q.Desc, limit: q.Limit, offset: q.Offset,
	}
}

// gpConds is what q asks of the advisers themselves, compiled; the CRD numbers asked for become numbers of records.
func (s *Snapshot) gpConds(q *GPQuery, asked *search, m *text.Matches, sc *scratch) []column.Cond {
	ix := s.gps
	conds := ix.conds(asked, m, sc.conds[:0])
	if q.Band != "" {
		conds = append(conds, column.InDescending(ix.known, BandRange(q.Band), ix.size))
	}
	if !q.ClosedFund.Open() {
		conds = append(conds, column.Scan(s.closings, q.ClosedFund))
	}
	if !q.Offered.Open() {
		conds = append(conds, column.Scan(s.offered, q.Offered))
	}
	conds = s.reports.conds(q, ix.n, conds)
	if len(q.CRDs.Any) > 0 {
		asked.sent = found(q.CRDs.Any, ix.byCRD.Find)
		conds = append(conds, column.InSet(listed(asked.sent)))
	}
	if len(q.CRDs.None) > 0 {
		conds = append(conds, column.NotInSet(listed(found(q.CRDs.None, ix.byCRD.Find)), ix.n))
	}
	return conds
}

// found are the numbers of the records with keys, in their order; what is not in the index is left out.
func found(keys []string, find func(key string) (uint32, bool)) []uint32 {
	list := make([]uint32, 0, len(keys))
	for _, key := range keys {
		if i, ok := find(key); ok {
			list = append(list, i)
		}
	}
	return list
}

// listed is the set of the records in list.
func listed(list []uint32) *column.Set {
	sorted := slices.Clone(list)
	slices.Sort(sorted)
	return column.ListSet(slices.Compact(sorted))
}

// perAdviserShare: up to one adviser in so many funds, looking at the funds of each is cheaper than a walk over all funds.
const perAdviserShare = 512

// gpMatches evaluates conds and what q asks of the advisers' funds.
func (s *Snapshot) gpMatches(q *GPQuery, conds []column.Cond, sc *scratch) column.Result {
	if q.Fund.Empty() {
		return column.Run(len(s.gps.all), conds, &sc.Scratch)
	}
	slots := &s.funds.slots
	auditors := s.auditorsOf(&q.Fund)
	first := len(conds)
	conds = slots.byAdviser.conds(conds, &q.Fund, auditors)
	conds = s.services.gpConds(conds, &q.Fund.Services, s.funds, len(s.gps.all))
	exact := len(conds) == first+1 // this one condition is enough
	r := column.Run(len(s.gps.all), conds, &sc.Scratch)
	if exact || r.N == 0 {
		return r
	}
	fund := s.slotConds(&q.Fund, auditors, sc)
	if r.Bits != nil && r.N <= max(64, len(slots.fund)/perAdviserShare) {
		sc.List = r.Bits.AppendAll(sc.List[:0])
		r = column.Result{N: len(sc.List), List: sc.List}
	}
	if r.Bits == nil && !r.All {
		column.Sort(fund)
		r.List = slices.DeleteFunc(r.List, func(gp uint32) bool { return !slots.anyOpen(gp, fund) })
		r.N = len(r.List)
		return r
	}
	return s.intersectFunds(r, fund, sc)
}

// slotConds is what m asks of slots.
func (s *Snapshot) slotConds(m *FundMatch, auditors []uint32, sc *scratch) []column.Cond {
	slots := &s.funds.slots
	conds := slots.conds(sc.fundConds[:0], m, auditors, sc.union[:(len(slots.fund)+63)/64])
	return s.services.slotConds(conds, &m.Services, slots)
}

// intersectFunds keeps of r the advisers with one fund that satisfies all of fund.
func (s *Snapshot) intersectFunds(r column.Result, fund []column.Cond, sc *scratch) column.Result {
	hits := s.matching(fund, sc)
	gps := sc.B
	s.funds.slots.advisers(&hits, gps, sc.ends)
	if !r.All {
		gps.And(r.Bits)
	}
	return column.Result{N: gps.Count(), Bits: gps}
}

// auditorsOf are the codes of the auditors that a match asks for.
func (s *Snapshot) auditorsOf(m *FundMatch) (codes []uint32) {
	for _, name := range m.Auditors {
		codes = append(codes, s.funds.auditors.match(name)...)
	}
	return codes
}

// matching are the slots of the funds that satisfy all of fund.
func (s *Snapshot) matching(fund []column.Cond, sc *scratch) column.Result {
	slots := column.Scratch{A: sc.fund[:(len(s.funds.slots.fund)+63)/64], List: sc.slots}
	slots.B = sc.spare[:len(slots.A)]
	hits := column.Run(len(s.funds.slots.fund), fund, &slots)
	sc.slots = slots.List
	return hits
}
