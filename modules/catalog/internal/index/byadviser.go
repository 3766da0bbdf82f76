package index

// byAdviser answers conditions on funds for whole advisers: which advisers have an open fund that satisfies one
// condition. A single condition is thereby settled without a look at funds; of several, which one fund must satisfy
// together, each still leaves out the advisers that cannot.
type byAdviser struct {
	high, low [matchNumberCount]*column // the highest and the lowest number of the adviser's open funds
	answers   [matchAnswerCount][3]*set
	words     [matchWordCount]groups[string]
	auditor   groups[uint32]
	advisers  int
}

func newByAdviser(s *slotIndex, advisers int) byAdviser {
	b := byAdviser{advisers: advisers}
	for id := range s.numbers {
		b.high[id], b.low[id] = b.extremes(s, s.numbers[id].values)
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
func (b *byAdviser) extremes(s *slotIndex, values []int64) (high, low *column) {
	highs, lows, tie := make([]int64, b.advisers), make([]int64, b.advisers), make([]uint32, b.advisers)
	for gp := range highs {
		tie[gp], highs[gp], lows[gp] = uint32(gp), Unknown, Unknown
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
	return valueColumn(highs, tie), valueColumn(lows, tie)
}

// lift turns sets of slots into sets of the advisers that they belong to.
func lift[K comparable](s *slotIndex, from groups[K], advisers int) groups[K] {
	to := groups[K]{sets: make(map[K]*set, len(from.sets))}
	for k, slots := range from.sets {
		to.sets[k] = liftSet(s, slots, advisers)
	}
	return to
}

func liftSet(s *slotIndex, slots *set, advisers int) *set {
	var list []uint32
	for _, slot := range slots.appendAll(nil) {
		if gp := s.gp[slot]; len(list) == 0 || list[len(list)-1] != gp {
			list = append(list, gp)
		}
	}
	return newSet(list, advisers)
}

// conds appends what an adviser must satisfy to have one open fund that satisfies all of m. exact says that it is enough.
func (b *byAdviser) conds(conds []cond, m *FundMatch, auditors []uint32) (all []cond, exact bool) {
	first := len(conds)
	for id := range m.Numbers {
		if r := &m.Numbers[id]; r.Min != nil {
			conds = append(conds, rangeCond(b.high[id], Range{Min: r.Min}))
		}
		if r := &m.Numbers[id]; r.Max != nil {
			conds = append(conds, rangeCond(b.low[id], Range{Max: r.Max}))
		}
	}
	for id := range m.Words {
		if asked := m.Words[id]; asked != "" {
			conds = append(conds, setCond(b.words[id].get(asked)))
		}
	}
	conds = appendAnswers(conds, m.Answers[:], b.answers[:])
	if m.AuditorName != "" {
		parts := make([]*set, 0, 16)
		for _, code := range auditors {
			parts = append(parts, b.auditor.get(code))
		}
		conds = append(conds, setCond(union(b.advisers, parts...)))
	}
	return conds, len(conds) == first+1
}
