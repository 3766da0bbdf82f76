package text

import "strings"

// desk is the working space of one Match, taken from a pool and put back when it ends. Its arrays are all zero between
// uses, and each user cleans up what it touched: clearing them whole would cost more than most queries.
type desk struct {
	query   []byte
	terms   []term
	rest    []*term  // those beside the one that began
	seen    []uint8  // by word
	score   []uint8  // by record: class by name << 4 | class by any word, each plus one
	touched []uint32 // records with a score
	words   []uint32 // words with a memo in seen
	found   []uint32
	sets    [][]uint64 // bitsets with anything in them
}

func (ix *Index) desk() *desk {
	if d, ok := ix.desks.Get().(*desk); ok {
		return d
	}
	return &desk{seen: make([]uint8, ix.dict.len()), score: make([]uint8, ix.records)}
}

// read looks up the distinct words of a normalised query.
func (d *desk) read(ix *Index, q string) []term {
	n := 0
next:
	for word := range strings.SplitSeq(q, " ") {
		for i := range n {
			if d.terms[i].s == word {
				continue next
			}
		}
		if n == len(d.terms) {
			d.terms = append(d.terms, term{})
		}
		d.terms[n].look(ix, word)
		n++
	}
	return d.terms[:n]
}

// set gives the i-th scratch bitset, its content undefined.
func (d *desk) set(ix *Index, i int) []uint64 {
	for len(d.sets) <= i {
		d.sets = append(d.sets, make([]uint64, ix.words()))
	}
	return d.sets[i]
}
