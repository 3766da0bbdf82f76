package text

import "math/bits"

// matchDense evaluates the terms as sets, class by class: the records whose every term matches at least so well by
// name, and by any word. What a class adds to the one before it are two ranks.
func (ix *Index) matchDense(d *desk, m *Matches, terms []term) {
	var levels [none]bool // classes in which some term has words at all
	places := false
	levels[exact] = true
	for i := range terms {
		t := &terms[i]
		t.expand(ix.dict, d.seen)
		levels[prefix] = levels[prefix] || t.hi > t.lo+1 || t.hi > t.lo && !t.exact
		levels[substring] = levels[substring] || len(t.inside) > 0
		levels[fuzzy] = levels[fuzzy] || len(t.near) > 0
		places = places || ix.inPlaces(t)
	}
	for i := range terms {
		ix.intersect(d, &terms[i], &levels, i == 0, places)
	}
	var before []uint64 // every record of the classes so far
	for c := range uint8(none) {
		if !levels[c] {
			continue
		}
		named := d.set(ix, 2+2*int(c))
		all := named
		if places {
			all = d.set(ix, 3+2*int(c))
		}
		m.addTier(1+2*int(c), named, nil, before)
		if places {
			m.addTier(2+2*int(c), all, named, before)
		}
		before = all
	}
}

func (ix *Index) inPlaces(t *term) bool {
	if ix.places.size(t.lo, t.hi) > 0 {
		return true
	}
	for _, list := range [][]uint32{t.inside, t.near} {
		for _, w := range list {
			if ix.places.size(w, w+1) > 0 {
				return true
			}
		}
	}
	return false
}

// intersect narrows each class's sets (2+2c by name, 3+2c by any word) by one term.
func (ix *Index) intersect(d *desk, t *term, levels *[none]bool, first, places bool) {
	named, all := d.set(ix, 0), d.set(ix, 1)
	clear(named)
	if places {
		clear(all)
	}
	unite := func(lo, hi uint32) {
		ix.names.unite(named, lo, hi)
		if places {
			ix.places.unite(all, lo, hi)
		}
	}
	for c := range uint8(none) {
		if !levels[c] {
			continue
		}
		switch {
		case c == exact && t.exact:
			unite(t.lo, t.lo+1)
		case c == prefix:
			unite(t.lo, t.hi)
		case c == substring:
			for _, w := range t.inside {
				unite(w, w+1)
			}
		case c == fuzzy:
			for _, w := range t.near {
				unite(w, w+1)
			}
		}
		narrow(d.set(ix, 2+2*int(c)), named, nil, first)
		if places {
			narrow(d.set(ix, 3+2*int(c)), named, all, first)
		}
	}
}

// narrow makes set the union of a and b, or what it shares with that.
func narrow(set, a, b []uint64, first bool) {
	a = a[:len(set)]
	switch {
	case b == nil && first:
		copy(set, a)
	case b == nil:
		and(set, a)
	case first:
		b = b[:len(set)]
		for i := range set {
			set[i] = a[i] | b[i]
		}
	default:
		b = b[:len(set)]
		for i := range set {
			set[i] &= a[i] | b[i]
		}
	}
}

// addTier adds the records of set that are in neither of two others (nil = empty) as a rank.
func (m *Matches) addTier(rank int, set, not, before []uint64) {
	to := m.bitset()
	to = to[:len(set)]
	n := 0
	switch {
	case not == nil && before == nil:
		for i, w := range set {
			to[i] = w
			n += bits.OnesCount64(w)
		}
	case not == nil || before == nil:
		if not == nil {
			not = before
		}
		not = not[:len(set)]
		for i, w := range set {
			w &^= not[i]
			to[i] = w
			n += bits.OnesCount64(w)
		}
	default:
		not, before = not[:len(set)], before[:len(set)]
		for i, w := range set {
			w &^= not[i] | before[i]
			to[i] = w
			n += bits.OnesCount64(w)
		}
	}
	if n == 0 {
		m.used--
		return
	}
	m.count += n
	m.tiers = append(m.tiers, Tier{Rank: rank, Count: n, Bits: to})
}
