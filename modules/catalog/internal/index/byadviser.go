package index

// byAdviser answers conditions on funds for whole advisers: which advisers have an open fund that satisfies one
// condition. A single condition is thereby settled without a look at funds; of several, which one fund must satisfy
// together, each still leaves out the advisers that cannot.
type byAdviser struct {
	newest, oldest    *column // vintage of the youngest and the oldest fund
	largest, smallest *column // gross asset value
	latest            *column // first reported, as a day, of the fund reported last
	exemption         groups[string]
	audited           [3]*set
	auditor           groups[uint32]
	advisers          int
}

func newByAdviser(s *slotIndex, advisers int) byAdviser {
	b := byAdviser{advisers: advisers}
	b.newest, b.oldest = b.extremes(s, s.vintage.values)
	b.largest, b.smallest = b.extremes(s, s.gav.values)
	b.latest, _ = b.extremes(s, s.first.values)
	b.exemption = lift(s, s.exemption, advisers)
	b.auditor = lift(s, s.auditor, advisers)
	for _, t := range []Tri{Yes, No} {
		b.audited[t] = liftSet(s, s.audited[t], advisers)
	}
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
	n := 0 // conditions on a fund
	between := func(low, high *column, r Range) {
		if r.Min != nil {
			conds = append(conds, rangeCond(high, Range{Min: r.Min}))
			n++
		}
		if r.Max != nil {
			conds = append(conds, rangeCond(low, Range{Max: r.Max}))
			n++
		}
	}
	add := func(s *set) {
		conds = append(conds, setCond(s))
		n++
	}
	between(b.oldest, b.newest, m.Vintage)
	between(b.smallest, b.largest, m.Size)
	if !m.FirstFiledMin.IsZero() {
		from := day(m.FirstFiledMin)
		between(nil, b.latest, Range{Min: &from})
	}
	if m.Exemption != "" {
		add(b.exemption.get(m.Exemption))
	}
	if m.Type != "" && m.Type != m.Exemption {
		add(b.exemption.get(m.Type))
	}
	if m.HasAuditor != Any {
		add(b.audited[m.HasAuditor])
	}
	if m.AuditorName != "" {
		parts := make([]*set, 0, 16)
		for _, code := range auditors {
			parts = append(parts, b.auditor.get(code))
		}
		add(union(b.advisers, parts...))
	}
	return conds, n == 1
}
