package text

import (
	"slices"
	"strings"
	"unicode/utf8"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/index/column"
)

// shortLeast is from how many letters on a word is read with a typing error when nothing else is found.
const shortLeast = 3

// partLeast is the fewest letters of each of two words between which a blank may be lost.
const partLeast = 2

// A query that has fewer matches than enough, and none with every word in its names as it is typed, is read again. A reading with corrected legal forms
// is used only if it finds at most many records, or if nothing was found before.
const (
	enough = 5
	many   = 25
)

// loosen reads a query again that finds nothing or too little, each time more tolerantly, until it finds more:
//
//   - with its mistyped legal forms put right, although other names have these words, and without a short one at the end;
//   - with a typing error in words of three and four letters, first in those that no record has, then in all;
//   - with a blank between two words that the query writes as one.
//
// What was found before stays among the matches. If the query found something, only unknown short words may be mistyped, and no word is split. Numbers, also
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
	words := slices.Clone(m.queryWords)
	mendForms(words, func(word, _ string) bool { return had > 0 && !m.isWord(word) })
	core := withoutMistypedForm(appendTerms(nil, words))
	if !slices.Equal(core, texts) {
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

// mistakes is the set of short words that may match with a typing error.
type mistakes uint8

const (
	inNone    mistakes = iota
	inUnknown          // those that no record has
	inShort            // all
)

// mistaken reports whether a word may match with a typing error.
func (m *Matches) mistaken(s string, err mistakes) bool {
	return err != inNone && mayErr(s) && (err == inShort || !m.isWord(s))
}

// certain reports whether the best match has every word in its names, as typed.
func (m *Matches) certain() bool {
	if m.count == 0 || len(m.full) > 0 {
		return m.count > 0
	}
	m.found = column.Bits(m.set).AppendAll(m.found[:0])
	best := m.byRow(nil, Relevance, m.found, 0, 1)
	return len(best) > 0 && best[0].Rank <= 1+2*exact
}

// parted reports whether the terms match something when one of them is split into two words.
func (m *Matches) parted(core []string) bool {
	for i, word := range core {
		for at := partLeast; at <= len(word)-partLeast; at++ {
			if m.isWord(word[:at]) && m.isWord(word[at:]) &&
				m.again(slices.Replace(slices.Clone(core), i, i+1, word[:at], word[at:]), inNone) > 0 {
				return true
			}
		}
	}
	return false
}

// again counts the records that match these terms.
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

// isWord reports whether a text is a word of the index.
func (m *Matches) isWord(s string) bool {
	_, ok := m.ix.dict.find(s)
	return ok
}

// withoutMistypedForm removes a term that is a legal form with a typing error, if only legal forms follow it.
func withoutMistypedForm(terms []string) []string {
	forms := markForms(nil, terms)
	at := len(terms) - 1
	for at > 0 && forms[at] {
		at--
	}
	t := terms[at]
	if at == 0 || len(t) > 5 || isRoman(t) || hasDigit(t) {
		return terms
	}
	for form, use := range catalogapi.LegalForms() {
		if use >= catalogapi.FormOfFirm && EditWithinOne(t, form) {
			return slices.Delete(slices.Clone(terms), at, at+1)
		}
	}
	return terms
}

// mayErr reports whether a word is short and not a number.
func mayErr(s string) bool {
	n := utf8.RuneCountInString(s)
	return shortLeast <= n && n < fuzzyFrom && !hasDigit(s) && !isRoman(s)
}

// isRoman reports whether a word may be a Roman numeral.
func isRoman(s string) bool { return strings.Trim(s, "ivx") == "" }

// findShort adds to near the words that are one edit away from the term. It leaves out legal forms, which too many names have, and
// does not compare the beginnings of longer words: too many match.
func (t *term) findShort(d *dictionary) {
	for _, w := range d.short {
		if s := d.word(w); (w < t.lo || w >= t.hi) && !isRoman(s) && EditWithinOne(t.s, s) && catalogapi.LegalFormOf(s) < catalogapi.FormOfFirm && !slices.Contains(t.inside, w) {
			t.near = append(t.near, w)
		}
	}
}
