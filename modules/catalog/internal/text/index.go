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
	places  *postings
	rows    []uint32 // every record's words, a name's first marked by nameStart
	row     []span
	full    []uint64 // hash of a full name << 32 | record, ascending

	desks   sync.Pool // *desk
	matches sync.Pool // *Matches
}

// Match finds every record that the query matches. It gives nil when the query has no searchable letter or digit.
func (ix *Index) Match(query string) *Matches {
	d := ix.desk()
	defer ix.desks.Put(d)
	d.query = appendNormal(d.query[:0], query)
	if len(d.query) == 0 {
		return nil
	}
	m := ix.newMatches()
	q := string(d.query)
	terms := d.read(ix, q)
	driver := lightest(terms)
	driver.expand(ix.dict, d.seen)
	if ix.cost(driver) <= ix.sparseLimit(len(terms)) {
		ix.matchSparse(d, m, terms, driver)
	} else {
		ix.matchDense(d, m, terms)
	}
	ix.promote(d, m, q)
	return m
}

// FullNames is the records that have a name equal to the query once both are normalised, ascending.
func (ix *Index) FullNames(query string) []uint32 {
	d := ix.desk()
	defer ix.desks.Put(d)
	d.query = appendNormal(d.query[:0], query)
	if len(d.query) == 0 {
		return nil
	}
	return slices.Clone(ix.fullNames(d, string(d.query)))
}

// words is the length of a dense bitset over the records.
func (ix *Index) words() int { return (ix.records + 63) / 64 }

// sparseLimit is how many postings are better looked at one by one than as bitsets.
func (ix *Index) sparseLimit(terms int) int {
	if terms == 1 {
		return max(256, ix.records/64)
	}
	return max(256, ix.records/128)
}

func (ix *Index) cost(t *term) int {
	cost := t.weight
	for _, list := range [][]uint32{t.inside, t.near} {
		for _, w := range list {
			cost += ix.names.size(w, w+1) + ix.places.size(w, w+1)
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
func (ix *Index) fullNames(d *desk, q string) []uint32 {
	d.found = d.found[:0]
	key := uint64(hash([]byte(q))) << 32
	i, _ := slices.BinarySearch(ix.full, key)
	if i == len(ix.full) || ix.full[i]>>32 != key>>32 {
		return nil
	}
	for ; i < len(ix.full) && ix.full[i]>>32 == key>>32; i++ {
		if r := uint32(ix.full[i]); ix.hasName(r, q) {
			d.found = append(d.found, r)
		}
	}
	return d.found
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
func (ix *Index) promote(d *desk, m *Matches, q string) {
	full := ix.fullNames(d, q)
	if len(full) == 0 {
		return
	}
	for i := range m.tiers {
		if m.tiers[i].Rank == 1 {
			m.without(i, full)
			break
		}
	}
	m.lists = append(m.lists, full...)
	list := m.lists[len(m.lists)-len(full):]
	m.tiers = slices.Insert(m.tiers, 0, Tier{Rank: 0, Count: len(list), List: list})
}
