package text

import (
	"slices"
	"strings"
	"sync"
)

// Index finds records by text. It is immutable and safe for concurrent use.
type Index struct {
	records int
	dict    *dictionary
	names   *postings
	all     *postings // of names and location together
	rows    []uint32  // every record's words, a name's first marked by nameStart
	row     []span
	full    []uint64 // hash of a full name << 32 | record, ascending

	// The pool stands apart: the runtime knows each pool for two collections longer, and with it what it stands in.
	pool *sync.Pool // *Matches
}

// Match prepares the answer to a query: what of it is asked for is found then. It gives nil when the query has no
// searchable letter or digit.
func (ix *Index) Match(query string) *Matches {
	m := ix.newMatches()
	m.query = appendNormal(m.query[:0], query)
	if len(m.query) == 0 {
		m.Release()
		return nil
	}
	q := string(m.query)
	m.read(ix, q)
	m.full = ix.fullNames(m.full[:0], q)
	driver := lightest(m.terms)
	if limit := ix.sparseLimit(len(m.terms)); driver.weight <= limit {
		driver.expand(ix.dict, m.seen)
		if ix.cost(driver) <= limit {
			ix.matchSparse(m, driver)
			ix.promote(m)
		}
	}
	return m
}

// FullNames is the records that have a name equal to the query once both are normalised, ascending.
func (ix *Index) FullNames(query string) []uint32 {
	q := Normalise(query)
	if q == "" {
		return nil
	}
	return ix.fullNames(nil, q)
}

// words is the length of a dense bitset over the records.
func (ix *Index) words() int { return (ix.records + 63) / 64 }

// sparseLimit is how many postings are better looked at one by one than as bitsets.
// To look whether a record has the other terms too costs about as much as to go through 50 words of a bitset.
func (ix *Index) sparseLimit(terms int) int {
	if terms == 1 {
		return max(256, ix.records/256)
	}
	return max(64, ix.records/2048)
}

func (ix *Index) cost(t *term) int {
	cost := t.weight
	for _, list := range [][]uint32{t.inside, t.near} {
		for _, w := range list {
			cost += ix.all.size(w, w+1)
		}
	}
	return cost
}

func lightest(terms []term) *term {
	best := &terms[0]
	for i := range terms {
		if terms[i].weight < best.weight {
			best = &terms[i]
		}
	}
	return best
}

// fullNames finds the records with that full name through its hash and verifies them word by word.
func (ix *Index) fullNames(dst []uint32, q string) []uint32 {
	key := uint64(hash([]byte(q))) << 32
	i, _ := slices.BinarySearch(ix.full, key)
	if i == len(ix.full) || ix.full[i]>>32 != key>>32 {
		return dst
	}
	for ; i < len(ix.full) && ix.full[i]>>32 == key>>32; i++ {
		if r := uint32(ix.full[i]); ix.hasName(r, q) {
			dst = append(dst, r)
		}
	}
	return dst
}

func (ix *Index) hasName(record uint32, q string) bool {
	row := ix.rows[ix.row[record].from:ix.row[record].place]
	for i := 0; i < len(row); {
		rest, good := q, true
		for first := true; i < len(row) && (first || row[i]&nameStart == 0); i++ {
			word := ix.dict.word(row[i] &^ nameStart)
			if !first {
				good = good && strings.HasPrefix(rest, " ")
				rest = strings.TrimPrefix(rest, " ")
			}
			good = good && strings.HasPrefix(rest, word)
			rest = strings.TrimPrefix(rest, word)
			first = false
		}
		if good && rest == "" {
			return true
		}
	}
	return false
}

// promote moves the records whose full name the query is from rank 1 to rank 0.
func (ix *Index) promote(m *Matches) {
	if len(m.full) == 0 {
		return
	}
	for i := range m.tiers {
		if m.tiers[i].rank == 1 {
			m.without(i, m.full)
			break
		}
	}
	m.tiers = slices.Insert(m.tiers, 0, tier{rank: 0, list: m.full})
}
