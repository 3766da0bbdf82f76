package column

import "slices"

// sparseShare is the share of the records from which on a set is kept as bits: below one in 128 the list is the cheaper to walk.
const sparseShare = 128

// Set is an immutable set of record numbers: a sorted list where it is sparse, bits where it is dense.
// The nil set is empty.
type Set struct {
	n    int
	list []uint32
	bits Bits
}

// NewSet is the set of ascending numbers of so many records.
func NewSet(sorted []uint32, records int) *Set {
	if len(sorted)*sparseShare <= records {
		return ListSet(tight(sorted))
	}
	b := NewBits(records)
	for _, i := range sorted {
		b.Set(i)
	}
	return &Set{n: len(sorted), bits: b}
}

// newSetOf returns the set of the numbers in lists. Each list ascends, and no number is in two lists.
func newSetOf(lists [][]uint32, records int) *Set {
	n := 0
	for _, l := range lists {
		n += len(l)
	}
	if len(lists) == 1 || n*sparseShare <= records {
		all := slices.Concat(lists...)
		if len(lists) > 1 {
			slices.Sort(all)
		}
		return NewSet(all, records)
	}
	b := NewBits(records)
	for _, l := range lists {
		for _, i := range l {
			b.Set(i)
		}
	}
	return &Set{n: n, bits: b}
}

// ListSet is the set of ascending numbers, however many; it keeps the list.
func ListSet(sorted []uint32) *Set { return &Set{n: len(sorted), list: sorted} }

// BitsSet is the set of the n members of b, which it keeps.
func BitsSet(b Bits, n int) *Set { return &Set{n: n, bits: b} }

// SetWhere is the set of the records 0…n-1 that satisfy holds.
func SetWhere(n int, holds func(i uint32) bool) *Set {
	b := NewBits(n)
	for i := range uint32(n) {
		if holds(i) {
			b.Set(i)
		}
	}
	if count := b.Count(); count*sparseShare > n {
		return &Set{n: count, bits: b}
	}
	return NewSet(b.AppendAll(nil), n)
}

// Len is how many records are in the set.
func (s *Set) Len() int {
	if s == nil {
		return 0
	}
	return s.n
}

// Has reports whether a record is in the set.
func (s *Set) Has(i uint32) bool {
	if s == nil {
		return false
	}
	if s.bits != nil {
		return s.bits.Has(i)
	}
	_, ok := slices.BinarySearch(s.list, i)
	return ok
}

// Parts returns the set as it is kept, not to be written to: bits, or a list where they are nil.
func (s *Set) Parts() (b Bits, list []uint32) {
	if s == nil {
		return nil, nil
	}
	return s.bits, s.list
}

// AddTo adds the set to dst.
func (s *Set) AddTo(dst Bits) {
	switch {
	case s == nil:
	case s.bits != nil:
		dst.Or(s.bits)
	default:
		for _, i := range s.list {
			dst.Set(i)
		}
	}
}

// takeFrom removes the set from dst.
func (s *Set) takeFrom(dst Bits) {
	if s.bits != nil {
		dst.AndNot(s.bits)
		return
	}
	for _, i := range s.list {
		dst.Clear(i)
	}
}

// AppendAll adds the numbers of the set to dst, ascending.
func (s *Set) AppendAll(dst []uint32) []uint32 {
	switch {
	case s == nil:
		return dst
	case s.bits != nil:
		return s.bits.AppendAll(dst)
	default:
		return append(dst, s.list...)
	}
}

// Union is the set of the records that are in any of parts.
func Union(records int, parts ...*Set) *Set {
	parts = slices.DeleteFunc(slices.Clone(parts), func(s *Set) bool { return s.Len() == 0 })
	switch len(parts) {
	case 0:
		return nil
	case 1:
		return parts[0]
	}
	b := NewBits(records)
	for _, p := range parts {
		p.AddTo(b)
	}
	return &Set{n: b.Count(), bits: b}
}
