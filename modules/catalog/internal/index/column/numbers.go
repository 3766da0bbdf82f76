package column

import (
	"math"
	"slices"
	"sort"
)

// Unknown represents an absent number.
const Unknown int64 = math.MinInt64

// Range bounds a number; a nil end is open. Min and Max are both inclusive. A record whose number is unknown is in no
// range that has an end.
type Range struct{ Min, Max *int64 }

// And is the range of what is in both.
func (r Range) And(o Range) Range {
	if r.Min == nil || o.Min != nil && *o.Min > *r.Min {
		r.Min = o.Min
	}
	if r.Max == nil || o.Max != nil && *o.Max < *r.Max {
		r.Max = o.Max
	}
	return r
}

// Open reports whether both ends are.
func (r *Range) Open() bool { return r.Min == nil && r.Max == nil }

// prefixSteps is how many cumulative bitsets a column keeps at most. A range is the difference of two of them, put right
// at both ends by at most half a step of single records, so it is exact without looking at a value. A column of so few
// values has one at each of them, and nothing is to be put right.
const prefixSteps = 64

// Numbers is a number per record with what a range filter needs: the known values in order and prefix bitsets. One that
// consists of Values alone can be read, but not be asked for a range.
type Numbers struct {
	Values []int64  // by record; Unknown where not known
	order  []uint32 // records with a known value, ascending by it
	prefix []Bits   // prefix[k] holds the first ends[k] of order
	ends   []int    // ascending; the first is 0, the last all of order
}

// newNumbers makes a column of values; order lists the records with a known value, ascending by it.
func newNumbers(values []int64, order []uint32) *Numbers {
	c := &Numbers{Values: values, order: order, ends: prefixEnds(values, order)}
	acc := NewBits(len(values))
	k := 0
	for i, r := range order {
		if i == c.ends[k] {
			c.prefix = append(c.prefix, slices.Clone(acc))
			k++
		}
		acc.Set(r)
	}
	c.prefix = append(c.prefix, acc)
	return c
}

func prefixEnds(values []int64, order []uint32) (ends []int) {
	for i, r := range order {
		if i == 0 || values[r] != values[order[i-1]] {
			if ends = append(ends, i); len(ends) == prefixSteps {
				ends = ends[:0]
				for i, step := 0, max(1, (len(order)+prefixSteps-1)/prefixSteps); i < len(order); i += step {
					ends = append(ends, i)
				}
				break
			}
		}
	}
	return append(ends, len(order))
}

// bounds turns a range into positions of order, from a up to, not including, b; b ≤ a when nothing is in it.
func (c *Numbers) bounds(r Range) (a, b int) {
	b = len(c.order)
	if r.Min != nil {
		a = sort.Search(len(c.order), func(i int) bool { return c.Values[c.order[i]] >= *r.Min })
	}
	if r.Max != nil {
		b = sort.Search(len(c.order), func(i int) bool { return c.Values[c.order[i]] > *r.Max })
	}
	return a, b
}

// fill writes the set of order[a:b] into dst.
func (c *Numbers) fill(dst Bits, a, b int) {
	p, reached := c.nearest(b)
	if q, from := c.nearest(a); from == a && reached == b {
		dst.Without(p, q)
		return
	}
	copy(dst, p)
	for ; reached < b; reached++ {
		dst.Set(c.order[reached])
	}
	for ; reached > b; reached-- {
		dst.Clear(c.order[reached-1])
	}
	if a == 0 {
		return
	}
	p, reached = c.nearest(a)
	dst.AndNot(p)
	for ; reached < a; reached++ {
		dst.Clear(c.order[reached])
	}
	// The prefix has removed too many records: those below the upper end are added again.
	for reached = min(reached, b); reached > a; reached-- {
		dst.Set(c.order[reached-1])
	}
}

// keep removes from dst what is not in order[a:b]. spare is a Scratch set of the same size.
func (c *Numbers) keep(dst, spare Bits, a, b int) {
	p, end := c.nearest(b)
	if q, from := c.nearest(a); from == a && end == b {
		dst.AndWithout(p, q)
		return
	}
	c.fill(spare, a, b)
	dst.And(spare)
}

// nearest is the prefix bitset that lies closest to the first a of order, and how many it holds.
func (c *Numbers) nearest(a int) (p Bits, reached int) {
	k, exact := slices.BinarySearch(c.ends, a)
	if !exact && (k == len(c.ends) || k > 0 && a-c.ends[k-1] < c.ends[k]-a) {
		k--
	}
	return c.prefix[k], c.ends[k]
}
