// Package index answers every search of the catalog from memory. A Snapshot is immutable: advisers numbered by AUM
// and funds by gross asset value, with bitsets, presorted orders and a text index over them; a Refresher builds a new
// one after a change and swaps it in. A query is compiled to exact conditions, evaluated cheapest first, counted by
// cardinality and paged along a presorted order.
package index

import (
	"sync"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/index/column"
	"gpatlas/modules/catalog/internal/text"
)

// Snapshot is the catalog as it was published once. It is immutable and safe for concurrent use; the numbers that
// its searches give for advisers and funds mean something in this snapshot alone.
type Snapshot struct {
	gps     *gpIndex
	funds   *fundIndex
	fresh   Freshness
	facets  facets
	grouped groupColumns
	answers answers
	// closings are the last days on which funds of the advisers closed, offered the last FundOffered of their open funds.
	closings, offered *column.Coded
	disclosures       []Disclosure
	reports           reports
	services          *services
	former            *Snapshot // of those who have withdrawn or are not listed any more; nil = there are none
	// A pointer, because the runtime refers to each pool for two more collections, which would keep the whole structure in memory.
	scratch *sync.Pool
}

// Freshness is the age of the snapshot and what is in it; other modules get it as it is.
type Freshness = catalogapi.Freshness

// Build makes a snapshot of gps, which it takes over and reorders, and of funds. fresh's counts are filled in.
func Build(gps []GP, funds []Fund, fresh Freshness) *Snapshot {
	rows := newFundRows(len(funds))
	for i := range funds {
		rows.add(&funds[i])
	}
	return build(gps, rows, fresh)
}

// build is Build of funds that have been taken in already; it empties rows.
func build(gps []GP, funds *fundRows, fresh Freshness) *Snapshot {
	s := &Snapshot{fresh: fresh}
	s.gps = newGPIndex(gps)
	s.funds = newFundIndex(funds, s.gps)
	s.closings, s.offered = latest(s.gps.n, s.funds, FundClosed, false), latest(s.gps.n, s.funds, FundOffered, true)
	s.facets = newFacets(s.gps, s.funds)
	s.grouped = newGroupColumns(s.gps, s.funds)
	s.fresh.Advisers, s.fresh.Funds = len(s.gps.all), s.funds.open.Len()
	s.fresh.ClosedFunds = s.funds.n - s.fresh.Funds
	s.services = &services{book: newProviderBook(nil, nil)} // until setServices
	s.scratch = newScratch(len(s.gps.all), s.funds.n)
	return s
}

// scratch is what one query needs in working memory.
type scratch struct {
	column.Scratch
	fund, spare, union column.Bits // over fund slots, for FundMatch
	ends               column.Bits // over advisers
	facet, facetSpare  column.Bits // over the records searched for
	alike              [len(factors)]column.Bits
	slots              []uint32
	hits               []text.Hit
	conds, fundConds   []column.Cond // no query has as many as there is room for at first
}

// newScratch makes the pool of working memory for queries over so many records.
func newScratch(advisers, funds int) *sync.Pool {
	return &sync.Pool{New: func() any {
		sc := &scratch{
			Scratch: column.Scratch{A: column.NewBits(max(advisers, funds)), B: column.NewBits(max(advisers, funds))},
			fund:    column.NewBits(funds), spare: column.NewBits(funds), union: column.NewBits(funds), ends: column.NewBits(advisers + 64),
			facet: column.NewBits(max(advisers, funds)), facetSpare: column.NewBits(max(advisers, funds)),
			conds: make([]column.Cond, 0, 32), fundConds: make([]column.Cond, 0, 16),
		}
		for i := range sc.alike {
			sc.alike[i] = column.NewBits(advisers)
		}
		return sc
	}}
}

// Freshness returns the age of the snapshot.
func (s *Snapshot) Freshness() Freshness { return s.fresh }

// borrow lends working memory for one query over records records; done gives it back.
func (s *Snapshot) borrow(records int) (sc *scratch, done func()) {
	sc, _ = s.scratch.Get().(*scratch)
	size := (records + 63) / 64
	sc.A, sc.B = sc.A[:size], sc.B[:size]
	return sc, func() {
		clear(sc.conds[:cap(sc.conds)]) // the pool must not hold what is the snapshot's
		clear(sc.fundConds[:cap(sc.fundConds)])
		s.scratch.Put(sc)
	}
}
