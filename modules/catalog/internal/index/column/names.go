package column

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strings"
)

// names sorts records by name: by the first eight bytes of the normalized name, those that have them in common by the next
// eight, and so on. A key holds the bytes in question, so that comparing two looks at no third place in memory.
type names struct {
	normal Bytes
	name   func(i uint32) string
	spare  []sortKey
	same   Bits // the positions whose record has the same name as the one before
}

// SortNames lists n items by normalized name, then by the original name, in both directions; equal ones in the order
// of tie. normal appends the normalized form of a name, in which no byte is zero.
func SortNames(n int, name func(i uint32) string, normal func(dst []byte, name string) []byte, tie []uint32) (asc, desc *Order) {
	normalized := NewBytes(n, func(dst []byte, i uint32) []byte { return normal(dst, name(i)) })
	s := names{normalized, name, make([]sortKey, n), NewBits(n)}
	keys := make([]sortKey, n)
	for rank, item := range tie {
		keys[item] = sortKey{item: item, rank: uint32(rank)} // #nosec G115 -- a number of a record
	}
	s.sort(keys, 0, 0)
	perm := make([]uint32, n)
	for i := range keys {
		perm[i] = keys[i].item
	}
	asc = newOrder(perm)
	return asc, newOrder(reversed(perm, n, func(at int) bool { return s.same.Has(uint32(at)) })) // #nosec G115 -- a position
}

const chunk = 8

// sort sorts the keys from a position on, whose names have depth bytes in common.
func (s *names) sort(keys []sortKey, at, depth int) {
	for i := range keys {
		keys[i].value = s.chunk(keys[i].item, depth)
	}
	if len(keys) < radixFrom {
		slices.SortFunc(keys, func(a, b sortKey) int { return cmp.Compare(a.value, b.value) })
	} else if done := sortKeys(keys, s.spare); &done[0] != &keys[0] {
		copy(keys, done)
	}
	for from := 0; from < len(keys); {
		to := from + 1
		for to < len(keys) && keys[to].value == keys[from].value {
			to++
		}
		switch {
		case to == from+1:
		case byte(keys[from].value) == 0: // the names end here
			s.sortEqual(keys[from:to], at+from)
		default:
			s.sort(keys[from:to], at+from, depth+chunk)
		}
		from = to
	}
}

// chunk is the bytes of a name from depth on, zero behind its end.
func (s *names) chunk(item uint32, depth int) uint64 {
	rest := s.normal.At(item)[depth:]
	if len(rest) >= chunk {
		return uint64(rest[7]) | uint64(rest[6])<<8 | uint64(rest[5])<<16 | uint64(rest[4])<<24 |
			uint64(rest[3])<<32 | uint64(rest[2])<<40 | uint64(rest[1])<<48 | uint64(rest[0])<<56
	}
	var b [chunk]byte
	copy(b[:], rest)
	return binary.BigEndian.Uint64(b[:])
}

// sortEqual sorts records of one normalized name.
func (s *names) sortEqual(keys []sortKey, at int) {
	slices.SortFunc(keys, func(a, b sortKey) int {
		return cmp.Or(strings.Compare(s.name(a.item), s.name(b.item)), cmp.Compare(a.rank, b.rank))
	})
	for i := 1; i < len(keys); i++ {
		if s.name(keys[i].item) == s.name(keys[i-1].item) {
			s.same.Set(uint32(at + i)) // #nosec G115 -- a position
		}
	}
}
