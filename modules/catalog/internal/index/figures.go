package index

import (
	"sort"

	"gpatlas/modules/catalog/internal/index/column"
)

// inOrder is the records with a known value of a quantity, descending by it.
type inOrder struct {
	n     int
	order []uint32 // nil: the first n records in their order
	value func(i uint32) int64
}

func (o *inOrder) record(at int) uint32 {
	if o.order == nil {
		return uint32(at) // #nosec G115 -- a number of a record
	}
	return o.order[at]
}

// ordered is a quantity of the advisers or, for QuantityFundGAV, of the funds. Both are numbered by their size, but for the funds of an Analysis;
// other orders are those of searches, and of growth.
func (s *Snapshot) ordered(q Quantity) inOrder {
	gps := s.gps
	switch q {
	case QuantityFundGAV:
		if s.funds.gav == nil {
			values := s.funds.numbers[FundGAV].Values
			order, known := column.Descending(values, nil)
			return inOrder{known, order, func(i uint32) int64 { return values[i] }}
		}
		return inOrder{n: s.funds.known, value: func(i uint32) int64 { return s.funds.gav[i] }}
	case QuantityFundCount:
		return sortedBy(gps.orders[ByFundCount].desc.Records(), gps.numbers[GPFundCount].Values)
	case QuantityEmployees:
		return sortedBy(gps.orders[ByEmployees].desc.Records(), gps.numbers[GPEmployees].Values)
	case QuantityGrowth1:
		return inOrder{len(gps.growing[0]), gps.growing[0], gps.coded[growingBy[0]].At}
	case QuantityGrowth3:
		return inOrder{len(gps.growing[1]), gps.growing[1], gps.coded[growingBy[1]].At}
	case QuantityAUM:
	}
	return inOrder{n: gps.known, value: func(i uint32) int64 { return s.grouped.aum[i] }}
}

// sortedBy is an order in which the unknown come last.
func sortedBy(order []uint32, values []int64) inOrder {
	known := sort.Search(len(order), func(at int) bool { return values[order[at]] == Unknown })
	return inOrder{known, order, func(i uint32) int64 { return values[i] }}
}

// describe adds the figures of the quantities to the rows.
func (w *groupWalk) describe() {
	quantities := w.q.Quantities
	if len(quantities) == 0 {
		return
	}
	all := make([]Figures, len(quantities)*len(w.rows))
	for i := range w.rows {
		w.rows[i].Figures = all[i*len(quantities) : (i+1)*len(quantities) : (i+1)*len(quantities)]
	}
	for k, q := range quantities {
		of := w.ofGP
		if q == QuantityFundGAV {
			of = w.ofFund
		}
		o := w.s.ordered(q)
		w.figures(k, of, &o)
	}
}

// figures describes the quantity at k of each row. The values are put side by side by row; as they come in their order, each
// row's are sorted.
func (w *groupWalk) figures(k int, of []uint32, o *inOrder) {
	ends := make([]int, len(w.rows)+1) // by row, from 1 on; first the numbers of values
	for at := range o.n {
		ends[of[o.record(at)]]++
	}
	ends[0] = 0
	for i := 1; i < len(ends); i++ {
		ends[i] += ends[i-1]
	}
	values, next := make([]int64, ends[len(ends)-1]), append([]int{0}, ends[:len(ends)-1]...)
	for at := range o.n {
		i := o.record(at)
		if row := of[i]; row != 0 {
			values[next[row]] = o.value(i)
			next[row]++
		}
	}
	for i := range w.rows {
		w.rows[i].Figures[k] = figuresOf(values[ends[i]:ends[i+1]])
	}
}

// figuresOf describes values, which descend.
func figuresOf(values []int64) (f Figures) {
	if f.Known = len(values); f.Known == 0 {
		return f
	}
	for _, v := range values {
		f.Sum = addCapped(f.Sum, v)
	}
	f.Min, f.Max = values[len(values)-1], values[0]
	f.P25, f.Median, f.P75 = quarter(values, 1), quarter(values, 2), quarter(values, 3)
	return f
}

// quarter is the smallest of the values that so many quarters of them do not exceed.
func quarter(values []int64, quarters int) int64 {
	const four = 4
	rank := (len(values)*quarters + four - 1) / four // from the smallest on
	return values[len(values)-rank]
}
