package index

import (
	"slices"

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
	conds := s.gps.conds(q)
	if q.Text != "" {
		conds = append(conds, textCond(m))
	}
	r := s.gpMatches(q, conds, sc)
	if q.Order == ByRelevance && m != nil {
		return GPResult{Total: r.n, IDs: r.relevant(m, q.Limit, q.Offset, sc)}
	}
	return GPResult{Total: r.n, IDs: r.page(s.gps.order(q.Order, q.Desc), conds, q.Limit, q.Offset, sc)}
}

func (ix *gpIndex) match(query string) *text.Matches {
	if query == "" {
		return nil
	}
	return ix.text.Match(query)
}

func (ix *gpIndex) order(by Order, desc bool) *order {
	pick := func(asc, descending *order) *order {
		if desc {
			return descending
		}
		return asc
	}
	switch by {
	case ByAUM:
		return pick(ix.aumAsc, identity)
	case ByFundCount:
		return pick(ix.fundsAsc, ix.fundsDesc)
	case ByEmployees:
		return pick(ix.staffAsc, ix.staffDesc)
	case ByRelevance: // without text the largest are the most relevant
		return identity
	case ByName, ByGAV, ByVintage:
	}
	return pick(ix.nameAsc, ix.nameDesc)
}

// perAdviserShare: up to one adviser in so many funds, looking at the funds of each is cheaper than a walk over all funds.
const perAdviserShare = 512

// gpMatches evaluates conds and what q asks of the advisers' funds.
func (s *Snapshot) gpMatches(q *GPQuery, conds []cond, sc *scratch) result {
	if q.Fund == (FundMatch{}) {
		return run(len(s.gps.all), conds, sc)
	}
	slots := &s.funds.slots
	var auditors []uint32
	if q.Fund.AuditorName != "" {
		auditors = s.funds.auditors.match(q.Fund.AuditorName)
	}
	conds, exact := slots.byAdviser.conds(conds, &q.Fund, auditors)
	r := run(len(s.gps.all), conds, sc)
	if exact || r.n == 0 {
		return r
	}
	fund := slots.conds(&q.Fund, auditors, sc.union[:(len(slots.fund)+63)/64])
	if r.bits != nil && r.n <= max(64, len(slots.fund)/perAdviserShare) {
		sc.list = r.bits.appendAll(sc.list[:0])
		r = result{n: len(sc.list), list: sc.list}
	}
	if r.bits == nil && !r.all {
		r.list = slices.DeleteFunc(r.list, func(gp uint32) bool { return !slots.anyOpen(gp, fund) })
		r.n = len(r.list)
		return r
	}
	return s.intersectFunds(r, fund, sc)
}

// intersectFunds keeps of r the advisers with one fund that satisfies all of fund.
func (s *Snapshot) intersectFunds(r result, fund []cond, sc *scratch) result {
	slots := scratch{a: sc.fund[:(len(s.funds.slots.fund)+63)/64], list: sc.slots}
	slots.b = sc.spare[:len(slots.a)]
	hits := run(len(s.funds.slots.fund), fund, &slots)
	sc.slots = slots.list
	gps := sc.b
	s.funds.slots.advisers(&hits, gps, sc.ends)
	if !r.all {
		gps.and(r.bits)
	}
	return result{n: gps.count(), bits: gps}
}

// conds compiles the filters that speak of the adviser itself.
func (ix *gpIndex) conds(q *GPQuery) []cond {
	conds := make([]cond, 0, 16)
	for id := range q.Words {
		if asked := q.Words[id]; asked != "" {
			conds = append(conds, setCond(ix.words[id].get(gpWords[id].As.Key(asked))))
		}
	}
	if len(q.Strategies) > 0 {
		conds = append(conds, setCond(ix.strategy.any(len(ix.all), q.Strategies)))
	}
	conds = appendAnswers(conds, q.Answers[:], ix.answers[:])
	for id := range q.Numbers {
		switch r := &q.Numbers[id]; {
		case r.open():
		case id == GPAUM:
			conds = append(conds, descendingSpan(ix.known, *r, func(i int) int64 { return ix.all[i].TotalAUM }))
		default:
			conds = append(conds, rangeCond(ix.numbers[id], *r))
		}
	}
	return conds
}
