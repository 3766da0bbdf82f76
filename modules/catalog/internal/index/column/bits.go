// Package column has the parts of any index in memory. Records are numbers from 0 on, and a column has one value for each of
// them. There are sets of records, numbers with ranges, small vocabularies, strings in one arena, presorted orders, and
// conditions over all of these, which Run evaluates cheapest first.
package column

import "math/bits"

// Bits is a dense set of record numbers, one bit each. Compressed bitmaps were several times slower at this size.
type Bits []uint64

// NewBits is the empty set of numbers below n.
func NewBits(n int) Bits { return make(Bits, (n+63)/64) }

// Set adds a number.
func (w Bits) Set(i uint32) { w[i>>6] |= 1 << (i & 63) }

// Clear removes a number.
func (w Bits) Clear(i uint32) { w[i>>6] &^= 1 << (i & 63) }

// Has reports whether a number is in the set.
func (w Bits) Has(i uint32) bool { return w[i>>6]&(1<<(i&63)) != 0 }

// Count is how many numbers are in the set.
func (w Bits) Count() int {
	n := 0
	for _, x := range w {
		n += bits.OnesCount64(x)
	}
	return n
}

// CountShared is how many numbers w and o have in common.
func (w Bits) CountShared(o Bits) int {
	n := 0
	o = o[:len(w)]
	for i, x := range w {
		n += bits.OnesCount64(x & o[i])
	}
	return n
}

// And keeps of w what is in o too.
func (w Bits) And(o Bits) {
	o = o[:len(w)]
	for i := range w {
		w[i] &= o[i]
	}
}

// Share makes w what a and b have in common.
func (w Bits) Share(a, b Bits) {
	a, b = a[:len(w)], b[:len(w)]
	for i := range w {
		w[i] = a[i] & b[i]
	}
}

// AndNot removes from w what is in o.
func (w Bits) AndNot(o Bits) {
	o = o[:len(w)]
	for i := range w {
		w[i] &^= o[i]
	}
}

// Or adds what is in o.
func (w Bits) Or(o Bits) {
	o = o[:len(w)]
	for i := range w {
		w[i] |= o[i]
	}
}

// Without makes w what is in a and not in b.
func (w Bits) Without(a, b Bits) {
	a, b = a[:len(w)], b[:len(w)]
	for i := range w {
		w[i] = a[i] &^ b[i]
	}
}

// AndWithout keeps of w what is in a and not in b.
func (w Bits) AndWithout(a, b Bits) {
	a, b = a[:len(w)], b[:len(w)]
	for i := range w {
		w[i] &= a[i] &^ b[i]
	}
}

// SetRange adds the numbers from lo up to, not including, hi.
func (w Bits) SetRange(lo, hi uint32) {
	if lo >= hi {
		return
	}
	first, last := lo>>6, (hi-1)>>6
	head, tail := ^uint64(0)<<(lo&63), ^uint64(0)>>(63-(hi-1)&63)
	if first == last {
		w[first] |= head & tail
		return
	}
	w[first] |= head
	for i := first + 1; i < last; i++ {
		w[i] = ^uint64(0)
	}
	w[last] |= tail
}

// KeepRange removes everything outside lo up to, not including, hi.
func (w Bits) KeepRange(lo, hi uint32) {
	if lo >= hi {
		clear(w)
		return
	}
	first, last := lo>>6, (hi-1)>>6
	clear(w[:first])
	clear(w[last+1:])
	w[first] &= ^uint64(0) << (lo & 63)
	w[last] &= ^uint64(0) >> (63 - (hi-1)&63)
}

// AppendAll adds the numbers of the set to dst, ascending.
func (w Bits) AppendAll(dst []uint32) []uint32 {
	for i, x := range w {
		for ; x != 0; x &= x - 1 {
			dst = append(dst, uint32(i<<6+bits.TrailingZeros64(x)))
		}
	}
	return dst
}

// AppendPage adds to dst the numbers at the positions skip, skip+1, … skip+limit-1 of the set, ascending.
func (w Bits) AppendPage(dst []uint32, skip, limit int) []uint32 {
	for i, x := range w {
		if limit <= 0 {
			break
		}
		if n := bits.OnesCount64(x); n <= skip {
			skip -= n
			continue
		}
		for ; x != 0 && limit > 0; x &= x - 1 {
			if skip > 0 {
				skip--
				continue
			}
			dst = append(dst, uint32(i<<6+bits.TrailingZeros64(x)))
			limit--
		}
	}
	return dst
}

// After is the first number of the set that is larger than i, or -1.
func (w Bits) After(i uint32) int {
	at := int(i >> 6)
	x := w[at] &^ (^uint64(0) >> (63 - i&63))
	for x == 0 {
		if at++; at == len(w) {
			return -1
		}
		x = w[at]
	}
	return at<<6 + bits.TrailingZeros64(x)
}

// Before is the last number of the set that is smaller than i, or -1.
func (w Bits) Before(i uint32) int {
	at := int(i >> 6)
	x := w[at] & (1<<(i&63) - 1)
	for x == 0 {
		if at--; at < 0 {
			return -1
		}
		x = w[at]
	}
	return at<<6 + 63 - bits.LeadingZeros64(x)
}

// Last is the last number of the set up to upTo, or -1.
func (w Bits) Last(upTo int) int {
	if upTo < 0 || w.Has(uint32(upTo)) { // #nosec G115 -- a number of a record
		return upTo
	}
	return w.Before(uint32(upTo)) // #nosec G115 -- as above
}

// First is the first number of the set from a number of n on, or -1.
func (w Bits) First(from, n int) int {
	switch {
	case from >= n:
		return -1
	case w.Has(uint32(from)): // #nosec G115 -- a number of a record
		return from
	}
	return w.After(uint32(from)) // #nosec G115 -- as above
}
