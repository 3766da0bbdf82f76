package index

import (
	"slices"

	"gpatlas/modules/catalog/internal/index/column"
)

// SearchFunds answers q exactly: the total, and the page in a total order.
func (s *Snapshot) SearchFunds(q *FundQuery) Result {
	if m := &q.Services; m.named() {
		q = new(*q)
		q.Services.hits = s.services.find(m)
	}
	ix := s.funds
	sc, done := s.borrow(ix.n)
	defer done()
	asked := q.asked()
	who, holders := s.identify(q.Text, (*Snapshot).fundsOfHolders)
	asked.holders = holders
	m := ix.match(&asked)
	defer m.Release()
	conds := s.fundConds(q, &asked, ix.conds(&asked, m, sc.conds[:0]))
	r := column.Run(ix.n, conds, &sc.Scratch)
	out := ix.page(&asked, &r, m, conds, sc)
	out.Identified = who
	if len(q.Facets) > 0 {
		out.Facets = facetsOf(q, q.Facets, q.FacetLimit, fundFacets[:], ix.facets[:], r, func(q *FundQuery) column.Result {
			asked := q.asked()
			asked.holders = holders
			return column.Run(ix.n, s.fundConds(q, &asked, ix.conds(&asked, m, sc.conds[:0])), &sc.Scratch)
		}, sc)
	}
	return out
}

// asked is what q asks of the records themselves.
func (q *FundQuery) asked() search {
	return search{
		text: q.Text, words: q.Words[:], numbers: q.Numbers[:], answers: q.Answers[:], strategies: q.Strategies,
		order: q.Order, desc: q.Desc, limit: q.Limit, offset: q.Offset,
	}
}

// fundConds appends what only funds are asked.
func (s *Snapshot) fundConds(q *FundQuery, asked *search, conds []column.Cond) []column.Cond {
	add := func(c *column.Set) { conds = append(conds, column.InSet(c)) }
	if len(q.Words[FundStatus].Any) == 0 && !q.closedToo {
		add(s.funds.open)
	}
	if q.AdviserCRD != "" {
		add(s.fundsOfCRD(q.AdviserCRD))
	}
	if q.CanonicalID != 0 {
		add(s.fundsOfCanonical(q.CanonicalID))
	}
	if len(q.Jurisdictions) > 0 {
		parts := make([]*column.Set, len(q.Jurisdictions))
		for i, place := range q.Jurisdictions {
			parts[i] = s.funds.jurisdiction(place)
		}
		add(column.Union(s.funds.n, parts...))
	}
	if q.Year != 0 {
		conds = append(conds, column.InRange(s.funds.numbers[FundVintage], Range{Min: &q.Year, Max: &q.Year}))
	}
	conds = s.services.fundConds(conds, &q.Services)
	if len(q.FundIDs) > 0 {
		asked.sent = found(q.FundIDs, s.funds.byFundID.Find)
		add(listed(asked.sent))
	}
	return conds
}

func (s *Snapshot) fundsOfCRD(crd string) *column.Set {
	gp, ok := s.gps.byCRD.Find(crd)
	if !ok {
		return nil
	}
	return column.ListSet(s.funds.slots.ownedBy(gp))
}

// fundsOfCanonical is the set of all funds of an organization's advisers, closed ones too.
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
