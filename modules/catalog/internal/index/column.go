package index

import (
	"slices"
	"sort"
)

// prefixSteps is how many cumulative bitsets a column keeps at most. A range is the difference of two of them, put right
// at both ends by at most half a step of single records, so it is exact without looking at a value. A column of so few
// values has one at each of them, and nothing is to be put right.
const prefixSteps = 64

// column is a number per record with what a range filter needs: the known values in order and prefix bitsets.
type column struct {
	values []int64  // by record; Unknown where not known
	order  []uint32 // records with a known value, ascending by it
	prefix []words  // prefix[k] holds the first ends[k] of order
	ends   []int    // ascending; the first is 0, the last all of order
}

// newColumn makes a column of values; order lists the records with a known value, ascending by it.
func newColumn(values []int64, order []uint32) *column {
	c := &column{values: values, order: order, ends: prefixEnds(values, order)}
	acc := newWords(len(values))
	k := 0
	for i, r := range order {
		if i == c.ends[k] {
			c.prefix = append(c.prefix, slices.Clone(acc))
			k++
		}
		acc.set(r)
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
func (c *column) bounds(r Range) (a, b int) {
	b = len(c.order)
	if r.Min != nil {
		a = sort.Search(len(c.order), func(i int) bool { return c.values[c.order[i]] >= *r.Min })
	}
	if r.Max != nil {
		b = sort.Search(len(c.order), func(i int) bool { return c.values[c.order[i]] > *r.Max })
	}
	return a, b
}

// fill writes the set of order[a:b] into dst.
func (c *column) fill(dst words, a, b int) {
	p, reached := c.nearest(b)
	if q, from := c.nearest(a); from == a && reached == b {
		dst.without(p, q)
		return
	}
	copy(dst, p)
	for ; reached < b; reached++ {
		dst.set(c.order[reached])
	}
	for ; reached > b; reached-- {
		dst.clear(c.order[reached-1])
	}
	if a == 0 {
		return
	}
	p, reached = c.nearest(a)
	dst.andNot(p)
	for ; reached < a; reached++ {
		dst.clear(c.order[reached])
	}
	// The prefix took away some too many: they come back, but only those below the upper end.
	for reached = min(reached, b); reached > a; reached-- {
		dst.set(c.order[reached-1])
	}
}

// keep removes from dst what is not in order[a:b]. spare is a scratch set of the same size.
func (c *column) keep(dst, spare words, a, b int) {
	p, end := c.nearest(b)
	if q, from := c.nearest(a); from == a && end == b {
		dst.andWithout(p, q)
		return
	}
	c.fill(spare, a, b)
	dst.and(spare)
}

// nearest is the prefix bitset that lies closest to the first a of order, and how many it holds.
func (c *column) nearest(a int) (p words, reached int) {
	k, exact := slices.BinarySearch(c.ends, a)
	if !exact && (k == len(c.ends) || k > 0 && a-c.ends[k-1] < c.ends[k]-a) {
		k--
	}
	return c.prefix[k], c.ends[k]
}
