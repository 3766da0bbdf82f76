package index

import (
	"cmp"
	"slices"
	"strings"

	"gpatlas/modules/catalog/internal/index/column"
)

// Group counts the groups of q and describes its quantities in each. The order is by number of members, most first, then by the
// values of the groupings; vintages and bands alone ascend.
func (s *Snapshot) Group(q *GroupQuery) []AggregateRow {
	of := s.Of(q.GPs.Former)
	return of.answers.get("group "+q.Key, func() []AggregateRow {
		sc, done := of.borrow(len(of.gps.all))
		defer done()
		w := of.newGroupWalk(q, sc)
		if q.ofFunds() {
			w.countFunds()
		} else {
			w.countGPs()
		}
		w.describe()
		return w.sorted()
	})
}

// groupWalk counts groups in one walk over the advisers that a query finds, and over their open funds where it needs them. Each
// record is noted with its group, so that another walk, in the order of a quantity, meets the values of each group sorted.
type groupWalk struct {
	s    *Snapshot
	q    *GroupQuery
	sc   *scratch
	dims []dimension
	rows []AggregateRow
	// at is by the values of the groupings, as one number: the place of their row, from 1 on.
	at []uint32
	// asked are the slots of the funds that the query asks for; nil: all open funds.
	asked  column.Bits
	ofGP   []uint32 // by adviser: the place of its row, from 1 on; 0: none
	ofFund []uint32 // the same by fund; nil where no quantity is of funds
}

func (s *Snapshot) newGroupWalk(q *GroupQuery, sc *scratch) *groupWalk {
	w := &groupWalk{s: s, q: q, sc: sc, rows: make([]AggregateRow, 0, 64), ofGP: make([]uint32, len(s.gps.all))}
	size := 1
	for _, by := range q.By {
		d := s.dimension(by, q)
		w.dims = append(w.dims, d)
		size *= d.values
	}
	w.at = make([]uint32, size)
	if !q.GPs.Fund.Empty() {
		hits := s.matching(s.slotConds(&q.GPs.Fund, s.auditorsOf(&q.GPs.Fund), sc), sc)
		w.asked = column.NewBits(len(s.funds.slots.fund))
		hits.Each(w.asked.Set)
	}
	if slices.Contains(q.Quantities, QuantityFundGAV) {
		w.ofFund = make([]uint32, s.funds.n)
	}
	return w
}

// row is the place of the row of a value of each grouping, from 1 on.
func (w *groupWalk) row(first, second int) uint32 {
	code := first
	if len(w.dims) > 1 {
		code = first*w.dims[1].values + second
	}
	if w.at[code] == 0 {
		var row AggregateRow
		w.s.label(&row, w.dims[0].by, first)
		if len(w.dims) > 1 {
			w.s.label(&row, w.dims[1].by, second)
		}
		w.rows = append(w.rows, row)
		w.at[code] = uint32(len(w.rows))
	}
	return w.at[code]
}

// countGPs counts advisers.
func (w *groupWalk) countGPs() {
	if len(w.dims) == 1 && w.dims[0].by == GroupAUMBand { // all bands are listed
		for band := range bandNames {
			w.row(band, 0)
		}
	}
	shown := len(w.dims) == 1 && w.dims[0].by == GroupStrategy
	first, second := &w.dims[0], &w.dims[len(w.dims)-1]
	for _, gp := range w.s.members(&w.q.GPs, w.sc) {
		a, b := first.ofGP[gp], second.ofGP[gp]
		if a == noValue || b == noValue {
			continue
		}
		at := w.row(int(a), int(b))
		w.ofGP[gp] = at
		w.s.count(&w.rows[at-1], gp)
		if shown || w.ofFund != nil {
			w.countOwned(&w.rows[at-1], gp, at)
		}
	}
}

// countOwned counts the open funds of an adviser, and notes them where a quantity is of funds.
func (w *groupWalk) countOwned(row *AggregateRow, gp, at uint32) {
	byNumber := w.asked == nil
	if byNumber {
		if n := w.s.gps.numbers[GPFundCount].Values[gp]; n != Unknown {
			row.FundCount += int(n)
			row.KnownFunds++
		}
	} else {
		row.KnownFunds++
	}
	if byNumber && w.ofFund == nil {
		return
	}
	slots := &w.s.funds.slots
	for slot := slots.start[gp]; slot < slots.open[gp]; slot++ {
		if !byNumber && !w.asked.Has(uint32(slot)) {
			continue
		}
		if !byNumber {
			row.FundCount++
		}
		if w.ofFund != nil {
			w.ofFund[slots.fund[slot]] = at
		}
	}
}

