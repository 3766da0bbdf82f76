package index

import (
	"slices"

	"gpatlas/modules/catalog/internal/index/column"
	"gpatlas/modules/catalog/internal/text"
)

// GPResult is one page of a search of advisers: how many there are in all, and the page's numbers.
type GPResult struct {
	Total int
	IDs   []uint32
}

// SearchGPs answers q exactly: the total, and the page in a total order.
func (s *Snapshot) SearchGPs(q *GPQuery) GPResult {
	sc, done := s.borrow(len(s.gps.all))
	defer done()
	m := s.gps.match(q.Text)
	defer m.Release()
	conds := s.gps.conds(q, sc.conds[:0])
	if q.Text != "" {
		conds = append(conds, textCond(m))
	}
	r := s.gpMatches(q, conds, sc)
	if q.Order == ByRelevance && m != nil {
		return GPResult{Total: r.N, IDs: relevant(&r, m, q.Limit, q.Offset, sc)}
	}
	return GPResult{Total: r.N, IDs: r.Page(s.gps.order(q.Order, q.Desc), conds, q.Limit, q.Offset, &sc.Scratch)}
}

func (ix *gpIndex) match(query string) *text.Matches {
	if query == "" {
		return nil
	}
	return ix.text.Match(query)
}

func (ix *gpIndex) order(by Order, desc bool) *column.Order {
	pick := func(asc, descending *column.Order) *column.Order {
		if desc {
			return descending
		}
		return asc
	}
	switch by {
	case ByAUM:
		return pick(ix.aumAsc, column.Identity)
	case ByFundCount:
		return pick(ix.fundsAsc, ix.fundsDesc)
	case ByEmployees:
		return pick(ix.staffAsc, ix.staffDesc)
	case ByRelevance: // without text the largest are the most relevant
		return column.Identity
	case ByName, ByGAV, ByVintage:
	}
	return pick(ix.nameAsc, ix.nameDesc)
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

// conds appends the filters that speak of the adviser itself, compiled.
func (ix *gpIndex) conds(q *GPQuery, conds []column.Cond) []column.Cond {
	for id := range q.Words {
		if asked := q.Words[id]; asked != "" {
			conds = append(conds, column.InSet(ix.words[id].Get(gpWords[id].As.Key(asked))))
		}
	}
	if len(q.Strategies) > 0 {
		conds = append(conds, column.InSet(ix.strategy.Any(len(ix.all), q.Strategies)))
	}
	conds = appendAnswers(conds, q.Answers[:], ix.answers[:])
	for id := range q.Numbers {
		switch r := &q.Numbers[id]; {
		case r.Open():
		case id == GPAUM:
			conds = append(conds, column.InDescending(ix.known, *r, func(i int) int64 { return ix.all[i].TotalAUM }))
		default:
			conds = append(conds, column.InRange(ix.numbers[id], *r))
		}
	}
	return conds
}
