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
	owned []uint32 // the funds of each adviser, at its slots but ascending
	ends  gatherer // the last slot of each adviser
	with  gatherer // the advisers that have slots

	numbers [matchNumberCount]*column
	answers [matchAnswerCount][3]*set // by Tri
	words   [matchWordCount]groups[string]
	auditor groups[uint32]

	byAdviser byAdviser
}

func (s *slotIndex) build(ix *fundIndex, gps *gpIndex) {
	s.arrange(ix, len(gps.all))
	n := len(s.fund)
	tie := make([]uint32, n)
	for i := range tie {
		tie[i] = uint32(i)
	}
	for id := range matchNumbers {
		of, values := ix.values[matchNumbers[id].Fund], make([]int64, n)
		for i, f := range s.fund {
			values[i] = Unknown
			if ix.flags[f]&flagOpen != 0 {
				values[i] = of[f]
			}
		}
		s.numbers[id] = valueColumn(values, tie)
	}
	s.group(ix, n)
	s.byAdviser = newByAdviser(s, len(gps.all))
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
	s.owned = make([]uint32, at)
	next := slices.Clone(s.start[:gps])
	for f, gp := range ix.gp {
		if gp != noGP {
			s.owned[next[gp]] = uint32(f) // #nosec G115 -- a number of a fund
			next[gp]++
		}
	}
	last, with := newWords(at), newWords(gps)
	for gp := range gps {
		if end := s.start[gp+1]; end > s.start[gp] {
			last.set(uint32(end - 1))
			with.set(uint32(gp))
		}
	}
	s.ends, s.with = newGatherer(last), newGatherer(with)
}

func (s *slotIndex) group(ix *fundIndex, n int) {
	for id := range matchWords {
		s.words[id] = newGroups(n, func(i uint32, yield func(string)) {
			if f := ix.flags[s.fund[i]]; f&flagOpen != 0 {
				matchWords[id].Of(f, yield)
			}
		})
	}
	for id := range matchAnswers {
		s.answers[id] = filed(n, func(i uint32) Tri {
			f := ix.flags[s.fund[i]]
			if f&flagOpen == 0 {
				return Any
			}
			return f.tri(matchAnswers[id].Fund)
		})
	}
	s.auditor = newGroups(n, func(i uint32, yield func(uint32)) {
		if f := s.fund[i]; ix.flags[f]&flagOpen != 0 {
			for _, code := range ix.auditors.at(f) {
				yield(code)
			}
		}
	})
}

// conds compiles the part of a GP search that speaks of funds. The set of the auditors asked for is made in space.
func (s *slotIndex) conds(m *FundMatch, auditors []uint32, space words) []cond {
	conds := make([]cond, 0, 8)
	for id := range m.Numbers {
		if r := &m.Numbers[id]; !r.open() {
			conds = append(conds, rangeCond(s.numbers[id], *r))
		}
	}
	for id := range m.Words {
		if asked := m.Words[id]; asked != "" {
			conds = append(conds, setCond(s.words[id].get(asked)))
		}
	}
	conds = appendAnswers(conds, m.Answers[:], s.answers[:])
	if m.AuditorName != "" {
		clear(space)
		for _, code := range auditors {
			s.auditor.get(code).addTo(space)
		}
		conds = append(conds, setCond(&set{n: space.count(), bits: space}))
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

// advisers makes dst the advisers of the slots in r. An adviser's slots end with a bit of ends; adding all ones below
// that bit to the hits carries into it if there is any hit, and on into the next word where the adviser's slots go on,
// so one addition settles sixty-four slots. What stands at the ends then is gathered, a bit an adviser that has slots, and
// scattered over all advisers. space has room for a bit an adviser, and one word more.
func (s *slotIndex) advisers(r *result, dst, space words) {
	clear(dst)
	if r.bits == nil {
		for _, i := range r.list {
			dst.set(s.gp[i])
		}
		return
	}
	clear(space)
	var carry uint64
	for i, x := range r.bits {
		w := &s.ends.words[i]
		var sum uint64
		sum, carry = bits.Add64(x&^w.chosen, ^w.chosen, carry)
		if hit := (sum | x) & w.chosen; hit != 0 {
			put(space, w.at, w.gather(hit))
		}
	}
	for i := range dst {
		w := &s.with.words[i]
		dst[i] = w.scatter(read64(space, w.at))
	}
}
