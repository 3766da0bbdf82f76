package text

import (
	"cmp"
	"slices"
)

// matchSparse starts from the records of the rarest term, looks at their words for the others, and sorts what is left
// by rank.
func (ix *Index) matchSparse(m *Matches, driver *term) {
	d := &m.scratch
	d.touched = d.touched[:0]
	class := func(c uint8, lo, hi uint32) {
		for _, set := range ix.names.denseIn(lo, hi) {
			d.found = members(d.found[:0], set)
			d.byName(c, d.found)
		}
		d.byName(c, ix.names.sparse(lo, hi))
		for _, set := range ix.all.denseIn(lo, hi) {
			d.found = members(d.found[:0], set)
			d.byLocation(c, d.found)
		}
		d.byLocation(c, ix.all.sparse(lo, hi))
	}
	rest := driver.lo
	if driver.exact {
		rest++
		class(exact, driver.lo, rest)
	}
	for _, w := range driver.also {
		class(exact, w, w+1)
	}
	class(prefix, rest, driver.hi)
	for _, w := range driver.inside {
		class(substring, w, w+1)
	}
	for _, w := range driver.near {
		class(fuzzy, w, w+1)
	}
	left := d.touched
	// The rarer a term, the fewer records it leaves to the next.
	d.rest = d.rest[:0]
	for i := range d.terms {
		if t := &d.terms[i]; t != driver {
			d.rest = append(d.rest, t)
		}
	}
	slices.SortFunc(d.rest, func(a, b *term) int { return cmp.Compare(a.weight, b.weight) })
	for _, t := range d.rest {
		if len(left) > 0 {
			left = ix.verify(d, t, left)
		}
	}
	ix.sortOut(m, left)
}

// byName notes that records match in a class by name. Classes come best first, so the first note stands.
func (d *scratch) byName(class uint8, records []uint32) {
	for _, r := range records {
		switch s := d.score[r]; {
		case s == 0:
			d.score[r] = (class+1)<<4 | (class + 1)
			d.touched = append(d.touched, r)
		case s>>4 == 0:
			d.score[r] = (class+1)<<4 | s
		}
	}
}

func (d *scratch) byLocation(class uint8, records []uint32) {
	for _, r := range records {
		if d.score[r] == 0 {
			d.score[r] = class + 1
			d.touched = append(d.touched, r)
		}
	}
}

// verify keeps the records that match a further term as well, worsening their classes by it. What a word is to the
// term is asked once.
func (ix *Index) verify(d *scratch, t *term, records []uint32) []uint32 {
	d.words = d.words[:0]
	best := func(words []uint32) uint8 {
		best := uint8(none)
		for _, w := range words {
			w &^= marks
			if t.equals(w) {
				return exact
			}
			if t.lo <= w && w < t.hi {
				best = prefix
				continue
			}
			if best == prefix || t.length < substringFrom {
				continue
			}
			if d.seen[w] == 0 {
				d.seen[w] = t.class(ix.dict.word(w)) + 1
				d.words = append(d.words, w)
			}
			best = min(best, d.seen[w]-1)
		}
		return best
	}
	var common []uint64 // the records that have the term itself, a frequent word, in a name: nothing can be better
	if t.exact {
		if sets := ix.names.denseIn(t.lo, t.lo+1); len(sets) > 0 {
			common = sets[0]
		}
	}
	kept := records[:0]
	for _, r := range records {
		if common != nil && common[r>>6]>>(r&63)&1 == 1 {
			kept = append(kept, r)
			continue
		}
		s := ix.row[r]
		named := best(ix.rows[s.from:s.nameEnd])
		all := named
		if all != exact {
			all = min(all, best(ix.rows[s.nameEnd:s.to]))
		}
		if all == none {
			d.score[r] = 0
			continue
		}
		score := d.score[r]
		all = max(all+1, score&15)
		if named == none || score>>4 == 0 {
			named = 0
		} else {
			named = max(named+1, score>>4)
		}
		d.score[r] = named<<4 | all
		kept = append(kept, r)
	}
	for _, w := range d.words {
		d.seen[w] = 0
	}
	return kept
}

// sortOut orders the scored records by rank and number into tiers, and wipes the scores.
func (ix *Index) sortOut(m *Matches, records []uint32) {
	d := &m.scratch
	if len(records) <= 192 {
		slices.Sort(records)
	} else {
		set := m.bitset()
		clear(set)
		addAll(set, records)
		records = members(records[:0], set)
	}
	var counts [ranks]int
	for _, r := range records {
		counts[rank(d.score[r])]++
	}
	m.lists = slices.Grow(m.lists[:0], len(records))[:len(records)]
	var next [ranks]int
	at := 0
	for rank, n := range counts {
		next[rank] = at
		if n > 0 {
			m.tiers = append(m.tiers, tier{rank: rank, list: m.lists[at : at+n : at+n]})
		}
		at += n
	}
	for _, r := range records {
		k := rank(d.score[r])
		m.lists[next[k]] = r
		next[k]++
		d.score[r] = 0
	}
	m.sparse, m.evaluated = true, true
	m.union, m.count = records, len(records)
}

func rank(score uint8) int {
	named, all := int(score>>4), int(score&15)
	if named == all {
		return 2*all - 1
	}
	return 2 * all
}
