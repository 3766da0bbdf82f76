package index

import (
	"math/bits"
	"slices"

	"gpatlas/modules/catalog/internal/text"
)

func sortIDs(ids []uint32) { slices.Sort(ids) }

// textCond is the condition that a record matches the text. The Matches must live as long as the condition.
func textCond(m *text.Matches) cond {
	if len(m.Tiers()) <= 1 || m.Count() <= sortMax {
		if list, ok := m.Sparse(); ok {
			return setCond(&set{n: m.Count(), list: list})
		}
	}
	return setCond(&set{n: m.Count(), bits: m.Set()})
}

// sortMax is up to how many matches of several ranks merging them into one list beats setting their bits.
const sortMax = 128

// relevant takes the page of r in order of relevance: tier by tier, in each the lower numbers first.
func (r *result) relevant(tiers []text.Tier, limit, offset int) []uint32 {
	if limit <= 0 || offset >= r.n {
		return nil
	}
	limit = min(limit, r.n-offset)
	out := make([]uint32, 0, limit)
	for i := range tiers {
		t := &tiers[i]
		if len(out) == limit {
			break
		}
		out, offset = r.tier(t, out, limit, offset)
	}
	return out
}

// tier appends what the tier adds to the page and gives the offset that is left for the tiers after it.
func (r *result) tier(t *text.Tier, out []uint32, limit, offset int) (page []uint32, left int) {
	take := func(rec uint32) bool {
		if offset > 0 {
			offset--
			return true
		}
		out = append(out, rec)
		return len(out) < limit
	}
	switch {
	case r.bits == nil && t.Bits == nil && len(t.List) < len(r.list):
		for _, rec := range t.List {
			if _, ok := slices.BinarySearch(r.list, rec); ok && !take(rec) {
				break
			}
		}
	case r.bits == nil:
		for _, rec := range r.list {
			if t.Contains(rec) && !take(rec) {
				break
			}
		}
	case t.Bits == nil:
		for _, rec := range t.List {
			if r.bits.has(rec) && !take(rec) {
				break
			}
		}
	default:
		return r.tierBits(t, out, limit, offset)
	}
	return out, offset
}

func (r *result) tierBits(t *text.Tier, out []uint32, limit, offset int) (page []uint32, left int) {
	for w, x := range r.bits {
		x &= t.Bits[w]
		if n := bits.OnesCount64(x); n <= offset {
			offset -= n
			continue
		}
		for ; x != 0; x &= x - 1 {
			if offset > 0 {
				offset--
				continue
			}
			out = append(out, uint32(w<<6+bits.TrailingZeros64(x)))
			if len(out) == limit {
				return out, 0
			}
		}
	}
	return out, offset
}
