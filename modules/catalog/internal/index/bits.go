package index

import "math/bits"

// words is a dense set of record numbers, one bit each. Compressed bitmaps were several times slower at this size.
type words []uint64

func newWords(n int) words { return make(words, (n+63)/64) }

func (w words) set(i uint32)      { w[i>>6] |= 1 << (i & 63) }
func (w words) clear(i uint32)    { w[i>>6] &^= 1 << (i & 63) }
func (w words) has(i uint32) bool { return w[i>>6]&(1<<(i&63)) != 0 }

func (w words) count() int {
	n := 0
	for _, x := range w {
		n += bits.OnesCount64(x)
	}
	return n
}

func (w words) and(o words) {
	o = o[:len(w)]
	for i := range w {
		w[i] &= o[i]
	}
}

// share makes w what a and b have in common.
func (w words) share(a, b words) {
	a, b = a[:len(w)], b[:len(w)]
	for i := range w {
		w[i] = a[i] & b[i]
	}
}

func (w words) andNot(o words) {
	o = o[:len(w)]
	for i := range w {
		w[i] &^= o[i]
	}
}

func (w words) or(o words) {
	o = o[:len(w)]
	for i := range w {
		w[i] |= o[i]
	}
}

// without makes w what is in a and not in b.
func (w words) without(a, b words) {
	a, b = a[:len(w)], b[:len(w)]
	for i := range w {
		w[i] = a[i] &^ b[i]
	}
}

// andWithout keeps of w what is in a and not in b.
func (w words) andWithout(a, b words) {
	a, b = a[:len(w)], b[:len(w)]
	for i := range w {
		w[i] &= a[i] &^ b[i]
	}
}

// setRange adds the numbers from lo up to, not including, hi.
func (w words) setRange(lo, hi uint32) {
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

// keepRange removes everything outside lo up to, not including, hi.
func (w words) keepRange(lo, hi uint32) {
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

// appendAll adds the numbers of the set to dst, ascending.
func (w words) appendAll(dst []uint32) []uint32 {
	for i, x := range w {
		for ; x != 0; x &= x - 1 {
			dst = append(dst, uint32(i<<6+bits.TrailingZeros64(x)))
		}
	}
	return dst
}

// appendPage adds to dst the numbers of the set that stand at skip, skip+1, … skip+limit-1, ascending.
func (w words) appendPage(dst []uint32, skip, limit int) []uint32 {
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
