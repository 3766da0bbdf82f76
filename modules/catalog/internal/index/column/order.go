package column

import (
	"math/bits"
	"slices"
)

// Order is one presorted direction of a sort key over all records.
type Order struct {
	perm  []uint32 // records in order
	rank  []uint32 // by record: its position in perm
	col   *Numbers // the column that it sorts by; nil for names and for the numbering itself
	known int      // if it sorts by a number: the records with a known one are at 0…known-1
	desc  bool
}

func newOrder(perm []uint32) *Order { return &Order{perm: perm, rank: Ranks(perm)} }

// Ranks returns the position of each record in perm, which lists all of them.
func Ranks(perm []uint32) []uint32 {
	rank := make([]uint32, len(perm))
	for at, r := range perm {
		rank[r] = uint32(at)
	}
	return rank
}

// Records lists the records in order, not to be written to.
func (o *Order) Records() []uint32 { return o.perm }

// Identity is the order of the record numbers themselves: nil needs no memory and no look-up.
var Identity *Order

// reversed reverses an ascending order: the groups of equal keys are reversed, but the order within a group stays (the
// tie-breaker ascends in both directions). The records from known on, whose key is unknown, stay last. same reports
// whether the record at a position of perm has the key of the previous one.
func reversed(perm []uint32, known int, same func(at int) bool) []uint32 {
	out := make([]uint32, 0, len(perm))
	for end := known; end > 0; {
		start := end - 1
		for start > 0 && same(start) {
			start--
		}
		out = append(out, perm[start:end]...)
		end = start
	}
	return append(out, perm[known:]...)
}

// window is the part of the order in which the records lie that satisfy conds: a range over the sort key itself is one
// stretch of it, which a walk then need not search for.
func (o *Order) window(conds []Cond) (from, to int) {
	from, to = 0, len(o.perm)
	for i := range conds {
		c := &conds[i]
		a, b := c.a, c.b
		switch {
		case c.col != nil && c.col == o.col && !o.desc:
		case c.col != nil && c.col == o.col:
			a, b = o.known-c.b, o.known-c.a
		case c.set == nil && c.col == nil && c.scan == nil && o.col == nil && o.known > 0: // the numbering turned around
			a, b = o.known-int(c.hi), o.known-int(c.lo)
		default:
			continue
		}
		from, to = max(from, a), min(to, b)
	}
	return from, to
}

// Page takes the records at offset, offset+1, … offset+limit-1 of r, the answer to conds, in the order o.
func (r *Result) Page(o *Order, conds []Cond, limit, offset int, s *Scratch) []uint32 {
	if limit <= 0 || offset >= r.N {
		return nil
	}
	limit = min(limit, r.N-offset)
	out := make([]uint32, 0, limit)
	switch {
	case r.All && o == Identity:
		for i := range limit {
			out = append(out, uint32(offset+i))
		}
		return out
	case r.All:
		return append(out, o.perm[offset:offset+limit]...)
	case o == Identity && r.Bits != nil:
		return r.Bits.AppendPage(out, offset, limit)
	case o == Identity:
		return append(out, r.List[offset:offset+limit]...)
	case r.Bits != nil:
		// Walking the order from its nearer end meets a hit every so many steps, unless the hits lie together at the
		// wrong end of it; the heap looks at each of the n hits. So a walk that takes too long is given up.
		from, to := o.window(conds)
		near := min(offset+limit, r.N-offset)
		budget := walkBudget * r.N
		if float64(near)*float64(to-from) < float64(budget)*float64(r.N) {
			if page, ok := r.walk(o.perm[from:to], out, limit, offset, budget); ok {
				return page
			}
		}
	}
	return r.pick(o, out[:0], limit, offset, s)
}

// walkBudget is how many steps of a walk cost as much as one look at a hit for the heap.
const walkBudget = 3

// walk goes along perm, at most budget steps, and keeps the hits of the page, from whichever end has fewer before it.
func (r *Result) walk(perm, out []uint32, limit, offset, budget int) (page []uint32, ok bool) {
	if r.N-offset < offset+limit {
		at := r.N - 1 // the place of the next hit met from behind
		end := max(0, len(perm)-budget)
		for i := len(perm) - 1; at >= offset; i-- {
			if i < end {
				return out, false
			}
			if rec := perm[i]; r.Bits.Has(rec) {
				if at < offset+limit {
					out = append(out, rec)
				}
				at--
			}
		}
		slices.Reverse(out)
		return out, true
	}
	for _, rec := range perm[:min(budget, len(perm))] {
		if !r.Bits.Has(rec) {
			continue
		}
		if offset > 0 {
			offset--
			continue
		}
		if out = append(out, rec); len(out) == limit {
			return out, true
		}
	}
	return out, false
}

// pick looks at the rank of every hit and keeps the smallest that the page needs. The ranks are gathered first,
// so that the memory loads overlap. A heap between them would prevent that.
func (r *Result) pick(o *Order, out []uint32, limit, offset int, s *Scratch) []uint32 {
	ranks := slices.Grow(s.ranks[:0], r.N)[:r.N]
	s.ranks = ranks
	if r.Bits == nil {
		for i, rec := range r.List {
			ranks[i] = o.rank[rec]
		}
	} else {
		at := 0
		for w, x := range r.Bits {
			for ; x != 0; x &= x - 1 {
				ranks[at] = o.rank[w<<6+bits.TrailingZeros64(x)]
				at++
			}
		}
	}
	s.heap = s.heap[:0]
	need := offset + limit
	for _, rank := range ranks {
		s.push(rank, need)
	}
	slices.Sort(s.heap)
	for _, rank := range s.heap[offset:need] {
		out = append(out, o.perm[rank])
	}
	return out
}

// push keeps the need smallest ranks seen so far in a heap whose root is the largest of them.
func (s *Scratch) push(rank uint32, need int) {
	h := s.heap
	if len(h) < need {
		h = append(h, rank)
		for i := len(h) - 1; i > 0; {
			parent := (i - 1) / 2
			if h[parent] >= h[i] {
				break
			}
			h[parent], h[i] = h[i], h[parent]
			i = parent
		}
		s.heap = h
		return
	}
	if rank >= h[0] {
		return
	}
	h[0] = rank
	for i := 0; ; {
		child := 2*i + 1
		if child >= len(h) {
			return
		}
		if child+1 < len(h) && h[child+1] > h[child] {
			child++
		}
		if h[i] >= h[child] {
			return
		}
		h[i], h[child] = h[child], h[i]
		i = child
	}
}
