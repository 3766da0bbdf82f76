package text

import "slices"

// Matches is the answer to one query: every record that matches, by rank. It borrows memory from a pool; nothing that
// it hands out may be used after Release. A nil Matches is one that matches nothing.
type Matches struct {
	ix    *Index
	tiers []Tier
	count int
	set   []uint64 // union of the tiers, once asked for
	union []uint32 // the same as a list

	lists []uint32   // backs the tiers' lists
	bits  [][]uint64 // backs the tiers' bitsets; the first `used` are taken
	used  int
}

// Tier holds the records of one rank: a dense bitset when Bits is not nil, else List in ascending order. Neither may be
// written to.
type Tier struct {
	Rank  int
	Count int
	List  []uint32
	Bits  []uint64
}

// Contains says whether the record is in the tier.
func (t *Tier) Contains(record uint32) bool {
	if t.Bits != nil {
		return t.Bits[record>>6]>>(record&63)&1 == 1
	}
	_, ok := slices.BinarySearch(t.List, record)
	return ok
}

// Count is the number of matching records.
func (m *Matches) Count() int {
	if m == nil {
		return 0
	}
	return m.count
}

// Tiers are the ranks that have records, best first; no record stands in two of them.
func (m *Matches) Tiers() []Tier {
	if m == nil {
		return nil
	}
	return m.tiers
}

// Rank says how well a record matches, lower is better, or that it does not.
func (m *Matches) Rank(record uint32) (rank int, ok bool) {
	for i := range m.Tiers() {
		if m.tiers[i].Contains(record) {
			return m.tiers[i].Rank, true
		}
	}
	return 0, false
}

// Set is the union of all ranks as a dense bitset over the records, one word for 64 of them. It is not to be written to.
// It is nil when nothing matches.
func (m *Matches) Set() []uint64 {
	if m.Count() == 0 {
		return nil
	}
	if m.set == nil {
		if len(m.tiers) == 1 && m.tiers[0].Bits != nil {
			return m.tiers[0].Bits
		}
		m.set = m.bitset()
		clear(m.set)
		for i := range m.tiers {
			if t := &m.tiers[i]; t.Bits != nil {
				or(m.set, t.Bits)
			} else {
				addAll(m.set, t.List)
			}
		}
	}
	return m.set
}

// Sparse is the union of all ranks as an ascending list, where it was found without bitsets: the cheap form of a small
// answer. It is not to be written to.
func (m *Matches) Sparse() ([]uint32, bool) {
	for i := range m.Tiers() {
		if m.tiers[i].Bits != nil {
			return nil, false
		}
	}
	switch {
	case m.Count() == 0:
		return nil, true
	case len(m.tiers) == 1:
		return m.tiers[0].List, true
	case len(m.union) == 0:
		for i := range m.tiers {
			m.union = append(m.union, m.tiers[i].List...)
		}
		slices.Sort(m.union)
	}
	return m.union, true
}

// Release gives the memory back; the Matches and everything that it handed out are dead after it. Forgetting it costs
// speed alone. It may be called on nil, but only once otherwise.
func (m *Matches) Release() {
	if m == nil || m.ix == nil {
		return
	}
	ix := m.ix
	m.ix, m.tiers, m.lists, m.union, m.set, m.used, m.count = nil, m.tiers[:0], m.lists[:0], m.union[:0], nil, 0, 0
	ix.matches.Put(m)
}

func (ix *Index) newMatches() *Matches {
	m, ok := ix.matches.Get().(*Matches)
	if !ok {
		m = &Matches{}
	}
	m.ix = ix
	return m
}

// bitset takes one of the answer's bitsets, its content undefined.
func (m *Matches) bitset() []uint64 {
	if m.used == len(m.bits) {
		m.bits = append(m.bits, make([]uint64, m.ix.words()))
	}
	m.used++
	return m.bits[m.used-1]
}

// without takes records out of a tier of the answer's own.
func (m *Matches) without(tier int, records []uint32) {
	t := &m.tiers[tier]
	if t.Bits != nil {
		for _, r := range records {
			t.Bits[r>>6] &^= 1 << (r & 63)
		}
	} else {
		t.List = slices.DeleteFunc(t.List, func(r uint32) bool {
			_, gone := slices.BinarySearch(records, r)
			return gone
		})
	}
	if t.Count -= len(records); t.Count == 0 {
		m.tiers = slices.Delete(m.tiers, tier, tier+1)
	}
}
