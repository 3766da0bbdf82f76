package column

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strings"
)

type valueKey struct {
	value     int64
	tie, item uint32
}

// SortByValue lists the items with a known value ascending by it, then those without; ties by tie. known is how many
// have a value.
func SortByValue(values []int64, tie []uint32) (perm []uint32, known int) {
	keys := make([]valueKey, 0, len(values))
	rest := make([]valueKey, 0)
	for i, v := range values {
		k := valueKey{value: v, tie: tie[i], item: uint32(i)}
		if v == Unknown {
			rest = append(rest, k)
		} else {
			keys = append(keys, k)
		}
	}
	known = len(keys)
	less := func(a, b valueKey) int {
		if a.value != b.value {
			return cmp.Compare(a.value, b.value)
		}
		return cmp.Compare(a.tie, b.tie)
	}
	slices.SortFunc(keys, less)
	slices.SortFunc(rest, less)
	perm = make([]uint32, 0, len(values))
	for _, k := range keys {
		perm = append(perm, k.item)
	}
	for _, k := range rest {
		perm = append(perm, k.item)
	}
	return perm, known
}

type nameKey struct {
	head      uint64 // the first eight bytes: most comparisons end here
	norm, raw string
	tie, item uint32
}

func compareNames(a, b *nameKey) int {
	if a.head != b.head {
		return cmp.Compare(a.head, b.head)
	}
	if x := strings.Compare(a.norm, b.norm); x != 0 {
		return x
	}
	return strings.Compare(a.raw, b.raw)
}

// SortNames lists n items by normalised name, then by the name as it stands, ties by tie, in both directions. normal
// appends the normalised form of a name.
func SortNames(n int, name func(i uint32) string, normal func(dst []byte, name string) []byte, tie []uint32) (asc, desc *Order) {
	all := StringRows{}
	for i := range uint32(n) { // #nosec G115 -- a number of a record
		all.rows.data = normal(all.rows.data, name(i))
		all.rows.ends = append(all.rows.ends, len(all.rows.data))
	}
	norm := Strings{data: string(all.rows.data), ends: all.rows.ends}
	keys := make([]nameKey, n)
	for i := range keys {
		k := &keys[i]
		k.item = uint32(i) // #nosec G115 -- a number of a record
		k.norm, k.raw, k.tie = norm.At(k.item), name(k.item), tie[i]
		var head [8]byte
		copy(head[:], k.norm)
		k.head = binary.BigEndian.Uint64(head[:])
	}
	slices.SortFunc(keys, func(a, b nameKey) int {
		if x := compareNames(&a, &b); x != 0 {
			return x
		}
		return cmp.Compare(a.tie, b.tie)
	})
	perm, group := make([]uint32, len(keys)), make([]uint32, len(keys))
	for i := range keys {
		perm[i] = keys[i].item
		if i > 0 {
			group[i] = group[i-1]
			if compareNames(&keys[i-1], &keys[i]) != 0 {
				group[i]++
			}
		}
	}
	asc = newOrder(perm)
	desc = newOrder(reversed(perm, len(perm), func(a, b uint32) bool { return group[asc.rank[a]] == group[asc.rank[b]] }))
	return asc, desc
}

// SortNumbers gives both directions of a numeric sort key, and its column.
func SortNumbers(values []int64, tie []uint32) (asc, desc *Order, c *Numbers) {
	perm, known := SortByValue(values, tie)
	c = newNumbers(values, perm[:known])
	asc = newOrder(perm)
	desc = newOrder(reversed(perm, known, func(a, b uint32) bool { return values[a] == values[b] }))
	for _, o := range []*Order{asc, desc} {
		o.col, o.known, o.desc = c, known, o == desc
	}
	return asc, desc, c
}

// Ascending is the ascending order of the values by which the records are numbered descending.
func Ascending(values []int64, tie []uint32) *Order {
	perm, known := SortByValue(values, tie)
	o := newOrder(perm)
	o.known = known
	return o
}

// NewNumbers makes a column of values, equal ones in the order of tie.
func NewNumbers(values []int64, tie []uint32) *Numbers {
	perm, known := SortByValue(values, tie)
	return newNumbers(values, slices.Clip(perm[:known]))
}
