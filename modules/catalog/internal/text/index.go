package text

import (
	"bytes"
	"slices"
	"sync"
)

// Index finds records by text. It is immutable and safe for concurrent use.
type Index struct {
	records int
	strict  bool // see Strict
	firm    bool // see Firm
	dict    *dictionary
	names   *postings
	all     *postings // of names and location together
	begun   *postings // of the words with which names begin
	rows    []uint32  // every record's words, marked
	row     []span
	full    []uint64 // hash of a name's key << 32 | record, ascending

	// A pointer, because the runtime refers to each pool for two more collections, which would keep the whole Index in memory.
	pool *sync.Pool // *Matches
}

// Match prepares the answer to a query. Its parts are computed when they are requested. It returns nil if the query has no
// searchable letter or digit.
func (ix *Index) Match(query string) *Matches {
	m := ix.newMatches()
	m.query = appendReadable(m.query[:0], query)
	if len(m.query) == 0 {
		m.Release()
		return nil
	}
	m.read(ix, string(m.query))
	m.full = m.ofThese(ix.fullNames(m.full[:0], m.key))
	return m
}

// Strict returns the same index with stricter rules: a record without a legal form of the query does not match, and a query that
// finds nothing is not read more tolerantly.
func (ix *Index) Strict() *Index {
	strict := *ix
	strict.strict = true
	return &strict
}

// Firm returns the same index, but a query that finds nothing or too little is not read more tolerantly. Whether a record matches then
// depends on no other record.
func (ix *Index) Firm() *Index {
	firm := *ix
	firm.firm = true
	return &firm
}

// words is the length of a dense bitset over the records.
func (ix *Index) words() int { return (ix.records + 63) / 64 }

// fullNames finds the records that have a name with that key through its hash and verifies them word by word.
func (ix *Index) fullNames(dst []uint32, key []byte) []uint32 {
	h := uint64(hash(key))
	i, _ := slices.BinarySearch(ix.full, h<<32)
	var cut []string
	var buf []byte
	for ; i < len(ix.full) && ix.full[i]>>32 == h; i++ {
		r := uint32(ix.full[i]) // #nosec G115 -- the lower half
		row := ix.rows[ix.row[r].from:ix.row[r].nameEnd]
		for len(row) > 0 {
			cut = cut[:0]
			n := 0
			for n == 0 || n < len(row) && row[n]&nameStart == 0 {
				if row[n]&made == 0 {
					cut = append(cut, ix.dict.word(row[n]&^marks))
				}
				n++
			}
			row = row[n:]
			if buf = appendKey(buf[:0], cut); bytes.Equal(buf, key) {
				dst = append(dst, r)
				break
			}
		}
	}
	return dst
}

// ofThese keeps the records that match: a name may have the query's key without having its words.
func (m *Matches) ofThese(records []uint32) []uint32 {
	kept := records[:0]
	for _, r := range records {
		if m.ix.surely(m.terms, r) {
			kept = append(kept, r)
		} else if _, ok := m.Rank(r); ok {
			kept = append(kept, r)
		}
	}
	return kept
}

// surely reports whether each term is a word of the record's names or begins one, which needs no look at the dictionary.
func (ix *Index) surely(terms []term, record uint32) bool {
	s := ix.row[record]
	row := ix.rows[s.from:s.nameEnd]
next:
	for i := range terms {
		t := &terms[i]
		for _, w := range row {
			if t.begins(w &^ marks) {
				continue next
			}
		}
		return false
	}
	return true
}

// begunBy reports whether a name of the record begins with the first term, and each further one begins a word of its names.
func (ix *Index) begunBy(terms []term, record uint32) bool {
	s := ix.row[record]
	for _, w := range ix.rows[s.from:s.nameEnd] {
		if w&begins != 0 && terms[0].begins(w&^marks) {
			return ix.surely(terms[1:], record)
		}
	}
	return false
}
