package column

import (
	"hash/maphash"
	"math/bits"
)

// Finder finds the row of a string in a column of distinct ones: a hash table of row numbers plus one, 0 being free.
type Finder struct {
	seed  maphash.Seed
	table []uint32
}

// NewFinder makes the look-up of a column.
func NewFinder(column *Strings) Finder {
	f := Finder{seed: maphash.MakeSeed(), table: make([]uint32, 1<<bits.Len(uint(len(column.ends)+len(column.ends)/2)))}
	for i := range column.ends {
		at := f.slot(column.At(uint32(i)))
		for f.table[at] != 0 {
			at = (at + 1) & uint64(len(f.table)-1)
		}
		f.table[at] = uint32(i + 1)
	}
	return f
}

func (f *Finder) slot(s string) uint64 { return maphash.String(f.seed, s) & uint64(len(f.table)-1) }

// Find gives the row of s in the column that the Finder was made of.
func (f *Finder) Find(column *Strings, s string) (row uint32, ok bool) {
	for at := f.slot(s); f.table[at] != 0; at = (at + 1) & uint64(len(f.table)-1) {
		if row = f.table[at] - 1; column.At(row) == s {
			return row, true
		}
	}
	return 0, false
}
