package index

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strings"

	"gpatlas/modules/catalog/internal/text"
)

type valueKey struct {
	value     int64
	tie, item uint32
}

// sortByValue lists the items with a known value ascending by it, then those without; ties by tie. known is how many
// have a value.
func sortByValue(values []int64, tie []uint32) (perm []uint32, known int) {
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

// sortNames lists n items by normalised name, then by the name as it stands, ties by tie, in both directions.
func sortNames(n int, name func(i uint32) string, tie []uint32) (asc, desc *order) {
	var all arena
	for i := range uint32(n) { // #nosec G115 -- a number of a record
		all.data = text.AppendNormal(all.data, name(i))
		all.ends = append(all.ends, len(all.data))
	}
	norm := strs{data: string(all.data), ends: all.ends}
	keys := make([]nameKey, n)
	for i := range keys {
		k := &keys[i]
		k.item = uint32(i) // #nosec G115 -- a number of a record
		k.norm, k.raw, k.tie = norm.at(k.item), name(k.item), tie[i]
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

// valueOrders gives both directions of a numeric sort key, and its column.
func valueOrders(values []int64, tie []uint32) (asc, desc *order, c *column) {
	perm, known := sortByValue(values, tie)
	c = newColumn(values, perm[:known])
	asc = newOrder(perm)
	desc = newOrder(reversed(perm, known, func(a, b uint32) bool { return values[a] == values[b] }))
	for _, o := range []*order{asc, desc} {
		o.col, o.known, o.desc = c, known, o == desc
	}
	return asc, desc, c
}

// numberOrder is the ascending order of the values by which the records are numbered descending.
func numberOrder(values []int64, tie []uint32) *order {
	perm, known := sortByValue(values, tie)
	o := newOrder(perm)
	o.known = known
	return o
}

func valueColumn(values []int64, tie []uint32) *column {
	perm, known := sortByValue(values, tie)
	return newColumn(values, slices.Clip(perm[:known]))
}
