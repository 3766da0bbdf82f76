package index

import (
	"slices"

	"gpatlas/modules/catalog/internal/index/column"
)

// SearchGPs answers q exactly: the total, and the page in a total order.
func (s *Snapshot) SearchGPs(q *GPQuery) Result {
	sc, done := s.borrow(s.gps.n)
	defer done()
	asked := q.asked()
	m := s.gps.match(&asked)
	defer m.Release()
	conds := s.gps.conds(&asked, m, sc.conds[:0])
	r := s.gpMatches(q, conds, sc)
	return s.gps.page(&asked, &r, m, conds, sc)
}

// asked is what q asks of the advisers themselves.
func (q *GPQuery) asked() search {
	return search{q.Text, q.Words[:], q.Numbers[:], q.Answers[:], q.Strategies, q.Order, q.Desc, q.Limit, q.Offset}
}

// perAdviserShare: up to one adviser in so many funds, looking at the funds of each is cheaper than a walk over all funds.
const perAdviserShare = 512

// gpMatches evaluates conds and what q asks of the advisers' funds.
func (s *Snapshot) gpMatches(q *GPQuery, conds []column.Cond, sc *scratch) column.Result {
	if q.Fund == (FundMatch{}) {
		return column.Run(len(s.gps.all), conds, &sc.Scratch)
	}
	slots := &s.funds.slots
	var auditors []uint32
	if q.Fund.AuditorName != "" {
		auditors = s.funds.auditors.match(q.Fund.AuditorName)
	}
	conds, exact := slots.byAdviser.conds(conds, &q.Fund, auditors)
	r := column.Run(len(s.gps.all), conds, &sc.Scratch)
	if exact || r.N == 0 {
		return r
	}
	fund := slots.conds(sc.fundConds[:0], &q.Fund, auditors, sc.union[:(len(slots.fund)+63)/64])
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

// intersectFunds keeps of r the advisers with one fund that satisfies all of fund.
func (s *Snapshot) intersectFunds(r column.Result, fund []column.Cond, sc *scratch) column.Result {
	slots := column.Scratch{A: sc.fund[:(len(s.funds.slots.fund)+63)/64], List: sc.slots}
	slots.B = sc.spare[:len(slots.A)]
	hits := column.Run(len(s.funds.slots.fund), fund, &slots)
	sc.slots = slots.List
	gps := sc.B
	s.funds.slots.advisers(&hits, gps, sc.ends)
	if !r.All {
		gps.And(r.Bits)
	}
	return column.Result{N: gps.Count(), Bits: gps}
}