// countFunds counts open funds.
func (w *groupWalk) countFunds() {
	gps := w.q.GPs
	gps.Strategies, gps.Fund = Asked{}, FundMatch{} // which are asked of the funds
	wanted := w.s.grouped.wanted(&w.q.GPs.Strategies)
	slots, kinds := &w.s.funds.slots, w.s.grouped.kind
	gav := slots.numbers[MatchSize].Values
	for _, gp := range w.s.members(&gps, w.sc) {
		var values [2]int
		counted := true
		for i := range w.dims {
			if of := w.dims[i].ofGP; of != nil {
				values[i] = int(of[gp])
				counted = counted && of[gp] != noValue
			}
		}
		if !counted {
			continue
		}
		for slot := slots.start[gp]; slot < slots.open[gp]; slot++ {
			kind := int(kinds[slot])
			if kind == notCounted || w.asked != nil && !w.asked.Has(uint32(slot)) || !wanted[kind/vintageYears%strategiesMax] {
				continue
			}
			for i := range w.dims {
				if w.dims[i].ofGP == nil {
					values[i] = w.dims[i].ofKind(kind)
				}
			}
			at := w.row(values[0], values[1])
			w.rows[at-1].countFund(kind, gav[slot])
			if w.ofFund != nil {
				w.ofFund[slots.fund[slot]] = at
			}
		}
	}
}

// wanted are the numbers of the strategies that are asked for.
func (g *groupColumns) wanted(asked *Asked) (wanted [strategiesMax]bool) {
	for code, name := range g.strategies {
		wanted[code] = (len(asked.Any) == 0 || slices.Contains(asked.Any, name)) && !slices.Contains(asked.None, name)
	}
	return wanted
}

func (r *AggregateRow) countFund(kind int, gav int64) {
	r.FundCount++
	if gav != Unknown {
		r.KnownGAV++
		r.TotalGAV = addCapped(r.TotalGAV, gav)
	}
	switch kind / ofQuality {
	case 0:
		r.FormDFunds++
	case 1:
		r.FirstFilingFunds++
	default:
		r.ListFunds++
	}
}

// sorted are the rows in their order.
func (w *groupWalk) sorted() []AggregateRow {
	order := make([]*AggregateRow, len(w.rows)) // a row is too large to be moved at each step
	for i := range w.rows {
		order[i] = &w.rows[i]
	}
	slices.SortFunc(order, w.compare)
	rows := make([]AggregateRow, len(order))
	for i, r := range order {
		rows[i] = *r
	}
	return rows
}

// compare is the order of rows.
func (w *groupWalk) compare(a, b *AggregateRow) int {
	count := cmp.Compare(b.GPCount, a.GPCount)
	if w.q.ofFunds() {
		count = cmp.Compare(b.FundCount, a.FundCount)
	}
	if by := w.q.By[0]; len(w.q.By) == 1 && (by == GroupVintage || by == GroupAUMBand) {
		count = 0
	}
	for _, by := range w.q.By {
		count = cmp.Or(count, compareValues(by, a, b))
	}
	return count
}

func compareValues(by Grouping, a, b *AggregateRow) int {
	switch by {
	case GroupVintage:
		return cmp.Compare(a.VintageYear, b.VintageYear)
	case GroupStrategy:
		return strings.Compare(a.Strategy, b.Strategy)
	case GroupAUMBand: // unknown first
		return cmp.Compare(slices.Index(bandNames[:], a.Band), slices.Index(bandNames[:], b.Band))
	case GroupRegistration:
		return strings.Compare(a.Registration, b.Registration)
	case GroupManagerType:
		return strings.Compare(a.ManagerType, b.ManagerType)
	default:
		return cmp.Or(strings.Compare(a.Country, b.Country), strings.Compare(a.CountryCode, b.CountryCode), strings.Compare(a.State, b.State))
	}
}
