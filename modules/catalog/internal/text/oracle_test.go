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
	return b.Build().Strict()
}

// corpus is records as the naive reading needs them: their words, each known by its place in a list, so that a query's
// class for a word is found out once.
type corpus struct {
	words []string
	of    []wordsOf
}

// wordsOf are the keys of a record's names and the places of the words of its names, of those with which they begin, and
// of its location.
type wordsOf struct {
	keys                    []string
	named, begins, location []int
}

func newCorpus(records []record) *corpus {
	c := &corpus{of: make([]wordsOf, len(records))}
	places := map[string]int{}
	place := func(s string) (all, begins []int) {
		for _, w := range text.NameWords(s) {
			at, ok := places[w.Word]
			if !ok {
				at = len(c.words)
				places[w.Word], c.words = at, append(c.words, w.Word)
			}
			if all = append(all, at); w.Begins {
				begins = append(begins, at)
			}
		}
		return all, begins
	}
	for i, r := range records {
		for _, n := range r.names {
			c.of[i].keys = append(c.of[i].keys, text.Key(n))
			all, begins := place(n)
			c.of[i].named, c.of[i].begins = append(c.of[i].named, all...), append(c.of[i].begins, begins...)
		}
		c.of[i].location, _ = place(r.location)
	}
	return c
}

// naiveRanks is the package's definition read aloud: no index, no cleverness. begun is those that would have the rank
// Begins.
func (c *corpus) naiveRanks(query string) (ranks map[uint32]int, begun map[uint32]bool) {
	key := text.Key(query)
	terms := text.Terms(query)
	ranks, begun = map[uint32]int{}, map[uint32]bool{}
	if len(terms) == 0 {
		return ranks, begun
	}
	classes := make([][]int, len(terms)) // of each term for each word
	for i, t := range terms {
		classes[i] = make([]int, len(c.words))
		for k, w := range c.words {
			classes[i][k] = naiveClass(t, w)
		}
	}
	for i, r := range c.of {
		class, named := 0, 0
		for _, of := range classes {
			n, l := 4, 4
			for _, k := range r.named {
				n = min(n, of[k])
			}
			for _, k := range r.location {
				l = min(l, of[k])
			}
			named = max(named, n)
			class = max(class, min(n, l))
		}
		begins := slices.ContainsFunc(r.begins, func(k int) bool { return classes[0][k] <= 1 })
		begun[uint32(i)] = begins && named <= 1 && !slices.Contains(r.keys, key)
		switch {
		case class == 4:
		case slices.Contains(r.keys, key):
			ranks[uint32(i)] = 0
		case named > class:
			ranks[uint32(i)] = 2 + 2*class
		default:
			ranks[uint32(i)] = 1 + 2*class
		}
	}
	return ranks, begun
}

func naiveClass(term, word string) int {
	n := utf8.RuneCountInString(term)
	switch {
	case word == term, slices.Contains(text.AlikeTo(term), word):
		return 0
	case strings.HasPrefix(word, term):
		return 1
	case n >= 3 && strings.Contains(word, term):
		return 2
	case n >= 5 && naiveNear(term, word):
		return 3
	}
	return 4
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
