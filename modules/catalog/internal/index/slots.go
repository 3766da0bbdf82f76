package index

import (
	"cmp"
	"slices"

	"gpatlas/modules/catalog/internal/index/column"
)

// slotIndex holds the funds a second time, in the order of their advisers: first the adviser's number, then open funds
// before closed ones, then the name. An adviser's funds are a range of slots, ready for its list, and a search of
// advisers by their funds walks bitsets over slots from adviser to adviser. Its conditions hold for open funds alone.
type slotIndex struct {
	fund  []uint32         // by slot; only funds whose adviser is known
	start []int            // by adviser, and one more: its first slot
	open  []int            // by adviser: the end of its open funds
	gp    []uint32         // by slot
	owned []uint32         // the funds of each adviser, at its slots but ascending
	of    column.Stretches // the slots of each adviser

	numbers [matchNumberCount]*column.Numbers
	answers [matchAnswerCount][3]*column.Set // by Tri
	words   [matchWordCount]column.Groups[string]
	auditor column.Groups[uint32]

	byAdviser byAdviser
}

func (s *slotIndex) build(ix *fundIndex, gps *gpIndex) {
	s.arrange(ix, ix.nameAsc.Ranks(), len(gps.all))
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
		s.numbers[id] = column.NewNumbers(values, tie)
	}
	s.group(ix, n)
	s.byAdviser = newByAdviser(s, len(gps.all))
}

// arrange puts the funds into slots; rank is their order within an adviser.
func (s *slotIndex) arrange(ix *fundIndex, rank []uint32, gps int) {
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
		return cmp.Compare(rank[a], rank[b])
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
	s.of = column.NewStretches(s.start)
}

func (s *slotIndex) group(ix *fundIndex, n int) {
	for id := range matchWords {
		s.words[id] = column.NewGroups(n, func(i uint32, yield func(string)) {
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
	s.auditor = column.NewGroups(n, func(i uint32, yield func(uint32)) {
		if f := s.fund[i]; ix.flags[f]&flagOpen != 0 {
			for _, code := range ix.auditors.At(f) {
				yield(code)
			}
		}
	})
}

// conds compiles the part of a GP search that speaks of funds. The set of the auditors asked for is made in space.
func (s *slotIndex) conds(m *FundMatch, auditors []uint32, space column.Bits) []column.Cond {
	conds := make([]column.Cond, 0, 8)
	for id := range m.Numbers {
		if r := &m.Numbers[id]; !r.Open() {
			conds = append(conds, column.InRange(s.numbers[id], *r))
		}
	}
	for id := range m.Words {
		if asked := m.Words[id]; asked != "" {
			conds = append(conds, column.InSet(s.words[id].Get(asked)))
		}
	}
	conds = appendAnswers(conds, m.Answers[:], s.answers[:])
	if m.AuditorName != "" {
		clear(space)
		for _, code := range auditors {
			s.auditor.Get(code).AddTo(space)
		}
		conds = append(conds, column.InSet(column.BitsSet(space, space.Count())))
	}
	return conds
}

// anyOpen says whether one open fund of the adviser satisfies all of conds.
func (s *slotIndex) anyOpen(gp uint32, conds []column.Cond) bool {
slots:
	for i := s.start[gp]; i < s.open[gp]; i++ {
		for k := range conds {
			if !conds[k].Has(uint32(i)) {
				continue slots
			}
		}
		return true
	}
	return false
}

// advisers makes dst the advisers of the slots in r. space has room for a bit an adviser, and one word more.
func (s *slotIndex) advisers(r *column.Result, dst, space column.Bits) {
	if r.Bits != nil {
		s.of.Touched(dst, space, r.Bits)
		return
	}
	clear(dst)
	for _, i := range r.List {
		dst.Set(s.gp[i])
	}
}
