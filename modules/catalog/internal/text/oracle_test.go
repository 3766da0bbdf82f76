package text_test

import (
	"slices"
	"strings"
	"unicode/utf8"

	"gpatlas/modules/catalog/internal/text"
)

// record is what the tests add to an index.
type record struct {
	names    []string
	location string
}

func build(records []record) *text.Index {
	b := text.NewBuilder(len(records))
	for i, r := range records {
		b.Add(uint32(i), r.names, r.location)
	}
	return b.Build()
}

// naiveRanks is the package's definition read aloud: no index, no cleverness.
func naiveRanks(records []record, query string) map[uint32]int {
	q := text.Normalise(query)
	terms := strings.Fields(q)
	known := map[string]map[string]int{}
	best := func(term string, words []string) int {
		class := 4
		for _, w := range words {
			if known[term] == nil {
				known[term] = map[string]int{}
			}
			if _, ok := known[term][w]; !ok {
				known[term][w] = naiveClass(term, []string{w})
			}
			class = min(class, known[term][w])
		}
		return class
	}
	ranks := map[uint32]int{}
	if len(terms) == 0 {
		return ranks
	}
	for i, r := range records {
		var names []string
		for _, n := range r.names {
			names = append(names, text.Normalise(n))
		}
		class, named := 0, 0
		for _, t := range terms {
			n := best(t, strings.Fields(strings.Join(names, " ")))
			named = max(named, n)
			class = max(class, min(n, best(t, text.Words(r.location))))
		}
		switch {
		case class == 4:
		case slices.Contains(names, q):
			ranks[uint32(i)] = 0
		case named > class:
			ranks[uint32(i)] = 2 + 2*class
		default:
			ranks[uint32(i)] = 1 + 2*class
		}
	}
	return ranks
}

func naiveClass(term string, words []string) int {
	class, n := 4, utf8.RuneCountInString(term)
	for _, w := range words {
		switch {
		case w == term:
			class = min(class, 0)
		case strings.HasPrefix(w, term):
			class = min(class, 1)
		case n >= 3 && strings.Contains(w, term):
			class = min(class, 2)
		case n >= 5 && naiveNear(term, w):
			class = min(class, 3)
		}
	}
	return class
}

// naiveNear looks at every prefix of the word whose length leaves room for one edit.
func naiveNear(term, word string) bool {
	t, w := []rune(term), []rune(word)
	for i := max(0, len(t)-1); i <= min(len(w), len(t)+1); i++ {
		if naiveDistance(t, w[:i]) <= 1 {
			return true
		}
	}
	return false
}

// naiveDistance is the optimal string alignment distance by its textbook table.
func naiveDistance(a, b []rune) int {
	d := make([][]int, len(a)+1)
	for i := range d {
		d[i] = make([]int, len(b)+1)
		d[i][0] = i
	}
	for j := range len(b) + 1 {
		d[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			d[i][j] = min(d[i-1][j]+1, d[i][j-1]+1, d[i-1][j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(a)][len(b)]
}
