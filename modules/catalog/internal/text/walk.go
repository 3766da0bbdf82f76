package text

import (
	"math/bits"
	"slices"
)

// walk fills a page, rank by rank and block by block, and stops when it is full.
type walk struct {
	m     *Matches
	dst   []Hit
	only  []uint64 // nil = everything, or what list says
	list  []uint32 // where it is not nil, nothing else is wanted
	skip  int
	limit int
	begun [][][]uint64 // the records of rank Begins; nil when there are none, or when the order has no such rank
	taken []uint32     // records found so far, as a list; set if they are few, or all are on the page
	few   bool         // taken is complete
}

// fewBegin is up to how many names that begin with the first term are looked at one by one.
const fewBegin = denseLeast

// begin works out which records are of rank Begins.
func (w *walk) begin() {
	m := w.m
	t := &m.terms[0]
	p := m.ix.begun
	size := p.size(t.lo, t.hi)
	for _, a := range t.also {
		size += p.size(a, a+1)
	}
	if w.few = size <= fewBegin; !w.few { // then no word of them is dense
		w.begun = m.beginning()
		return
	}
	m.begunList = append(m.begunList[:0], p.sparse(t.lo, t.hi)...)
	for _, a := range t.also {
		m.begunList = append(m.begunList, p.sparse(a, a+1)...)
	}
	slices.Sort(m.begunList)
	list := slices.Compact(m.begunList)
	w.taken = list[:0]
	for _, r := range list {
		if !isIn(m.full, r) && m.ix.surely(m.terms[1:], r) {
			w.taken = append(w.taken, r)
		}
	}
	m.begunList = w.taken
}

// beginning is, term by term, the sets whose common records are those of rank Begins.
func (m *Matches) beginning() [][][]uint64 {
	first := m.begunBy()
	if len(first) == 0 {
		return nil
	}
	if m.begun = m.upTo(m.begun, inNames, prefix); len(m.begun) == 0 {
		return nil
	}
	m.begun[0] = append(m.begun[0][:0], first...) // what begins a name is one of its words
	return m.begun
}

// begunBy returns the sets of the records with a name that begins with the first term.
func (m *Matches) begunBy() [][]uint64 {
	t := &m.terms[0]
	c := collect{m: m, p: m.ix.begun, sets: m.first[:0]}
	c.prefix(t.lo, t.hi)
	c.words(t.also)
	m.first = c.sets
	return c.sets
}

// tier adds the records of a rank and reports whether the page is full.
func (w *walk) tier(rank int) (full bool) {
	m := w.m
	if rank == 0 {
		return w.fullNames()
	}
	if rank == Begins {
		m.better, m.named = m.better[:0], m.named[:0]
		return w.beginnings()
	}
	class, named := uint8(rank-1)/2, rank%2 == 1
	if !m.reaches(class) {
		return false
	}
	f := inNames
	if !named {
		if f = anywhere; m.sizeUpTo(inNames, class) == m.sizeUpTo(anywhere, class) {
			return false
		}
	}
	if m.include = m.upTo(m.include, f, class); len(m.include) == 0 {
		return false
	}
	m.better, m.named = m.better[:0], m.named[:0]
	if class > exact {
		m.better = m.upTo(m.better, anywhere, class-1)
	}
	if !named {
		m.named = m.upTo(m.named, inNames, class)
	}
	return w.show(rank, m.include)
}

// beginnings adds the records of rank Begins. Those that are on the page then need not be worked out again.
func (w *walk) beginnings() (full bool) {
	if w.few {
		for way := range waysToBear + 1 {
			for _, r := range w.taken {
				if w.m.bears(r) == way && w.wanted(r) && w.add(r, Begins) {
					return true
				}
			}
		}
		return false
	}
	from, skipped := len(w.dst), w.skip
	if len(w.begun) == 0 {
		return false
	}
	if w.show(Begins, w.begun) {
		return true
	}
	if skipped == 0 {
		w.begun, w.taken = nil, w.m.begunList[:0]
		for _, h := range w.dst[from:] {
			w.taken = append(w.taken, h.Record)
		}
		slices.Sort(w.taken)
		w.m.begunList = w.taken
	}
	return false
}

// show adds the records that match include and are in none of better, named and (for ranks that Begins can replace) begun.
// Those with the query's legal forms come first.
func (w *walk) show(rank int, include [][][]uint64) (full bool) {
	m, before := w.m, 0
	m.borne = m.borne[:0]
	for way := range waysToBear {
		m.both = append(m.both[:0], include...)
		size := 0
		for i := range m.forms {
			if s := m.borneBy(&m.forms[i], way); len(s.list) > 0 {
				m.both, size = append(m.both, s.list), size+s.size
			}
		}
		if size == before || len(m.both) < len(include)+len(m.forms) { // there are no more, or none has all
			continue
		}
		if w.showAll(rank, m.both) {
			return true
		}
		m.borne, before = append(m.borne[:0], m.both[len(include):]...), size
	}
	return w.showAll(rank, include)
}

