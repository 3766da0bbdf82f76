package text

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// forms are the legal forms, as terms have them.
var forms = []string{
	"llc", "lp", "llp", "lllp", "inc", "incorporated", "ltd", "limited", "corp", "corporation", "co", "company", "plc", "gmbh", "ag", "sa", "nv", "bv", "pte", "pty", "pllc",
}

// shortLeast is from how many letters on a word is read with a typing error when nothing else is found.
const shortLeast = 3

// partLeast is the fewest letters of each of two words between which a blank may be lost.
const partLeast = 2

// A query that has fewer matches than enough, and none with every word in its names as it is typed, is read again. Without its legal forms it
// is if that gives no more than many.
const (
	enough = 5
	many   = 25
)

// loosen reads a query again that finds nothing or too little, each time more tolerantly, until it finds more:
//
//   - without legal forms, which may be mistyped at the end;
//   - with a typing error in words of three and four letters, first in those that no record has, then in all;
//   - with a blank between two words that stand in the query as one.
//
// What was found before stays among the matches. A query that finds something is not read in the last two ways. Numbers, also
// roman ones, are never read otherwise: Fund II is not Fund III.
func (m *Matches) loosen() (loosened bool) {
	texts, had, changed := slices.Clone(m.termTexts), m.count, false
	try := func(texts []string, err mistakes) int {
		if err != inNone && !slices.ContainsFunc(texts, func(s string) bool { return m.mistaken(s, err) }) {
			return 0
		}
		changed = true
		return m.again(texts, err)
	}
	core := withoutForms(texts)
	if len(core) < len(texts) {
		if n := try(core, inNone); n > had && (had == 0 || n <= many) {
			if n < enough && try(core, inUnknown) == 0 {
				m.again(core, inNone)
			}
			return true
		}
	}
	switch {
	case had > 0:
		if try(texts, inUnknown) > had {
			return true
		}
	case try(core, inUnknown) > 0 || try(core, inShort) > 0 || m.parted(core):
		return true
	}
	if changed || had == 0 {
		m.again(texts, inNone)
	}
	return false
}

// mistakes says which short words are read with a typing error.
type mistakes uint8

const (
	inNone    mistakes = iota
	inUnknown          // those that no record has
	inShort            // all
)

// mistaken says whether a word is one of those.
func (m *Matches) mistaken(s string, err mistakes) bool {
	return err != inNone && mayErr(s) && (err == inShort || !m.isWord(s))
}

// certain says whether a match has every word in its names, as it is typed.
func (m *Matches) certain() bool {
	if m.count == 0 || len(m.full) > 0 {
		return m.count > 0
	}
	m.found = members(m.found[:0], m.set)
	best := m.byRow(nil, Relevance, m.found, 0, 1)
	return len(best) > 0 && best[0].Rank <= 1+2*exact
}

// parted says whether the terms find something when one of them is taken for two.
func (m *Matches) parted(core []string) bool {
	for i, word := range core {
		for at := partLeast; at <= len(word)-partLeast; at++ {
			if m.isWord(word[:at]) && m.isWord(word[at:]) &&
				m.again(withoutForms(slices.Replace(slices.Clone(core), i, i+1, word[:at], word[at:])), inNone) > 0 {
				return true
			}
		}
	}
	return false
}

// again gives how many records match these terms.
func (m *Matches) again(texts []string, err mistakes) int {
	m.forget()
	m.used = 0
	m.lookUp(m.ix, texts)
	for i := range m.terms {
		if t := &m.terms[i]; m.mistaken(t.s, err) {
			t.expand(m.ix.dict, m.seen)
			t.findShort(m.ix.dict)
		}
	}
	m.set, m.count = nil, 0
	m.evaluateTerms()
	return m.count
}

// isWord says whether a text is a word of the index.
func (m *Matches) isWord(s string) bool {
	_, ok := m.ix.dict.find(s)
	return ok
}

// withoutForms leaves out the legal forms behind the first term, and a last term that is one but for an error.
func withoutForms(terms []string) []string {
	core := make([]string, 0, len(terms))
	for i, t := range terms {
		last := i == len(terms)-1 && len(t) <= 5 && !isRoman(t) && !hasDigit(t) &&
			slices.ContainsFunc(forms, func(f string) bool { return EditWithinOne(t, f) })
		if i == 0 || !last && !slices.Contains(forms, t) {
			core = append(core, t)
		}
	}
	return core
}

// mayErr says whether a word is short, and no number.
func mayErr(s string) bool {
	n := utf8.RuneCountInString(s)
	return shortLeast <= n && n < fuzzyFrom && !hasDigit(s) && !isRoman(s)
}

// isRoman says whether a word may be a roman number.
func isRoman(s string) bool { return strings.Trim(s, "ivx") == "" }

// findShort adds to near the words that are one edit away from the term, but no legal forms, which too many names have. The
// beginnings of longer words are not compared: too many begin so.
func (t *term) findShort(d *dictionary) {
	for _, w := range d.short {
		if s := d.word(w); (w < t.lo || w >= t.hi) && !isRoman(s) && EditWithinOne(t.s, s) && !slices.Contains(forms, s) && !slices.Contains(t.inside, w) {
			t.near = append(t.near, w)
		}
	}
}
