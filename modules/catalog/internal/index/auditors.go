package index

import (
	"slices"

	"gpatlas/modules/catalog/internal/index/column"
	"gpatlas/modules/catalog/internal/text"
)

// auditors is the column of auditors' names: a list of them a fund.
type auditors struct {
	column.Lists
	words [][]string // of each name, normalized; none of a withheld name: see persons
}

func newAuditors(names column.Lists) auditors {
	a := auditors{names, make([][]string, len(names.Words))}
	for code, name := range names.Words {
		a.words[code] = text.Words(name)
	}
	return a
}

// match lists the auditors of whose name every word of query is, or begins, a word.
func (a *auditors) match(query string) []uint32 {
	terms := text.Words(query)
	if len(terms) == 0 {
		return nil
	}
	var hits []uint32
	for code, words := range a.words {
		if !slices.ContainsFunc(terms, func(t string) bool { return !begun(words, t) }) {
			hits = append(hits, uint32(code))
		}
	}
	return hits
}

func begun(words []string, term string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return len(w) >= len(term) && w[:len(term)] == term })
}
