package index

import (
	"slices"
	"sort"
)

// prefixSteps is how many cumulative bitsets a column keeps. A range is the difference of two of them, put right at
// both ends by at most half a step of single records, so it is exact without looking at a value.
const prefixSteps = 128

// column is a number per record with what a range filter needs: the known values in order and prefix bitsets.
type column struct {
	values []int64  // by record; Unknown where not known
	order  []uint32 // records with a known value, ascending by it
	prefix []words  // prefix[k] holds the first k*step of order
	step   int
}

// newColumn makes a column of values; order lists the records with a known value, ascending by it.
func newColumn(values []int64, order []uint32) *column {
	c := &column{values: values, order: order, step: max(1, (len(order)+prefixSteps-1)/prefixSteps)}
	acc := newWords(len(values))
	for i, r := range order {
		if i%c.step == 0 {
			c.prefix = append(c.prefix, slices.Clone(acc))
		}
		acc.set(r)
	}
	c.prefix = append(c.prefix, acc)
	return c
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
	p, held := c.nearest(b)
	copy(dst, p)
	for ; held < b; held++ {
		dst.set(c.order[held])
	}
	for ; held > b; held-- {
		dst.clear(c.order[held-1])
	}
	if a == 0 {
		return
	}
	p, held = c.nearest(a)
	dst.andNot(p)
	for ; held < a; held++ {
		dst.clear(c.order[held])
	}
	// The prefix took away some too many: they come back, but only those below the upper end.
	for held = min(held, b); held > a; held-- {
		dst.set(c.order[held-1])
	}
}

// nearest is the prefix bitset that lies closest to the first a of order, and how many it holds.
func (c *column) nearest(a int) (p words, held int) {
	k := min((a+c.step/2)/c.step, len(c.prefix)-1)
	return c.prefix[k], min(k*c.step, len(c.order))
}
