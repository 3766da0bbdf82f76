package column

import (
	"cmp"
	"slices"
)

// listShare: a plan whose cheapest condition leaves fewer than one record in listShare verifies the rest record by
// record; above it, whole words are cheaper.
const listShare = 256

// Scratch is what one query needs in working memory. A and B have room for a bit a record.
type Scratch struct {
	A, B  Bits
	List  []uint32
	ranks []uint32
	heap  []uint32
}

// Result is the exact answer of a plan: all (every record), a sorted list, or bits. The list is the Scratch's, to be
// changed at will; the bits may be the index's own.
type Result struct {
	N    int
	All  bool
	List []uint32
	Bits Bits
}

// Sort puts the conditions first that the fewest records satisfy.
func Sort(conds []Cond) { slices.SortFunc(conds, func(a, b Cond) int { return cmp.Compare(a.n, b.n) }) }

// Run evaluates conds over the records 0…records-1: cheapest first, the rest verified on it.
func Run(records int, conds []Cond, s *Scratch) Result {
	if len(conds) == 0 {
		return Result{N: records, All: true}
	}
	Sort(conds)
	first := &conds[0]
	if first.n == 0 {
		return Result{}
	}
	if first.n*listShare <= records || first.n <= 64 {
		s.List = first.AppendAll(s.List[:0])
		for k := range conds[1:] {
			c := &conds[1+k]
			s.List = slices.DeleteFunc(s.List, func(i uint32) bool { return !c.Has(i) })
		}
		return Result{N: len(s.List), List: s.List}
	}
	if len(conds) == 1 && first.bits() != nil {
		return Result{N: first.n, Bits: first.bits()}
	}
	rest := conds[1:]
	if first.bits() != nil && rest[0].bits() != nil {
		s.A.Share(first.bits(), rest[0].bits())
		rest = rest[1:]
	} else {
		first.Fill(s.A)
	}
	for k := range rest {
		rest[k].keep(s.A, s.B)
	}
	return Result{N: s.A.Count(), Bits: s.A}
}
