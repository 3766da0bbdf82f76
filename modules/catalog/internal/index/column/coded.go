package column

import (
	"slices"
	"sort"
)

// Coded is a number per record without an order of its own: the distinct values once, and the place of each record's among
// them. There are far fewer values than records, so two bytes a record are enough for most columns. A range costs a look at
// each record.
type Coded struct {
	values []int64  // distinct, ascending; code 0 is unknown, code k is values[k-1]
	small  []uint16 // by record, where all codes fit; else nil
	large  []uint32
}

// NewCoded makes a column of values.
func NewCoded(values []int64) *Coded {
	c := &Coded{values: slices.Clone(values)}
	slices.Sort(c.values)
	c.values = slices.Compact(c.values)
	if len(c.values) > 0 && c.values[0] == Unknown { // the smallest number of all
		c.values = c.values[1:]
	}
	c.values = slices.Clone(c.values)
	code := func(v int64) int {
		if v == Unknown {
			return 0
		}
		at, _ := slices.BinarySearch(c.values, v)
		return at + 1
	}
	if len(c.values) < 1<<16 {
		c.small = make([]uint16, len(values))
		for i, v := range values {
			c.small[i] = uint16(code(v)) // #nosec G115 -- see above
		}
		return c
	}
	c.large = make([]uint32, len(values))
	for i, v := range values {
		c.large[i] = uint32(code(v)) // #nosec G115 -- not more than records
	}
	return c
}

func (c *Coded) code(i uint32) uint32 {
	if c.small != nil {
		return uint32(c.small[i])
	}
	return c.large[i]
}

// At is the number of a record.
func (c *Coded) At(i uint32) int64 {
	if code := c.code(i); code > 0 {
		return c.values[code-1]
	}
	return Unknown
}

func (c *Coded) records() int { return max(len(c.small), len(c.large)) }

// Scan is the condition that a record's number in c is within r.
func Scan(c *Coded, r Range) Cond {
	from, to := 0, len(c.values)
	if r.Min != nil {
		from = sort.Search(to, func(i int) bool { return c.values[i] >= *r.Min })
	}
	if r.Max != nil {
		to = sort.Search(to, func(i int) bool { return c.values[i] > *r.Max })
	}
	if to <= from {
		return InSet(nil)
	}
	return Cond{n: c.records(), scan: c, lo: uint32(from + 1), hi: uint32(to + 1)} // #nosec G115 -- codes
}
