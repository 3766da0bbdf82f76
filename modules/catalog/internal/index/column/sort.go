package column

import "slices"

// Ascending lists the records with a known value ascending by it, then those without. Equal ones keep the order in which
// tie lists all records; nil means the order of their numbers. known is how many have a value.
func Ascending(values []int64, tie []uint32) (perm []uint32, known int) {
	return sorted(values, tie, signBit)
}

// Descending lists the records with a known value descending by it, then those without: see Ascending.
func Descending(values []int64, tie []uint32) (perm []uint32, known int) {
	return sorted(values, tie, ^uint64(signBit))
}

// XOR with signBit orders signed numbers as unsigned ones. XOR with all bits but signBit reverses that order.
const signBit = 1 << 63

func sorted(values []int64, tie []uint32, turn uint64) (perm []uint32, known int) {
	space := takeSpace(2 * len(values))
	keys := space[:0:len(values)]
	var unknown []uint32
	for at := range uint32(len(values)) { // #nosec G115 -- a number of a record
		item := at
		if tie != nil {
			item = tie[at]
		}
		if v := values[item]; v == Unknown {
			unknown = append(unknown, item)
		} else {
			keys = append(keys, sortKey{value: uint64(v) ^ turn, item: item})
		}
	}
	known = len(keys)
	perm = make([]uint32, 0, len(values))
	for _, k := range sortKeys(keys, space[len(values):]) {
		perm = append(perm, k.item)
	}
	space.give()
	return append(perm, unknown...), known
}

// SortNumbers returns both directions of a numeric sort key, ties as in Ascending, and its column.
func SortNumbers(values []int64, tie []uint32) (asc, desc *Order, c *Numbers) {
	perm, known := Ascending(values, tie)
	c = newNumbers(values, perm[:known])
	asc = newOrder(perm)
	desc = newOrder(reversed(perm, known, func(at int) bool { return values[perm[at]] == values[perm[at-1]] }))
	for _, o := range []*Order{asc, desc} {
		o.col, o.known, o.desc = c, known, o == desc
	}
	return asc, desc, c
}

// Turned is the ascending order of the values by which the records are numbered as Descending lists them: values descend up
// to those that are not known.
func Turned(values []int64, known int) *Order {
	perm := make([]uint32, len(values))
	for i := range perm {
		perm[i] = uint32(i) // #nosec G115 -- a number of a record
	}
	o := newOrder(reversed(perm, known, func(at int) bool { return values[at] == values[at-1] }))
	o.known = known
	return o
}

// NewNumbers makes a column of values.
func NewNumbers(values []int64) *Numbers {
	perm, known := Ascending(values, nil)
	return newNumbers(values, slices.Clip(perm[:known]))
}

// Rearrange reorders rows in place; order lists the old numbers.
func Rearrange[T any](rows []T, order []uint32) {
	done := NewBits(len(rows))
	for i := range rows {
		if done.Has(uint32(i)) {
			continue
		}
		first, at := rows[i], uint32(i)
		for {
			done.Set(at)
			from := order[at]
			if from == uint32(i) {
				rows[at] = first
				break
			}
			rows[at] = rows[from]
			at = from
		}
	}
}
