package text

// Matches is the answer to one query: every record that matches, by rank. It borrows memory from a pool, so nothing that it
// returns may be used after Release. A nil Matches matches nothing. It is used by one goroutine.
//
// Only what is requested is computed: the set of all matches if the caller wants their number, and as many ranks as fill the page.
type Matches struct {
	scratch
	ix        *Index
	evaluated bool
	loosened  bool // too few matched, or none: the terms are those of a more tolerant reading
	count     int
	set       []uint64 // all matches; nil when there are none
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
	return m.set
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

// Release returns the memory to the pool. The Matches and everything that it returned must not be used after that. A missing call
// costs only speed. It may be called on nil, but only once otherwise.
func (m *Matches) Release() {
	if m == nil || m.ix == nil {
		return
	}
	pool := m.ix.pool
	m.wipe()
	m.ix, m.set, m.evaluated, m.loosened, m.count = nil, nil, false, false, 0
	pool.Put(m)
}

func (ix *Index) newMatches() *Matches {
	m, ok := ix.pool.Get().(*Matches)
	if !ok {
		m = &Matches{scratch: scratch{seen: make([]uint8, ix.dict.len())}}
	}
	m.ix = ix
	return m
}
