package text

import (
	"slices"
	"strings"

	"gpatlas/modules/catalog/catalogapi"
)

// besideForm are the words that are part of the form behind them, at the end of a query: "& Co.", "Private Limited".
var besideForm = map[string][]string{
	"and":         {"co", "company"},
	"de":          {"cv"},
	"exempted":    {"co", "company", "ltd", "limited"},
	"private":     {"ltd", "limited"},
	"proprietary": {"ltd", "limited"},
	"sp":          {"z", "zoo"},
	"unlimited":   {"co", "company"},
	"z":           {"oo"},
}

// A spelledForm is a legal form in words, each in full.
type spelledForm struct {
	words []string
	is    string // the term that means the same
}

// spelledForms are the legal forms in words: those that one word means too, those of more words first, and others.
var spelledForms = func() (list []spelledForm) {
	for _, f := range catalogapi.SpelledForms() {
		list = append(list, spelledForm{f.Words, f.Short})
	}
	for _, f := range []string{"private limited", "proprietary limited", "limited", "incorporated", "corporation", "company", "partnership"} {
		list = append(list, spelledForm{words: strings.Fields(f)})
	}
	return list
}()

// SetOf is a set of the words of a text.
func SetOf(words string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		set[w] = true
	}
	return set
}

// markForms marks the terms that are legal forms behind the first. Those that have other meanings are legal forms at the end of a query only, where
// no others but forms follow.
func markForms(dst []bool, terms []string) []bool {
	dst = slices.Grow(dst[:0], len(terms))[:len(terms)]
	atEnd := true
	for at := len(terms) - 1; at >= 0; at-- {
		form := catalogapi.LegalFormOf(terms[at])
		dst[at] = at > 0 && (form >= catalogapi.FormOfFirm || atEnd && (form == catalogapi.FormAtEnd || at+1 < len(terms) && slices.Contains(besideForm[terms[at]], terms[at+1])))
		atEnd = atEnd && dst[at]
	}
	return dst
}

// readForm reads a legal form in words as the term that means the same. It takes no word where there is none.
func readForm(words []string) (term string, taken int) {
	for _, f := range spelledForms {
		if f.is != "" && f.begins(words, nil) {
			return f.is, len(f.words)
		}
	}
	return "", 0
}

// begins reports whether words begin with the form, as they are or, where known is given, with a mistake in some of them.
func (f *spelledForm) begins(words []string, known func(word, form string) bool) bool {
	if len(words) < len(f.words) {
		return false
	}
	for i, want := range f.words {
		if w := words[i]; w != want && catalogapi.WordOfForm(w) != want && (known == nil || !mistypes(w, want) || known(w, want)) {
			return false
		}
	}
	return true
}

// mistypes reports whether a word of five letters or more is one edit away from a word of a form.
func mistypes(word, form string) bool {
	return len(word) >= fuzzyFrom && len(word) <= len(form)+1 && len(form) <= len(word)+1 && EditWithinOne(word, form)
}

// mendForms puts right the mistyped legal forms behind the first word, but none that known knows to be another word.
func mendForms(words []string, known func(word, form string) bool) {
next:
	for at := 1; at < len(words); {
		for _, f := range spelledForms {
			if !f.begins(words[at:], known) {
				continue
			}
			for i, want := range f.words {
				if mistypes(words[at+i], want) {
					words[at+i] = want
				}
			}
			at += len(f.words)
			continue next
		}
		at++
	}
}

// knows reports whether a word that is nearly one of a legal form is a word of the index, or begins one while it does not begin the form.
func (ix *Index) knows(word, form string) bool {
	lo, hi := ix.dict.prefixed(word)
	return lo < hi && (len(ix.dict.word(lo)) == len(word) || !strings.HasPrefix(form, word))
}

// waysToBear is the number of ways in which a record may have a legal form, best first: as a word of its names, as the beginning of one,
// which may still be incomplete, and as the beginning of any of its words.
const waysToBear = 3

// borneBy returns the sets of the records that have a form in a way or a better one.
func (m *Matches) borneBy(form *term, way int) *sets {
	switch way {
	case 0:
		return m.of(form, inNames, exact)
	case 1:
		return m.of(form, inNames, prefix)
	}
	return m.of(form, anywhere, prefix)
}

// bears returns the best way in which a record has all legal forms of the query: 0 if the query has none, waysToBear if the record lacks
// one.
func (m *Matches) bears(record uint32) (way int) {
	s := m.ix.row[record]
	for i := range m.forms {
		t := &m.forms[i]
		words := m.ix.rows[s.from:s.to]
		named := words[:s.nameEnd-s.from]
		switch {
		case slices.ContainsFunc(named, func(w uint32) bool { return t.equals(w &^ marks) }):
		case slices.ContainsFunc(named, func(w uint32) bool { return t.begins(w &^ marks) }):
			way = max(way, 1)
		case slices.ContainsFunc(words, func(w uint32) bool { return t.begins(w &^ marks) }):
			way = max(way, 2)
		default:
			return waysToBear
		}
	}
	return way
}
