package index

import (
	"slices"

	"gpatlas/modules/catalog/internal/index/column"
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
	conds := s.fundConds(q, sc.conds[:0])
	if q.Text != "" {
		conds = append(conds, textCond(m))
	}
	r := column.Run(s.funds.n, conds, &sc.Scratch)
	if q.Order == ByRelevance && m != nil {
		return FundResult{Total: r.N, IDs: relevant(&r, m, q.Limit, q.Offset, sc)}
	}
	return FundResult{Total: r.N, IDs: r.Page(s.funds.order(q.Order, q.Desc), conds, q.Limit, q.Offset, &sc.Scratch)}
}

func (ix *fundIndex) match(query string) *text.Matches {
	if query == "" {
		return nil
	}
	return ix.text.Match(query)
}

func (ix *fundIndex) order(by Order, desc bool) *column.Order {
	pick := func(asc, descending *column.Order) *column.Order {
		if desc {
			return descending
		}
		return asc
	}
	switch by {
	case ByGAV:
		return pick(ix.gavAsc, column.Identity)
	case ByVintage:
		return pick(ix.vintageAsc, ix.vintageDesc)
	case ByRelevance: // without text the largest are the most relevant
		return column.Identity
	case ByName, ByAUM, ByFundCount, ByEmployees:
	}
	return pick(ix.nameAsc, ix.nameDesc)
}

func (s *Snapshot) fundConds(q *FundQuery, conds []column.Cond) []column.Cond {
	ix := s.funds
	add := func(c *column.Set) { conds = append(conds, column.InSet(c)) }
	if q.Words[FundStatus] == "" {
		add(ix.open)
	}
	for id := range q.Words {
		if asked := q.Words[id]; asked != "" {
			add(ix.isWord[id].Get(fundWords[id].As.Key(asked)))
		}
	}
	if len(q.Strategies) > 0 {
		add(ix.isStrategy.Any(ix.n, q.Strategies))
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
		case r.Open():
		case id == FundGAV:
			conds = append(conds, column.InDescending(ix.known, *r, func(i int) int64 { return ix.gav[i] }))
		default:
			conds = append(conds, column.InRange(ix.numbers[id], *r))
		}
	}
	return conds
}

func (s *Snapshot) fundsOfCRD(crd string) *column.Set {
	gp, ok := s.gps.byCRD.Find(crd)
	if !ok {
		return nil
	}
	owned := s.funds.slots.ownedBy(gp)
	return column.ListSet(owned)
}

// fundsOfCanonical is the set of all funds of an organisation's advisers, closed ones too.
func (s *Snapshot) fundsOfCanonical(id int64) *column.Set {
	c := column.InRange(s.gps.canonical, Range{Min: &id, Max: &id})
	var list []uint32
	for _, gp := range c.AppendAll(nil) {
		list = append(list, s.funds.slots.ownedBy(gp)...)
	}
	slices.Sort(list)
	return column.NewSet(list, s.funds.n)
}

// ownedBy lists the funds of an adviser ascending, closed ones too.
func (s *slotIndex) ownedBy(gp uint32) []uint32 { return s.owned[s.start[gp]:s.start[gp+1]] }
