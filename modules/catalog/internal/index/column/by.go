package column

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// By is a sort key without a presorted order: the records of each page are picked out of all that match. It takes no memory
// beside the column, and a fraction of a millisecond.
type By struct {
	Value func(i uint32) int64 // Unknown comes last in both directions
	Tie   []int64              // by record: decides between equal ones, ascending in both directions
	Desc  bool
}

// picked is the least number of keys that are kept before those that are not needed are dropped.
const picked = 1024

// PageBy takes the records at offset, offset+1, … offset+limit-1 of r in the order of by.
func (r *Result) PageBy(by *By, limit, offset int) []uint32 {
	if limit <= 0 || offset >= r.N {
		return nil
	}
	limit = min(limit, r.N-offset)
	need := offset + limit
	p := picker{by: by, need: need, keys: make([]sortKey, 0, min(r.N, max(picked, 2*need)))}
	r.Each(p.add)
	if len(p.keys) > need {
		p.drop()
	}
	if offset > 0 {
		p.part(p.keys, offset)
	}
	page := p.keys[offset:]
	slices.SortFunc(page, p.compare)
	out := make([]uint32, limit)
	for i := range page {
		out[i] = page[i].item
	}
	return out
}

// Each visits the records of r, ascending.
func (r *Result) Each(visit func(i uint32)) {
	switch {
	case r.All:
		for i := range uint32(r.N) { // #nosec G115 -- a number of a record
			visit(i)
		}
	case r.Bits == nil:
		for _, i := range r.List {
			visit(i)
		}
	default:
		for w, x := range r.Bits {
			for ; x != 0; x &= x - 1 {
				visit(uint32(w<<6 + bits.TrailingZeros64(x))) // #nosec G115 -- a number of a record
			}
		}
	}
}

// Has reports whether a record is in r.
func (r *Result) Has(i uint32) bool {
	switch {
	case r.All:
		return true
	case r.Bits != nil:
		return r.Bits.Has(i)
	}
	_, ok := slices.BinarySearch(r.List, i)
	return ok
}

// picker keeps the need smallest keys that it was given, and some more. rank is 1 where the value is unknown.
type picker struct {
	by     *By
	need   int
	keys   []sortKey
	full   bool    // keys were dropped already
	bounds sortKey // the largest key that may still be needed, once keys were dropped
}

func (p *picker) add(i uint32) {
	k := sortKey{value: math.MaxUint64, item: i, rank: 1}
	if v := p.by.Value(i); v != Unknown {
		k.value, k.rank = uint64(v)^signBit, 0
		if p.by.Desc {
			k.value = ^k.value
		}
	}
	if p.full && p.compare(k, p.bounds) > 0 {
		return
	}
	if p.keys = append(p.keys, k); len(p.keys) == cap(p.keys) && len(p.keys) >= 2*p.need {
		p.drop()
	}
}

// drop keeps the need smallest keys.
func (p *picker) drop() {
	p.part(p.keys, p.need)
	p.keys = p.keys[:p.need]
	p.full, p.bounds = true, slices.MaxFunc(p.keys, p.compare)
}

func (p *picker) compare(a, b sortKey) int {
	switch {
	case a.value != b.value:
		return cmp.Compare(a.value, b.value)
	case a.rank != b.rank:
		return cmp.Compare(a.rank, b.rank)
	}
	return cmp.Compare(p.by.Tie[a.item], p.by.Tie[b.item])
}

// part moves the n smallest of keys to the front, in any order: a quicksort that continues in one part only.
func (p *picker) part(keys []sortKey, n int) {
	for len(keys) > 1 && n > 0 && n < len(keys) {
		pivot := p.middle(keys)
		i, j := 0, len(keys)-1
		for i <= j {
			for p.compare(keys[i], pivot) < 0 {
				i++
			}
			for p.compare(keys[j], pivot) > 0 {
				j--
			}
			if i <= j {
				keys[i], keys[j] = keys[j], keys[i]
				i++
				j--
			}
		}
		switch {
		case n <= j:
			keys = keys[:j+1]
		case n >= i:
			keys, n = keys[i:], n-i
		default:
			return
		}
	}
}

// middle is the median of the first, the middle and the last key.
func (p *picker) middle(keys []sortKey) sortKey {
	a, b, c := keys[0], keys[len(keys)/2], keys[len(keys)-1]
	if p.compare(a, b) > 0 {
		a, b = b, a
	}
	if p.compare(b, c) > 0 {
		b = c
	}
	if p.compare(a, b) > 0 {
		b = a
	}
	return b
}
