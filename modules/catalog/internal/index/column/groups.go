package column

// Groups maps each value of a categorical column to the records that carry it.
type Groups[K comparable] struct {
	sets map[K]*Set
}

// NewGroups files the records 0…n-1 under the keys that keys yields for each; a record may have none or several.
func NewGroups[K comparable](n int, keys func(i uint32, yield func(K))) Groups[K] {
	lists := map[K][]uint32{}
	for i := range uint32(n) {
		keys(i, func(k K) {
			if l := lists[k]; len(l) == 0 || l[len(l)-1] != i {
				lists[k] = append(l, i)
			}
		})
	}
	g := Groups[K]{sets: make(map[K]*Set, len(lists))}
	for k, l := range lists {
		g.sets[k] = NewSet(l, n)
	}
	return g
}

// GroupWords files the records under the keys of their words; the empty key is none.
func GroupWords(d *Dict, key func(word string) string) Groups[string] {
	counts := make([]int, len(d.Words))
	for _, code := range d.Codes {
		counts[code]++
	}
	lists := make([][]uint32, len(d.Words))
	for code, n := range counts {
		lists[code] = make([]uint32, 0, n)
	}
	for i, code := range d.Codes {
		lists[code] = append(lists[code], uint32(i))
	}
	g := Groups[string]{sets: make(map[string]*Set, len(d.Words))}
	for code, w := range d.Words {
		if k := key(w); k != "" {
			g.sets[k] = Union(len(d.Codes), g.sets[k], NewSet(lists[code], len(d.Codes)))
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