func (w *walk) showAll(rank int, include [][][]uint64) (full bool) {
	if w.list != nil {
		return w.listed(rank, include)
	}
	return w.blocks(rank, include)
}

// without is what a rank leaves to better ones.
func (w *walk) without(rank int) [4][][][]uint64 {
	out := [4][][][]uint64{w.m.better, w.m.named, nil, w.m.borne}
	if mayBegin(rank) {
		out[2] = w.begun
	}
	return out
}

// reaches reports whether every term matches words in a class or a better one, and some term words in that very class.
func (m *Matches) reaches(class uint8) bool {
	adds := false
	for i := range m.terms {
		t := &m.terms[i]
		some := t.hi > t.lo || len(t.also) > 0
		switch class {
		case exact:
			some, adds = t.exact || len(t.also) > 0, true
		case prefix:
			adds = adds || t.hi > t.lo+1 || some && !t.exact
		default:
			t.expand(m.ix.dict, m.seen)
			some = some || len(t.inside) > 0 || class == fuzzy && len(t.near) > 0
			adds = adds || class == substring && len(t.inside) > 0 || class == fuzzy && len(t.near) > 0
		}
		if !some {
			return false
		}
	}
	return adds
}

func (w *walk) blocks(rank int, include [][][]uint64) (full bool) {
	m := w.m
	var x, less block
	others := w.without(rank)
	for from := 0; from < m.ix.words(); from += blockWords {
		n := min(blockWords, m.ix.words()-from)
		if w.only != nil {
			copy(x[:n], w.only[from:from+n])
		}
		share(&x, include, from, n, w.only != nil)
		for _, without := range others {
			if len(without) > 0 {
				share(&less, without, from, n, false)
				for i, y := range less[:n] {
					x[i] &^= y
				}
			}
		}
		if w.take(x[:n], from, rank) {
			return true
		}
	}
	return false
}

// take adds the records of a block.
func (w *walk) take(x []uint64, from, rank int) (full bool) {
	for i, y := range x {
		if y == 0 {
			continue
		}
		if len(w.m.full) > 0 {
			y = without(y, from+i, w.m.full)
		}
		if len(w.taken) > 0 && mayBegin(rank) {
			y = without(y, from+i, w.taken)
		}
		if n := bits.OnesCount64(y); n <= w.skip {
			w.skip -= n
			continue
		}
		for ; y != 0; y &= y - 1 {
			if w.skip > 0 {
				w.skip--
				continue
			}
			w.dst = append(w.dst, Hit{uint32((from+i)<<6 + bits.TrailingZeros64(y)), rank})
			if len(w.dst) == w.limit {
				return true
			}
		}
	}
	return false
}

// without takes the records of an ascending list out of a word of a bitset.
func without(y uint64, word int, records []uint32) uint64 {
	i, _ := slices.BinarySearch(records, uint32(word<<6)) // #nosec G115 -- a number of a record
	for _, r := range records[i:] {
		if int(r>>6) != word {
			break
		}
		y &^= 1 << (r & 63)
	}
	return y
}

// listed adds those of the list that are of a rank.
func (w *walk) listed(rank int, include [][][]uint64) (full bool) {
	equal, others := w.m.full, w.without(rank)
	for _, r := range w.list {
		if !inAll(include, r) || inSome(others, r) || isIn(equal, r) || mayBegin(rank) && isIn(w.taken, r) {
			continue
		}
		if w.add(r, rank) {
			return true
		}
	}
	return false
}

func inSome(others [4][][][]uint64, r uint32) bool {
	for _, groups := range others {
		if len(groups) > 0 && inAll(groups, r) {
			return true
		}
	}
	return false
}

func inAll(groups [][][]uint64, r uint32) bool {
	for _, g := range groups {
		if !inAny(g, r) {
			return false
		}
	}
	return true
}

func inAny(sets [][]uint64, r uint32) bool {
	for _, set := range sets {
		if set[r>>6]>>(r&63)&1 == 1 {
			return true
		}
	}
	return false
}

// fullNames adds the records that have the query as a full name.
func (w *walk) fullNames() (full bool) {
	for _, r := range w.m.full {
		if w.wanted(r) && w.add(r, 0) {
			return true
		}
	}
	return false
}

// wanted reports whether a record is let through.
func (w *walk) wanted(r uint32) bool {
	if w.only != nil {
		return w.only[r>>6]>>(r&63)&1 == 1
	}
	return w.list == nil || isIn(w.list, r)
}

func (w *walk) add(r uint32, rank int) (full bool) {
	if w.skip > 0 {
		w.skip--
		return false
	}
	w.dst = append(w.dst, Hit{r, rank})
	return len(w.dst) == w.limit
}
