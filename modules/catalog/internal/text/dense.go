package text

import (
	"math/bits"

	"gpatlas/modules/catalog/internal/index/column"
)

// field says which words of a record count: those of its names, or all, those of its location too.
type field uint8

const (
	inNames field = iota
	anywhere
)

func (ix *Index) field(f field) *postings {
	if f == inNames {
		return ix.names
	}
	return ix.all
}

// blockWords is how many words of a bitset are worked on at once: the intermediate results stay in the nearest cache.
const blockWords = 64

type block [blockWords]uint64

// collect gathers the records of words as few sets: the index's own where it has them, and one of the answer's own for
// all lists together.
type collect struct {
	m    *Matches
	p    *postings
	sets [][]uint64
	own  []uint64
	size int // postings; several may be of one record
}

func (c *collect) list(records []uint32) {
	if c.own == nil {
		c.own = c.m.bitset()
		clear(c.own)
		c.sets = append(c.sets, c.own)
	}
	addAll(c.own, records)
}

// prefix adds the words lo..hi.
func (c *collect) prefix(lo, hi uint32) {
	size := c.p.size(lo, hi)
	if size == 0 {
		return
	}
	c.size += size
	if size > unitedFrom {
		if united := c.p.prefix[uint64(lo)<<32|uint64(hi)]; united != nil {
			c.sets = append(c.sets, united)
			return
		}
	}
	c.sets = append(c.sets, c.p.denseIn(lo, hi)...)
	if stretch := c.p.sparse(lo, hi); len(stretch) > 0 {
		c.list(stretch)
	}
}

func (c *collect) words(list []uint32) {
	for _, w := range list {
		size := c.p.size(w, w+1)
		c.size += size
		switch stretch := c.p.sparse(w, w+1); {
		case len(stretch) > 0:
			c.list(stretch)
		case size > 0:
			c.sets = append(c.sets, c.p.denseIn(w, w+1)...)
		}
	}
}

// everything is the sets of the records that a term matches in any class.
func (m *Matches) everything(t *term) [][]uint64 {
	if len(t.matched) == 0 {
		t.expand(m.ix.dict, m.seen)
		c := collect{m: m, p: m.ix.all, sets: t.matched}
		c.prefix(t.lo, t.hi)
		c.words(t.also)
		c.words(t.inside)
		c.words(t.near)
		t.matched = c.sets
	}
	return t.matched
}

// of is the sets of the records that a term matches in one class, the prefix class with the exact one.
func (m *Matches) of(t *term, f field, class uint8) *sets {
	s := &t.sets[f][class]
	if s.known {
		return s
	}
	s.known = true
	c := collect{m: m, p: m.ix.field(f), sets: s.list}
	switch class {
	case exact:
		if t.exact {
			c.prefix(t.lo, t.lo+1)
		}
		c.words(t.also)
	case prefix:
		c.prefix(t.lo, t.hi)
		c.words(t.also)
	case substring:
		t.expand(m.ix.dict, m.seen)
		c.words(t.inside)
	case fuzzy:
		t.expand(m.ix.dict, m.seen)
		c.words(t.near)
	}
	s.list, s.size = c.sets, c.size
	return s
}

// upTo lists, term by term, the sets of the records that the term matches in a class or a better one. It returns nil if some term
// matches no record that well.
func (m *Matches) upTo(into [][][]uint64, f field, class uint8) (groups [][][]uint64) {
	groups = into[:0]
	for i := range m.terms {
		t := &m.terms[i]
		if len(groups) == cap(groups) {
			groups = append(groups, nil)
		} else {
			groups = groups[:len(groups)+1]
		}
		g := groups[len(groups)-1][:0]
		for c := min(class, prefix); c <= class; c++ {
			g = append(g, m.of(t, f, c).list...)
		}
		groups[len(groups)-1] = g
		if len(g) == 0 {
			return groups[:0]
		}
	}
	return groups
}

// sizeUpTo counts the postings behind upTo.
func (m *Matches) sizeUpTo(f field, class uint8) (n int) {
	for i := range m.terms {
		for c := min(class, prefix); c <= class; c++ {
			n += m.of(&m.terms[i], f, c).size
		}
	}
	return n
}

// share intersects the unions of the groups into x, in the words from…from+n-1; with within, also with x itself.
func share(x *block, groups [][][]uint64, from, n int, within bool) {
	for _, g := range groups {
		if len(g) == 1 {
			if from := g[0][from : from+n]; within {
				column.Bits(x[:n]).And(from)
			} else {
				copy(x[:n], from)
			}
		} else {
			var united block
			copy(united[:n], g[0][from:from+n])
			for _, set := range g[1:] {
				column.Bits(united[:n]).Or(set[from : from+n])
			}
			if within {
				column.Bits(x[:n]).And(united[:n])
			} else {
				*x = united
			}
		}
		within = true
	}
}

// evaluate makes the set of all matches and counts them.
func (m *Matches) evaluate() {
	if m.evaluated {
		return
	}
	m.evaluated = true
	if m.evaluateTerms(); m.count < enough && !m.ix.strict && !m.ix.firm && !m.certain() {
		m.loosened = m.loosen()
	}
}

// evaluateTerms finds the records that match every term.
func (m *Matches) evaluateTerms() {
	groups := m.include[:0]
	for i := range m.terms {
		g := m.everything(&m.terms[i])
		if len(g) == 0 {
			return
		}
		groups = append(groups, g)
	}
	defer func() { clear(groups) }() // they are the terms' own
	n := 0                           // in a register, which a field would not be
	if len(groups) == 1 && len(groups[0]) == 1 {
		m.set = groups[0][0]
		n = column.Bits(m.set).Count()
	} else {
		m.set = m.bitset()
		var x block
		for from := 0; from < len(m.set); from += blockWords {
			to := m.set[from:min(from+blockWords, len(m.set))]
			share(&x, groups, from, len(to), false)
			copy(to, x[:])
			for _, w := range x[:len(to)] {
				n += bits.OnesCount64(w)
			}
		}
	}
	if m.count = n; n == 0 {
		m.set = nil
	}
}
