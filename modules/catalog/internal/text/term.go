package text

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// The classes in which a term may match a word, best first.
const (
	exact = iota
	prefix
	substring
	fuzzy
	none
)

// From how many letters on a term matches inside words, and with a typing error.
const (
	substringFrom = 3
	fuzzyFrom     = 5
)

// term is one word of a query with the words of the dictionary that it matches.
type term struct {
	s      string
	length int      // in runes
	lo, hi uint32   // the words that begin with it
	exact  bool     // word lo is the term itself
	also   []uint32 // words that say the same
	inside []uint32
	near   []uint32
	done   bool // inside and near are filled

	matched [][]uint64    // sets that together are all records that the term matches; empty until they are asked for
	sets    [2][none]sets // by field and class, the same; see Matches.of
}

// sets are bitsets whose union is meant.
type sets struct {
	list  [][]uint64
	size  int // postings behind them
	known bool
}

func (t *term) look(ix *Index, s string) {
	t.s, t.length, t.inside, t.near, t.done = s, utf8.RuneCountInString(s), t.inside[:0], t.near[:0], false
	t.lo, t.hi = ix.dict.prefixed(s)
	t.exact = t.lo < t.hi && len(ix.dict.word(t.lo)) == len(s)
	t.also = t.also[:0]
	for _, other := range AlikeTo(s) {
		if other == s {
			continue
		}
		if w, ok := ix.dict.find(other); ok {
			t.also = append(t.also, w)
		}
	}
}

// begins reports whether the term is the word, begins it or says the same.
func (t *term) begins(w uint32) bool {
	return w-t.lo < t.hi-t.lo || len(t.also) > 0 && slices.Contains(t.also, w)
}

// equals reports whether the term is the word or says the same.
func (t *term) equals(w uint32) bool {
	return w == t.lo && t.exact || len(t.also) > 0 && slices.Contains(t.also, w)
}

// expand finds the words that match the term inside or nearly. seen has a byte a word, all zero, and is left so.
func (t *term) expand(d *dictionary, seen []uint8) {
	if t.done {
		return
	}
	t.done = true
	if t.length >= substringFrom {
		t.findInside(d, seen)
	}
	if t.length >= fuzzyFrom {
		t.findNear(d, seen)
	}
	for _, w := range t.inside {
		seen[w] = 0
	}
	for _, w := range t.near {
		seen[w] = 0
	}
}

// findInside scans the words that share the term's rarest trigram.
func (t *term) findInside(d *dictionary, seen []uint8) {
	var list []uint32
	offset := -1
	for o := 0; o+3 <= len(t.s); o++ {
		// Standing at the same position as in the term it would be a prefix.
		if l := d.from(gram(t.s, o), o+1); offset < 0 || len(l) < len(list) {
			list, offset = l, o
		}
	}
	for _, e := range list {
		w, pos := e&posMask, int(e>>posShift)
		if seen[w] == 0 && (w < t.lo || w >= t.hi) && t.standsIn(d.word(w), pos, offset) {
			seen[w] = 1
			t.inside = append(t.inside, w)
		}
	}
}

// standsIn reports whether the word contains the term, given that the word has the term's trigram from offset at pos.
func (t *term) standsIn(word string, pos, offset int) bool {
	if pos == lastPos { // or later
		return strings.Contains(word, t.s)
	}
	return strings.HasPrefix(word[pos-offset:], t.s)
}

// findNear uses that one edit leaves one half of the term as it was: words with the edit in the second half begin with
// the first half; those with the edit in the first half have the second at its position, or one before or behind it.
func (t *term) findNear(d *dictionary, seen []uint8) {
	add := func(w uint32, sure bool) {
		if seen[w] == 0 && (w < t.lo || w >= t.hi) && (sure || nearPrefix(t.s, d.word(w))) {
			seen[w] = 1
			t.near = append(t.near, w)
		}
	}
	half := t.length / 2
	cut := 0 // the same in bytes
	for range half {
		_, size := utf8.DecodeRuneInString(t.s[cut:])
		cut += size
	}
	lo, hi := d.prefixed(t.s[:cut])
	for w := lo; w < hi; w++ {
		add(w, false)
	}
	// Two letters swapped across the middle.
	_, before := utf8.DecodeLastRuneInString(t.s[:cut])
	_, behind := utf8.DecodeRuneInString(t.s[cut:])
	swapped := t.s[:cut-before] + t.s[cut:cut+behind] + t.s[cut-before:cut] + t.s[cut+behind:]
	lo, hi = d.prefixed(swapped)
	for w := lo; w < hi; w++ {
		add(w, true)
	}
	second := t.s[cut:]
	for shift := -1; shift <= 1; shift++ {
		for _, e := range rarest(d, second, half+shift) {
			add(e&posMask, false)
		}
	}
	for _, w := range d.foreign {
		add(w, false)
	}
}

// rarest is the shortest list of words that may have s, of three letters or more, at a position.
func rarest(d *dictionary, s string, pos int) (list []uint32) {
	for o := 0; o+3 <= len(s); o++ {
		if l := d.at(gram(s, o), pos+o); o == 0 || len(l) < len(list) {
			list = l
			if len(l) == 0 {
				break
			}
		}
	}
	return list
}
