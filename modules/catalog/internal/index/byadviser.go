package index

import (
	"slices"

	"gpatlas/modules/catalog/internal/index/column"
)

// byAdviser answers conditions on funds for whole advisers: which advisers have an open fund that satisfies one
// condition. A single condition is thereby settled without a look at funds; of several, which one fund must satisfy
// together, each still leaves out the advisers that cannot.
type byAdviser struct {
	high, low [matchNumberCount]*column.Numbers // the highest and the lowest number of the adviser's open funds
	answers   [matchAnswerCount][3]*column.Set
	words     [matchWordCount]column.Groups[string]
	auditor   column.Groups[uint32]
	advisers  int
}

func newByAdviser(s *slotIndex, advisers int) byAdviser {
	b := byAdviser{advisers: advisers}
	for id := range s.numbers {
		b.high[id], b.low[id] = b.extremes(s, s.numbers[id].Values)
	}
	for id := range s.answers {
		for _, t := range []Tri{Yes, No} {
			b.answers[id][t] = liftSet(s, s.answers[id][t], advisers)
		}
	}
	for id := range s.words {
		b.words[id] = lift(s, s.words[id], advisers)
	}
	b.auditor = lift(s, s.auditor, advisers)
	return b
}

// extremes are columns of the highest and the lowest value of each adviser's open funds.
func (b *byAdviser) extremes(s *slotIndex, values []int64) (high, low *column.Numbers) {
	highs, lows := make([]int64, b.advisers), make([]int64, b.advisers)
	for gp := range highs {
		highs[gp], lows[gp] = Unknown, Unknown
		for _, v := range values[s.start[gp]:s.open[gp]] {
			if v == Unknown {
				continue
			}
			highs[gp] = max(highs[gp], v) // Unknown is the smallest number of all
			if lows[gp] == Unknown || v < lows[gp] {
				lows[gp] = v
			}
		}
	}
	return column.NewNumbers(highs), column.NewNumbers(lows)
}

// lift turns sets of slots into sets of the advisers that they belong to.
func lift[K comparable](s *slotIndex, from column.Groups[K], advisers int) column.Groups[K] {
	return from.Each(func(slots *column.Set) *column.Set { return liftSet(s, slots, advisers) })
}

func liftSet(s *slotIndex, slots *column.Set, advisers int) *column.Set {
	list := slots.AppendAll(make([]uint32, 0, slots.Len()))
	for i, slot := range list {
		list[i] = s.gp[slot]
	}
	return column.NewSet(slices.Compact(list), advisers)
}

// conds appends what an adviser must satisfy to have one open fund that satisfies all of m.
func (b *byAdviser) conds(conds []column.Cond, m *FundMatch, auditors []uint32) []column.Cond {
	for id := range m.Numbers {
		if r := &m.Numbers[id]; r.Min != nil {
			conds = append(conds, column.InRange(b.high[id], Range{Min: r.Min}))
		}
		if r := &m.Numbers[id]; r.Max != nil {
			conds = append(conds, column.InRange(b.low[id], Range{Max: r.Max}))
		}
	}
	for id := range m.Words {
		if asked := m.Words[id]; len(asked) > 0 {
			conds = append(conds, column.InSet(anyWord(b.words[id], asked, b.advisers)))
		}
	}
	conds = appendAnswers(conds, m.Answers[:], b.answers[:])
	if len(m.Auditors) > 0 {
		parts := make([]*column.Set, 0, 16)
		for _, code := range auditors {
			parts = append(parts, b.auditor.Get(code))
		}
		conds = append(conds, column.InSet(column.Union(b.advisers, parts...)))
	}
	return conds
}
