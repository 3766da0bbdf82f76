package index

import "slices"

// sparseShare says from which share of the records on a set is kept as bits: below one in 128 the list is the cheaper to walk.
const sparseShare = 128

// set is an immutable set of record numbers: a sorted list where it is sparse, bits where it is dense.
// The nil set is empty.
type set struct {
	n    int
	list []uint32
	bits words
}

func newSet(sorted []uint32, records int) *set {
	if len(sorted)*sparseShare <= records {
		return &set{n: len(sorted), list: slices.Clip(sorted)}
	}
	b := newWords(records)
	for _, i := range sorted {
		b.set(i)
	}
	return &set{n: len(sorted), bits: b}
}

// setWhere is the set of the records 0…n-1 that satisfy holds.
func setWhere(n int, holds func(i uint32) bool) *set {
	b := newWords(n)
	for i := range uint32(n) {
		if holds(i) {
			b.set(i)
		}
	}
	if count := b.count(); count*sparseShare > n {
		return &set{n: count, bits: b}
	}
	return newSet(b.appendAll(nil), n)
}

func (s *set) len() int {
	if s == nil {
		return 0
	}
	return s.n
}

func (s *set) has(i uint32) bool {
	if s == nil {
		return false
	}
	if s.bits != nil {
		return s.bits.has(i)
	}
	_, ok := slices.BinarySearch(s.list, i)
	return ok
}

func (s *set) addTo(dst words) {
	switch {
	case s == nil:
	case s.bits != nil:
		dst.or(s.bits)
	default:
		for _, i := range s.list {
			dst.set(i)
		}
	}
}

func (s *set) appendAll(dst []uint32) []uint32 {
	switch {
	case s == nil:
		return dst
	case s.bits != nil:
		return s.bits.appendAll(dst)
	default:
		return append(dst, s.list...)
	}
}

// union is the set of the records that are in any of parts.
func union(records int, parts ...*set) *set {
	parts = slices.DeleteFunc(slices.Clone(parts), func(s *set) bool { return s.len() == 0 })
	switch len(parts) {
	case 0:
		return nil
	case 1:
		return parts[0]
	}
	b := newWords(records)
	for _, p := range parts {
		p.addTo(b)
	}
	return &set{n: b.count(), bits: b}
}

// groupCodes files the records under the keys of their words; the empty key is none.
func groupCodes(d *dict, key func(word string) string) groups[string] {
	counts := make([]int, len(d.words))
	for _, code := range d.codes {
		counts[code]++
	}
	lists := make([][]uint32, len(d.words))
	for code, n := range counts {
		lists[code] = make([]uint32, 0, n)
	}
	for i, code := range d.codes {
		lists[code] = append(lists[code], uint32(i))
	}
	g := groups[string]{sets: make(map[string]*set, len(d.words))}
	for code, w := range d.words {
		if k := key(w); k != "" {
			g.sets[k] = union(len(d.codes), g.sets[k], newSet(lists[code], len(d.codes)))
		}
	}
	return g
}

// groups maps each value of a categorical column to the records that carry it.
type groups[K comparable] struct {
	sets map[K]*set
}

// newGroups files the records 0…n-1 under the keys that keys yields for each; a record may have none or several.
func newGroups[K comparable](n int, keys func(i uint32, yield func(K))) groups[K] {
	lists := map[K][]uint32{}
	for i := range uint32(n) {
		keys(i, func(k K) {
			if l := lists[k]; len(l) == 0 || l[len(l)-1] != i {
				lists[k] = append(l, i)
			}
		})
	}
	g := groups[K]{sets: make(map[K]*set, len(lists))}
	for k, l := range lists {
		g.sets[k] = newSet(l, n)
	}
	return g
}

func (g groups[K]) get(k K) *set { return g.sets[k] }

// any is the set of the records filed under any of keys.
func (g groups[K]) any(records int, keys []K) *set {
	parts := make([]*set, 0, len(keys))
	for _, k := range keys {
		parts = append(parts, g.sets[k])
	}
	return union(records, parts...)
}
