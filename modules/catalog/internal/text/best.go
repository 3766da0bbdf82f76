package text

import (
	"math/bits"
	"slices"

	"gpatlas/modules/catalog/internal/index/column"
)

// Begins is, in a Ranking that has it, the rank of records that match by name, if every term is a word of a name or the
// beginning of one, and a name begins with the first term. Such a record has this rank instead of its own, unless that is 0.
const Begins = 9

// ranks is one more than the worst rank.
const ranks = 10

// Ranking is an order of the ranks: every rank once, the best first; Begins may be left out.
type Ranking []int

// Relevance is the order of the ranks themselves.
var Relevance = Ranking{0, 1, 2, 3, 4, 5, 6, 7, 8}

// mayBegin reports whether a record of this rank can be of the rank Begins instead.
func mayBegin(rank int) bool { return 1 <= rank && rank <= 3 }

// Hit is one record found, with its rank.
type Hit struct {
	Record uint32
	Rank   int
}

// Only narrows what is wanted of an answer. The zero value lets everything through.
type Only struct {
	Bits   []uint64 // nil: List rules
	List   []uint32 // ascending
	N      int      // members of either
	Within bool     // all of them are matches
}

func (o *Only) all() bool { return o.Bits == nil && o.List == nil && !o.Within }

// Up to few records are ranked by their own words; up to some of them are looked up in the sets of each rank, one by one;
// of more the sets are intersected.
const (
	few  = 24
	some = 1024
)

// Best appends to dst the matches in only at the positions skip…skip+limit-1, ordered by rank as in by, and within a rank by
// number.
//
// If fewer than enough records match and none matches exactly, the query is read more tolerantly: see loosen.
func (m *Matches) Best(dst []Hit, by Ranking, only Only, skip, limit int) []Hit {
	if m == nil || limit <= 0 {
		return dst
	}
	if out, again := m.best(dst, by, only, skip, limit); !again {
		return out
	}
	dst, _ = m.best(dst, by, only, skip, limit)
	return dst
}

// best is Best. It is to be asked again if it found that the query has to be read more tolerantly.
func (m *Matches) best(dst []Hit, by Ranking, only Only, skip, limit int) (out []Hit, again bool) {
	from := len(dst)
	before := m.loosened
	out = m.page(dst, by, only, skip, limit)
	if len(out) == from {
		m.evaluate()
	}
	return out, m.loosened != before
}

func (m *Matches) page(dst []Hit, by Ranking, only Only, skip, limit int) []Hit {
	if only.N <= few && !only.all() {
		return m.byRow(dst, by, m.members(&only), skip, limit)
	}
	w := walk{m: m, dst: dst, skip: skip, limit: len(dst) + limit}
	w.within(&only)
	if slices.Contains(by, Begins) {
		w.begin()
	}
	for _, rank := range by {
		if class := (rank - 1) / 2; class >= substring && rank != Begins && !only.Within && w.list == nil {
			// The first tiers did not fill the page: it may be that there is little more.
			was := m.loosened
			if only = m.narrow(only.Bits); m.loosened != was {
				return w.dst
			}
			if only.N <= few {
				return m.byRow(dst, by, m.members(&only), skip, limit)
			}
			w.within(&only)
		}
		if w.tier(rank) {
			break
		}
	}
	return w.dst
}

func (w *walk) within(only *Only) {
	w.only = only.Bits
	if !only.all() && (only.Bits == nil || only.N <= some) {
		w.list = w.m.members(only)
	}
}

// narrow is the matches within a set (nil: all of them).
func (m *Matches) narrow(within []uint64) Only {
	only := Only{N: m.Count(), Bits: m.Set(), Within: true}
	if within == nil || only.N == 0 {
		return only
	}
	both, n := m.bitset()[:len(only.Bits)], 0
	within = within[:len(only.Bits)]
	for i, x := range only.Bits {
		x &= within[i]
		both[i] = x
		n += bits.OnesCount64(x)
	}
	only.Bits, only.N = both, n
	return only
}

func (m *Matches) members(o *Only) []uint32 {
	if o.Bits == nil {
		return o.List
	}
	m.found = column.Bits(o.Bits).AppendAll(m.found[:0])
	return m.found
}

func isIn(list []uint32, r uint32) bool {
	_, in := slices.BinarySearch(list, r)
	return in
}

// byRow ranks records, ascending, by their own words. Those that do not match are left out.
func (m *Matches) byRow(dst []Hit, by Ranking, records []uint32, skip, limit int) []Hit {
	const start = (exact+1)<<4 | (exact + 1)
	scores := slices.Grow(m.scores[:0], len(records))[:len(records)]
	m.scores = scores
	for i := range scores {
		scores[i] = start
	}
	for i := range m.terms {
		m.score1(&m.terms[i], records, scores)
	}
	var counts [ranks * (waysToBear + 1)]int
	begin := slices.Contains(by, Begins)
	for i, r := range records {
		if scores[i] == 0 {
			scores[i] = uint8(len(counts))
			continue
		}
		k := rank(scores[i])
		switch {
		case len(m.full) > 0 && isIn(m.full, r):
			k = 0
		case begin && mayBegin(k) && m.ix.begunBy(m.terms, r):
			k = Begins
		}
		if k *= waysToBear + 1; k > 0 {
			k += m.bears(r)
		}
		scores[i] = uint8(k)
		counts[k]++
	}
	limit += len(dst)
	for _, rank := range by {
		for k := rank * (waysToBear + 1); k < (rank+1)*(waysToBear+1); k++ {
			if counts[k] <= skip {
				skip -= counts[k]
				continue
			}
			for i, r := range records {
				if int(scores[i]) != k {
					continue
				}
				if skip > 0 {
					skip--
					continue
				}
				if dst = append(dst, Hit{r, rank}); len(dst) == limit {
					return dst
				}
			}
		}
	}
	return dst
}

// score1 worsens the records' scores by one term; a record without it gets 0.
func (m *Matches) score1(t *term, records []uint32, scores []uint8) {
	ix := m.ix
	t.expand(ix.dict, m.seen)
	mark := func(in, near uint8) {
		for _, w := range t.inside {
			m.seen[w] = in
		}
		for _, w := range t.near {
			m.seen[w] = near
		}
	}
	mark(none-substring, none-fuzzy)
	for i, r := range records {
		if scores[i] == 0 {
			continue
		}
		s := ix.row[r]
		named := t.best(m.seen, ix.rows[s.from:s.nameEnd])
		all := min(named, t.best(m.seen, ix.rows[s.nameEnd:s.to]))
		switch {
		case all == none:
			scores[i] = 0
		case named == none:
			scores[i] = max(scores[i]&15, all+1)
		case scores[i]>>4 == 0:
			scores[i] = max(scores[i], all+1)
		default:
			scores[i] = max(scores[i]>>4, named+1)<<4 | max(scores[i]&15, all+1)
		}
	}
	mark(0, 0)
}

// best is the best class in which the term matches one of words. For words outside lo..hi that the term matches,
// seen has how much better than none the match is.
func (t *term) best(seen []uint8, words []uint32) uint8 {
	best := uint8(none)
	for _, w := range words {
		w &^= marks
		if t.equals(w) {
			return exact
		}
		if w-t.lo < t.hi-t.lo {
			best = min(best, prefix)
			continue
		}
		best = min(best, none-seen[w])
	}
	return best
}

// rank is that of a score: the class by name << 4 | the class by any word, each plus one.
func rank(score uint8) int {
	named, all := int(score>>4), int(score&15)
	if named == all {
		return 2*all - 1
	}
	return 2 * all
}
