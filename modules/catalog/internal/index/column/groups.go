package column

// Groups maps each value of a categorical column to the records that carry it.
type Groups[K comparable] struct {
	sets map[K]*Set
}

// GroupWords files the records under the keys of their words; the empty key is none.
func GroupWords(d *Dict, key func(word string) string) Groups[string] {
	keys := make([][]string, len(d.Words))
	for code, w := range d.Words {
		if k := key(w); k != "" {
			keys[code] = []string{k}
		}
	}
	return GroupCodes(d.Codes, keys)
}

// GroupCodes files each record under the keys of its code, which keys lists by code, none twice.
func GroupCodes[K comparable](codes []uint32, keys [][]K) Groups[K] {
	counts := make([]int, len(keys))
	for _, code := range codes {
		counts[code]++
	}
	lists := make([][]uint32, len(keys))
	for code, n := range counts {
		if len(keys[code]) > 0 {
			lists[code] = make([]uint32, 0, n)
		}
	}
	for i, code := range codes {
		if len(keys[code]) > 0 {
			lists[code] = append(lists[code], uint32(i))
		}
	}
	parts := map[K][][]uint32{}
	for code, of := range keys {
		for _, k := range of {
			if len(lists[code]) > 0 {
				parts[k] = append(parts[k], lists[code])
			}
		}
	}
	g := Groups[K]{sets: make(map[K]*Set, len(parts))}
	for k, lists := range parts {
		g.sets[k] = newSetOf(lists, len(codes))
	}
	return g
}

// GroupLists files the records 0…n-1 under the codes, below codes, that of lists for each, in any order.
func GroupLists(n, codes int, of func(i uint32) []uint32) Groups[uint32] {
	lists := make([][]uint32, codes)
	for i := range uint32(n) { // #nosec G115 -- a number of a record
		for _, code := range of(i) {
			if l := lists[code]; len(l) == 0 || l[len(l)-1] != i {
				lists[code] = append(l, i)
			}
		}
	}
	g := Groups[uint32]{sets: make(map[uint32]*Set, codes)}
	for code, l := range lists {
		if len(l) > 0 {
			g.sets[uint32(code)] = NewSet(l, n) // #nosec G115 -- a code
		}
	}
	return g
}

// Get is the set of the records filed under a key; nil where there are none.
func (g Groups[K]) Get(k K) *Set { return g.sets[k] }

// Any is the set of the records filed under any of keys.
func (g Groups[K]) Any(records int, keys []K) *Set {
	parts := make([]*Set, 0, len(keys))
	for _, k := range keys {
		parts = append(parts, g.sets[k])
	}
	return Union(records, parts...)
}

// Each are the groups with every set replaced by what to makes of it.
func (g Groups[K]) Each(to func(*Set) *Set) Groups[K] {
	out := Groups[K]{sets: make(map[K]*Set, len(g.sets))}
	for k, s := range g.sets {
		out.sets[k] = to(s)
	}
	return out
}
