package index

import (
	"cmp"
	"slices"

	"gpatlas/modules/catalog/internal/text"
)

// cond is one condition of a query, compiled: exactly one of its forms is set, and n is exactly how many records
// satisfy it, so that a plan can start with the cheapest.
type cond struct {
	n      int
	set    *set    // categorical value, text match
	col    *column // positions a up to b of a column, whose values are min to max
	a, b   int
	min    int64
	max    int64
	lo, hi uint32 // neither: the record numbers from lo up to hi (the numbering itself is an order)
}

func setCond(s *set) cond { return cond{n: s.len(), set: orEmpty(s)} }

func spanCond(lo, hi int) cond {
	if hi <= lo {
		return setCond(nil)
	}
	return cond{n: hi - lo, lo: uint32(lo), hi: uint32(hi)}
}

func rangeCond(c *column, r Range) cond {
	a, b := c.bounds(r)
	if b <= a {
		return setCond(nil)
	}
	return cond{n: b - a, col: c, a: a, b: b, min: c.values[c.order[a]], max: c.values[c.order[b-1]]}
}

var emptySet = &set{}

func orEmpty(s *set) *set {
	if s == nil {
		return emptySet
	}
	return s
}

// has verifies the condition on one record.
func (c *cond) has(i uint32) bool {
	switch {
	case c.set != nil:
		return c.set.has(i)
	case c.col != nil:
		v := c.col.values[i] // Unknown is smaller than any minimum
		return v >= c.min && v <= c.max
	default:
		return i >= c.lo && i < c.hi
	}
}

// appendAll lists the condition's records, ascending.
func (c *cond) appendAll(dst []uint32) []uint32 {
	switch {
	case c.set != nil:
		return c.set.appendAll(dst)
	case c.col != nil:
		dst = append(dst, c.col.order[c.a:c.b]...)
		slices.Sort(dst)
		return dst
	default:
		for i := c.lo; i < c.hi; i++ {
			dst = append(dst, i)
		}
		return dst
	}
}

// fill makes dst the condition's set.
func (c *cond) fill(dst words) {
	switch {
	case c.col != nil:
		c.col.fill(dst, c.a, c.b)
	case c.set == nil:
		clear(dst)
		dst.setRange(c.lo, c.hi)
	case c.set.bits != nil:
		copy(dst, c.set.bits)
	default:
		clear(dst)
		c.set.addTo(dst)
	}
}

// keep removes from dst what the condition excludes. spare is a scratch set of the same size.
func (c *cond) keep(dst, spare words) {
	switch {
	case c.col == nil && c.set == nil:
		dst.keepRange(c.lo, c.hi)
	case c.set != nil && c.set.bits != nil:
		dst.and(c.set.bits)
	case c.col != nil:
		c.col.keep(dst, spare, c.a, c.b)
	default:
		c.fill(spare)
		dst.and(spare)
	}
}

// listShare: a plan whose cheapest condition leaves fewer than one record in listShare verifies the rest record by
// record; above it, whole words are cheaper.
const listShare = 256

// scratch is what one query needs in working memory.
type scratch struct {
	a, b  words
	fund  words // these four are over fund slots, for FundMatch
	spare words
	union words
	ends  words // over advisers
	slots []uint32
	list  []uint32
	ranks []uint32
	heap  []uint32
	hits  []text.Hit
}

// result is the exact answer of a plan: all (every record), a sorted list, or bits. The list is the scratch's, to be
// changed at will; the bits may be the index's own.
type result struct {
	n    int
	all  bool
	list []uint32
	bits words
}

// run evaluates conds over the records 0…records-1: cheapest first, the rest verified on it.
func run(records int, conds []cond, s *scratch) result {
	if len(conds) == 0 {
		return result{n: records, all: true}
	}
	slices.SortFunc(conds, func(a, b cond) int { return cmp.Compare(a.n, b.n) })
	first := &conds[0]
	if first.n == 0 {
		return result{}
	}
	if first.n*listShare <= records || first.n <= 64 {
		s.list = first.appendAll(s.list[:0])
		for k := range conds[1:] {
			c := &conds[1+k]
			s.list = slices.DeleteFunc(s.list, func(i uint32) bool { return !c.has(i) })
		}
		return result{n: len(s.list), list: s.list}
	}
	if len(conds) == 1 && first.bits() != nil {
		return result{n: first.n, bits: first.bits()}
	}
	rest := conds[1:]
	if first.bits() != nil && rest[0].bits() != nil {
		s.a.share(first.bits(), rest[0].bits())
		rest = rest[1:]
	} else {
		first.fill(s.a)
	}
	for k := range rest {
		rest[k].keep(s.a, s.b)
	}
	return result{n: s.a.count(), bits: s.a}
}

// bits is the condition's set where it has one ready; nobody may write to it.
func (c *cond) bits() words {
	if c.set == nil {
		return nil
	}
	return c.set.bits
}
