package text

import "slices"

// Matches is the answer to one query: every record that matches, by rank. It borrows memory from a pool; nothing that
// it hands out may be used after Release. A nil Matches is one that matches nothing. It is used by one goroutine.
//
// A small answer is worked out at once, as lists. Of a large one only what is asked for is: the set of all matches for
// its number, and of the ranks as much as fills the page.
type Matches struct {
	scratch
	ix        *Index
	evaluated bool
	count     int
	set       []uint64 // all matches; nil when there are none
	sparse    bool     // the answer is tiers and union, below
	tiers     []tier
	lists     []uint32 // backs the tiers' lists
	union     []uint32 // all matches, ascending
}

// tier is the records of one rank, ascending.
type tier struct {
	rank int
	list []uint32
}

// Count is the number of matching records.
func (m *Matches) Count() int {
	if m == nil {
		return 0
	}
	m.evaluate()
	return m.count
}

// Set is all matches as a dense bitset over the records, one word for 64 of them. It is not to be written to.
// It is nil when nothing matches.
func (m *Matches) Set() []uint64 {
	if m.Count() == 0 {
		return nil
	}
	if m.set == nil {
		m.set = m.bitset()
		clear(m.set)
		addAll(m.set, m.union)
	}
	return m.set
}

// Sparse is all matches as an ascending list, where they were found without bitsets: the cheap form of a small answer. It
// is not to be written to.
func (m *Matches) Sparse() ([]uint32, bool) {
	if m == nil {
		return nil, true
	}
	return m.union, m.sparse
}

// Rank says how well a record matches, lower is better, or that it does not.
func (m *Matches) Rank(record uint32) (rank int, ok bool) {
	if m == nil {
		return 0, false
	}
	for _, h := range m.byRow(nil, Relevance, []uint32{record}, 0, 1) {
		return h.Rank, true
	}
	return 0, false
}

// Release gives the memory back; the Matches and everything that it handed out are dead after it. Forgetting it costs
// speed alone. It may be called on nil, but only once otherwise.
func (m *Matches) Release() {
	if m == nil || m.ix == nil {
		return
	}
	pool := m.ix.pool
	m.wipe()
	m.ix, m.set, m.evaluated, m.sparse, m.count = nil, nil, false, false, 0
	m.tiers, m.lists, m.union = m.tiers[:0], m.lists[:0], nil
	pool.Put(m)
}

func (ix *Index) newMatches() *Matches {
	m, ok := ix.pool.Get().(*Matches)
	if !ok {
		m = &Matches{scratch: scratch{seen: make([]uint8, ix.dict.len()), score: make([]uint8, ix.records)}}
	}
	m.ix = ix
	return m
}

// without takes records out of a tier.
func (m *Matches) without(at int, records []uint32) {
	t := &m.tiers[at]
	t.list = slices.DeleteFunc(t.list, func(r uint32) bool {
		_, gone := slices.BinarySearch(records, r)
		return gone
	})
	if len(t.list) == 0 {
		m.tiers = slices.Delete(m.tiers, at, at+1)
	}
}
