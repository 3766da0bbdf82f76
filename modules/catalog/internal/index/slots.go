package index

import (
	"cmp"
	"math/bits"
	"slices"
)

// slotIndex holds the funds a second time, in the order of their advisers: first the adviser's number, then open funds
// before closed ones, then the name. An adviser's funds are a range of slots, ready for its list, and a search of
// advisers by their funds walks bitsets over slots from adviser to adviser. Its conditions hold for open funds alone.
type slotIndex struct {
	fund  []uint32 // by slot; only funds whose adviser is known
	start []int    // by adviser, and one more: its first slot
	open  []int    // by adviser: the end of its open funds
	gp    []uint32 // by slot
	last  words    // the last slot of each adviser

	vintage, gav, first *column
	exemption           groups[string]
	audited             [3]*set
	auditor             groups[uint32]
}

func (s *slotIndex) build(ix *fundIndex, gps *gpIndex) {
	s.arrange(ix, len(gps.all))
	n := len(s.fund)
	values := func(get func(f uint32) int64) *column {
		v, tie := make([]int64, n), make([]uint32, n)
		for i, f := range s.fund {
			tie[i], v[i] = uint32(i), Unknown
			if ix.flags[f]&flagOpen != 0 {
				v[i] = get(f)
			}
		}
		return valueColumn(v, tie)
	}
	s.vintage = values(func(f uint32) int64 { return ix.vintage.values[f] })
	s.gav = values(func(f uint32) int64 { return ix.gav[f] })
	s.first = values(func(f uint32) int64 {
		if ix.first[f] == noDay {
			return Unknown
		}
		return int64(ix.first[f])
	})
	s.group(ix, n)
}

func (s *slotIndex) arrange(ix *fundIndex, gps int) {
	s.fund = make([]uint32, 0, ix.n)
	for f := range uint32(ix.n) {
		if ix.gp[f] != noGP {
			s.fund = append(s.fund, f)
		}
	}
	slices.SortFunc(s.fund, func(a, b uint32) int {
		if x := cmp.Compare(ix.gp[a], ix.gp[b]); x != 0 {
			return x
		}
		if x := cmp.Compare(ix.flags[b]&flagOpen, ix.flags[a]&flagOpen); x != 0 {
			return x
		}
		return cmp.Compare(ix.nameAsc.rank[a], ix.nameAsc.rank[b])
	})
	s.start, s.open, s.gp = make([]int, gps+1), make([]int, gps), make([]uint32, len(s.fund))
	at := 0
	for gp := range uint32(gps) {
		s.start[gp], s.open[gp] = at, at
		for ; at < len(s.fund) && ix.gp[s.fund[at]] == gp; at++ {
			s.gp[at] = gp
			if ix.flags[s.fund[at]]&flagOpen != 0 {
				s.open[gp] = at + 1
			}
		}
	}
	s.start[gps] = at
	s.last = newWords(at)
	for gp := range gps {
		if end := s.start[gp+1]; end > s.start[gp] {
			s.last.set(uint32(end - 1))
		}
	}
}

func (s *slotIndex) group(ix *fundIndex, n int) {
	s.exemption = newGroups(n, func(i uint32, yield func(string)) {
		f := ix.flags[s.fund[i]]
		if f&flagOpen == 0 {
			return
		}
		if f&flag506B != 0 {
			yield(exempt506B)
		}
		if f&flag506C != 0 {
			yield(exempt506C)
		}
		if f.tri(flag3C1) == Yes {
			yield(exempt3C1)
		}
		if f.tri(flag3C7) == Yes {
			yield(exempt3C7)
		}
	})
	audited := func(want flags) *set {
		return setWhere(n, func(i uint32) bool { return ix.flags[s.fund[i]]&(flagOpen|flagAudit) == want })
	}
	s.audited = [3]*set{Yes: audited(flagOpen | flagAudit), No: audited(flagOpen)}
	s.auditor = newGroups(n, func(i uint32, yield func(uint32)) {
		if f := s.fund[i]; ix.flags[f]&flagOpen != 0 {
			for _, code := range ix.auditors.at(f) {
				yield(code)
			}
		}
	})
}

// matchConds compiles the part of a GP search that speaks of funds.
func (ix *fundIndex) matchConds(m *FundMatch) (conds []cond) {
	s := &ix.slots
	add := func(c *column, r Range) {
		if r.Min != nil || r.Max != nil {
			conds = append(conds, rangeCond(c, r))
		}
	}
	add(s.vintage, m.Vintage)
	add(s.gav, m.Size)
	if !m.FirstFiledMin.IsZero() {
		from := day(m.FirstFiledMin)
		add(s.first, Range{Min: &from})
	}
	if m.Exemption != "" {
		conds = append(conds, setCond(s.exemption.get(m.Exemption)))
	}
	if m.Type != "" {
		conds = append(conds, setCond(s.exemption.get(m.Type)))
	}
	if m.HasAuditor != Any {
		conds = append(conds, setCond(s.audited[m.HasAuditor]))
	}
	if m.AuditorName != "" {
		var parts []*set
		for _, code := range ix.auditors.match(m.AuditorName) {
			parts = append(parts, s.auditor.get(code))
		}
		conds = append(conds, setCond(union(len(s.fund), parts...)))
	}
	return conds
}

// anyOpen says whether one open fund of the adviser satisfies all of conds.
func (s *slotIndex) anyOpen(gp uint32, conds []cond) bool {
slots:
	for i := s.start[gp]; i < s.open[gp]; i++ {
		for k := range conds {
			if !conds[k].has(uint32(i)) {
				continue slots
			}
		}
		return true
	}
	return false
}

// advisers adds to dst the advisers of the slots in r. An adviser's slots end with a bit of last; adding all ones below
// that bit to the hits carries into it if there is any hit, and on into the next word where the adviser's slots go on,
// so one addition settles sixty-four slots.
func (s *slotIndex) advisers(r *result, dst words) {
	for _, i := range r.list {
		dst.set(s.gp[i])
	}
	var carry uint64
	at, gathered := uint32(0), uint64(0) // neighbours are gathered before they are stored
	for w, x := range r.bits {
		last := s.last[w]
		var sum uint64
		sum, carry = bits.Add64(x&^last, ^last, carry)
		for hit := (sum | x) & last; hit != 0; hit &= hit - 1 {
			gp := s.gp[w<<6+bits.TrailingZeros64(hit)]
			if gp>>6 != at {
				dst[at] |= gathered
				at, gathered = gp>>6, 0
			}
			gathered |= 1 << (gp & 63)
		}
	}
	if gathered != 0 {
		dst[at] |= gathered
	}
}
