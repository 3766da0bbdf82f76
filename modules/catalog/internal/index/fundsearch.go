package index

import (
	"slices"
	"sort"

	"gpatlas/modules/catalog/internal/text"
)

// FundResult is one page of a search of funds: how many there are in all, and the page's numbers.
type FundResult struct {
	Total int
	IDs   []uint32
}

// SearchFunds answers q exactly: the total, and the page in a total order.
func (s *Snapshot) SearchFunds(q *FundQuery) FundResult {
	sc, done := s.borrow(s.funds.n)
	defer done()
	m := s.funds.match(q.Text)
	defer m.Release()
	conds := s.fundConds(q)
	if q.Text != "" {
		conds = append(conds, textCond(m))
	}
	r := run(s.funds.n, conds, sc)
	if q.Order == ByRelevance && m != nil {
		return FundResult{Total: r.n, IDs: r.relevant(m, q.Limit, q.Offset, sc)}
	}
	return FundResult{Total: r.n, IDs: r.page(s.funds.order(q.Order, q.Desc), conds, q.Limit, q.Offset, sc)}
}

func (ix *fundIndex) match(query string) *text.Matches {
	if query == "" {
		return nil
	}
	return ix.text.Match(query)
}

func (ix *fundIndex) order(by Order, desc bool) *order {
	pick := func(asc, descending *order) *order {
		if desc {
			return descending
		}
		return asc
	}
	switch by {
	case ByGAV:
		return pick(ix.gavAsc, identity)
	case ByVintage:
		return pick(ix.vintageAsc, ix.vintageDesc)
	case ByRelevance: // without text the largest are the most relevant
		return identity
	case ByName, ByAUM, ByFundCount, ByEmployees:
	}
	return pick(ix.nameAsc, ix.nameDesc)
}

func (s *Snapshot) fundConds(q *FundQuery) []cond {
	ix := s.funds
	conds := make([]cond, 0, 16)
	add := func(c *set) { conds = append(conds, setCond(c)) }
	if q.Words[FundStatus] == "" {
		add(ix.open)
	}
	for id := range q.Words {
		if asked := q.Words[id]; asked != "" {
			add(ix.isWord[id].get(fundWords[id].As.Key(asked)))
		}
	}
	if len(q.Strategies) > 0 {
		add(ix.isStrategy.any(ix.n, q.Strategies))
	}
	if q.AdviserCRD != "" {
		add(s.fundsOfCRD(q.AdviserCRD))
	}
	if q.CanonicalID != 0 {
		add(s.fundsOfCanonical(q.CanonicalID))
	}
	if q.Jurisdiction != "" {
		add(ix.jurisdiction(q.Jurisdiction))
	}
	conds = appendAnswers(conds, q.Answers[:], ix.answers[:])
	for id := range q.Numbers {
		switch r := &q.Numbers[id]; {
		case r.open():
		case id == FundGAV:
			conds = append(conds, descendingSpan(ix.known, *r, func(i int) int64 { return ix.gav[i] }))
		default:
			conds = append(conds, rangeCond(ix.numbers[id], *r))
		}
	}
	return conds
}

func (s *Snapshot) fundsOfCRD(crd string) *set {
	gp, ok := s.gps.byCRD[crd]
	if !ok {
		return nil
	}
	owned := s.funds.slots.ownedBy(gp)
	return &set{n: len(owned), list: owned}
}

// fundsOfCanonical is the set of all funds of an organisation's advisers, closed ones too.
func (s *Snapshot) fundsOfCanonical(id int64) *set {
	c := rangeCond(s.gps.canonical, Range{Min: &id, Max: &id})
	var list []uint32
	for _, gp := range c.appendAll(nil) {
		list = append(list, s.funds.slots.ownedBy(gp)...)
	}
	slices.Sort(list)
	return newSet(list, s.funds.n)
}

// ownedBy lists the funds of an adviser ascending, closed ones too.
func (s *slotIndex) ownedBy(gp uint32) []uint32 { return s.owned[s.start[gp]:s.start[gp+1]] }

// descendingSpan turns a range over the first known records, numbered by descending value, into a span of numbers.
func descendingSpan(known int, r Range, value func(i int) int64) cond {
	lo, hi := 0, known
	if r.Max != nil {
		lo = sort.Search(known, func(i int) bool { return value(i) <= *r.Max })
	}
	if r.Min != nil {
		hi = sort.Search(known, func(i int) bool { return value(i) < *r.Min })
	}
	return spanCond(lo, hi)
}
