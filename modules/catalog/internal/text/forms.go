package text

import "slices"

// legalForms are the legal forms, as terms have them. Behind the first term they exclude no record: of each rank, records that bear all
// of them come first.
var legalForms = []string{
	"llc", "lp", "llp", "lllp", "inc", "incorporated", "ltd", "limited", "corp", "corporation", "co", "company", "plc", "gmbh", "ag", "sa", "nv", "bv", "pte", "pty", "pllc",
}

// waysToBear is in how many ways a record may bear a legal form, best first: as a word of its names, as the beginning of one, which may be
// still being typed, and as that of any word of it.
const waysToBear = 3

// borneBy is the sets of the records that bear a form in a way or a better one.
func (m *Matches) borneBy(form *term, way int) *sets {
	switch way {
	case 0:
		return m.of(form, inNames, exact)
	case 1:
		return m.of(form, inNames, prefix)
	}
	return m.of(form, anywhere, prefix)
}

// bears is the best way in which a record bears all legal forms of the query: 0 where it has none, waysToBear where the record does not.
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
