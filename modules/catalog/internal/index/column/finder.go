package column

import (
	"hash/maphash"
	"math/bits"
)

// Finder finds the row of a string among distinct ones: a hash table of row numbers plus one, 0 being free.
type Finder struct {
	seed  maphash.Seed
	table []uint32
	at    func(row uint32) string
}

// NewFinder makes the look-up of the strings of n rows.
func NewFinder(n int, at func(row uint32) string) Finder {
	f := Finder{maphash.MakeSeed(), make([]uint32, 1<<bits.Len(uint(n+n/2))), at}
	for row := range uint32(n) { // #nosec G115 -- a number of a record
		slot := f.slot(at(row))
		for f.table[slot] != 0 {
			slot = (slot + 1) & uint64(len(f.table)-1)
		}
		f.table[slot] = row + 1
	}
	return f
}

func (f *Finder) slot(s string) uint64 { return maphash.String(f.seed, s) & uint64(len(f.table)-1) }

// Find returns the row of s.
func (f *Finder) Find(s string) (row uint32, ok bool) {
	for slot := f.slot(s); f.table[slot] != 0; slot = (slot + 1) & uint64(len(f.table)-1) {
		if row = f.table[slot] - 1; f.at(row) == s {
			return row, true
		}
	}
	return 0, false
}
