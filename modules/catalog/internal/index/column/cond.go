package column

import (
	"math/bits"
	"slices"
	"sort"
)

// Cond is one condition of a query, compiled: exactly one of its forms is set, and n is how many records satisfy it, so
// that a plan can start with the cheapest. For a scan n is an upper bound, because
// the values are only read when it runs.
type Cond struct {
	n      int
	set    *Set     // categorical value, text match
	not    bool     // of a set: its members are left out
	col    *Numbers // positions a up to b of a column, whose values are min to max
	a, b   int
	min    int64
	max    int64
	scan   *Coded // codes from lo up to hi
	lo, hi uint32 // none of these: the record numbers from lo up to hi (the numbering itself is an order)
}

// InSet is the condition that a record is in s; nil is empty.
func InSet(s *Set) Cond { return Cond{n: s.Len(), set: orEmpty(s)} }

// NotInSet is the condition that a record is not in s, one of so many.
func NotInSet(s *Set, records int) Cond {
	return Cond{n: records - s.Len(), set: orEmpty(s), not: true}
}

// InSpan is the condition that a record's number is from lo up to, not including, hi.
func InSpan(lo, hi int) Cond {
	if hi <= lo {
		return InSet(nil)
	}
	return Cond{n: hi - lo, lo: uint32(lo), hi: uint32(hi)}
}

// InDescending is the condition that the value of a record is within r. The records are numbered by descending value; the values
// of the first known records are known.
func InDescending(known int, r Range, number func(i int) int64) Cond {
	lo, hi := 0, known
	if r.Max != nil {
		lo = sort.Search(known, func(i int) bool { return number(i) <= *r.Max })
	}
	if r.Min != nil {
		hi = sort.Search(known, func(i int) bool { return number(i) < *r.Min })
	}
	return InSpan(lo, hi)
}

// InRange is the condition that a record's number in c is within r.
func InRange(c *Numbers, r Range) Cond {
	a, b := c.bounds(r)
	if b <= a {
		return InSet(nil)
	}
	return Cond{n: b - a, col: c, a: a, b: b, min: c.Values[c.order[a]], max: c.Values[c.order[b-1]]}
}

var emptySet = &Set{}

func orEmpty(s *Set) *Set {
	if s == nil {
		return emptySet
	}
	return s
}

// Has verifies the condition on one record.
func (c *Cond) Has(i uint32) bool {
	switch {
	case c.set != nil:
		return c.set.Has(i) != c.not
	case c.col != nil:
		v := c.col.Values[i] // Unknown is smaller than any minimum
		return v >= c.min && v <= c.max
	case c.scan != nil:
		code := c.scan.code(i)
		return code >= c.lo && code < c.hi
	default:
		return i >= c.lo && i < c.hi
	}
}

// AppendAll lists the condition's records, ascending.
func (c *Cond) AppendAll(dst []uint32) []uint32 {
	switch {
	case c.set != nil && !c.not:
		return c.set.AppendAll(dst)
	case c.set != nil, c.scan != nil: // what is left out is not counted from, and of scans the records are few
		for i := range uint32(c.records()) { // #nosec G115 -- a number of a record
			if c.Has(i) {
				dst = append(dst, i)
			}
		}
		return dst
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

// Fill makes dst the condition's set.
func (c *Cond) Fill(dst Bits) {
	switch {
	case c.col != nil:
		c.col.fill(dst, c.a, c.b)
	case c.not:
		clear(dst)
		dst.SetRange(0, uint32(c.records())) // #nosec G115 -- a number of a record
		c.keep(dst, nil)
	case c.scan != nil:
		clear(dst)
		for i := range uint32(c.records()) { // #nosec G115 -- a number of a record
			if c.Has(i) {
				dst.Set(i)
			}
		}
	case c.set == nil:
		clear(dst)
		dst.SetRange(c.lo, c.hi)
	case c.set.bits != nil:
		copy(dst, c.set.bits)
	default:
		clear(dst)
		c.set.AddTo(dst)
	}
}

// keep removes from dst what the condition excludes. spare is a scratch set of the same size.
func (c *Cond) keep(dst, spare Bits) {
	switch {
	case c.not:
		c.set.takeFrom(dst)
	case c.scan != nil:
		c.keepScanned(dst)
	case c.col == nil && c.set == nil:
		dst.KeepRange(c.lo, c.hi)
	case c.set != nil && c.set.bits != nil:
		dst.And(c.set.bits)
	case c.col != nil:
		c.col.keep(dst, spare, c.a, c.b)
	default:
		c.Fill(spare)
		dst.And(spare)
	}
}

// bits is the condition's set where it has one ready; it must not be written to.
func (c *Cond) bits() Bits {
	if c.set == nil || c.not {
		return nil
	}
	return c.set.bits
}

// records is how many records there are, for a scan and for a set that is left out.
func (c *Cond) records() int {
	if c.scan != nil {
		return c.scan.records()
	}
	return c.n + c.set.Len()
}

func (c *Cond) keepScanned(dst Bits) {
	for w, x := range dst {
		for ; x != 0; x &= x - 1 {
			at := bits.TrailingZeros64(x)
			if !c.Has(uint32(w<<6 + at)) { // #nosec G115 -- a number of a record
				dst[w] &^= 1 << at
			}
		}
	}
}

// CountIn is how many of hits satisfy the condition. spare is a scratch set of the same size.
func (c *Cond) CountIn(hits, spare Bits) int {
	switch {
	case c.set != nil && !c.not && c.set.bits == nil:
		n := 0
		for _, i := range c.set.list {
			if hits.Has(i) {
				n++
			}
		}
		return n
	case c.bits() != nil:
		return hits.CountShared(c.bits())
	}
	c.Fill(spare)
	return hits.CountShared(spare)
}

// Len is how many records satisfy the condition; a scan has no length.
func (c *Cond) Len() int { return c.n }
