package index

import (
	"hash/maphash"
	"math/bits"
)

// strs is a column of strings in one arena: no pointer a row for the collector to follow, and nothing borrowed from
// a driver's buffer. Offsets are full integers, for arenas outgrow 32 bits before machines do.
type strs struct {
	data string
	ends []int
}

func (s *strs) at(i uint32) string {
	start := 0
	if i > 0 {
		start = s.ends[i-1]
	}
	return s.data[start:s.ends[i]]
}

// finder finds the row of a string in a column of distinct ones: a hash table of row numbers plus one, 0 being free.
type finder struct {
	seed  maphash.Seed
	table []uint32
}

func newFinder(column *strs) finder {
	f := finder{seed: maphash.MakeSeed(), table: make([]uint32, 1<<bits.Len(uint(len(column.ends)+len(column.ends)/2)))}
	for i := range column.ends {
		at := f.slot(column.at(uint32(i)))
		for f.table[at] != 0 {
			at = (at + 1) & uint64(len(f.table)-1)
		}
		f.table[at] = uint32(i + 1)
	}
	return f
}

func (f *finder) slot(s string) uint64 { return maphash.String(f.seed, s) & uint64(len(f.table)-1) }

func (f *finder) find(column *strs, s string) (row uint32, ok bool) {
	for at := f.slot(s); f.table[at] != 0; at = (at + 1) & uint64(len(f.table)-1) {
		if row = f.table[at] - 1; column.at(row) == s {
			return row, true
		}
	}
	return 0, false
}
