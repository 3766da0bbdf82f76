package index

import (
	"slices"

	"gpatlas/modules/catalog/internal/index/column"
)

// slotIndex holds the funds a second time, in the order of their advisers: first the adviser's number, then open funds
// before closed ones, then the name. An adviser's funds are a range of slots, ready for its list, and a search of
// advisers by their funds walks bitsets over slots from adviser to adviser. Its conditions hold for open funds alone.
type slotIndex struct {
	fund  []uint32    // by slot; only funds whose adviser is known
	start []int       // by adviser, and one more: its first slot
	open  []int       // by adviser: the end of its open funds
	gp    []uint32    // by slot
	owned []uint32    // the funds of each adviser, at its slots but ascending
	of    column.Runs // the slots of each adviser

	numbers [matchNumberCount]*column.Numbers
	answers [matchAnswerCount][3]*column.Set // by Tri
	words   [matchWordCount]column.Groups[string]
	auditor column.Groups[uint32]

	byAdviser byAdviser
}

func (s *slotIndex) build(ix *fundIndex, gps *gpIndex) {
	s.arrange(ix, ix.orders[ByName].asc.Records(), len(gps.all))
	for id := range matchNumbers {
		of, values := ix.values[matchNumbers[id].Fund], make([]int64, len(s.fund))
		for i, f := range s.fund {
			values[i] = Unknown
			if ix.flags[f]&flagOpen != 0 {
				values[i] = of[f]
			}
		}
		s.numbers[id] = column.NewNumbers(values)
	}
	s.group(ix)
	s.byAdviser = newByAdviser(s, len(gps.all))
}

// arrange puts the funds into slots; order lists all of them in their order within an adviser.
func (s *slotIndex) arrange(ix *fundIndex, order []uint32, gps int) {
	s.start, s.open = make([]int, gps+1), make([]int, gps)
	for f, gp := range ix.gp {
		if gp != noGP {
			s.start[gp+1]++
			if ix.flags[f]&flagOpen != 0 {
				s.open[gp]++
			}
		}
	}
	closed := make([]int, gps) // the next free slot for a closed fund
	for gp := range gps {
		s.start[gp+1] += s.start[gp]
		s.open[gp] += s.start[gp]
		closed[gp] = s.open[gp]
	}
	open := slices.Clone(s.start[:gps])
	s.fund, s.gp = make([]uint32, s.start[gps]), make([]uint32, s.start[gps])
	for _, f := range order {
		gp := ix.gp[f]
		if gp == noGP {
			continue
		}
		next := &closed[gp]
		if ix.flags[f]&flagOpen != 0 {
			next = &open[gp]
		}
		s.fund[*next], s.gp[*next] = f, gp
		*next++
	}
	s.owned = make([]uint32, len(s.fund))
	next := slices.Clone(s.start[:gps])
	for f, gp := range ix.gp {
		if gp != noGP {
			s.owned[next[gp]] = uint32(f) // #nosec G115 -- a number of a fund
			next[gp]++
		}
	}
	s.of = column.NewRuns(s.start)
}

// slotKinds are the few combinations of answers that represent all funds.
type slotKinds struct {
	codes []uint32 // by slot
	flags []flags  // by code
}

func (s *slotIndex) kinds(ix *fundIndex) (k slotKinds) {
	flagsOf := func(i uint32) flags { return ix.flags[s.fund[i]] }
	var first []uint32
	k.codes, first = column.Combined(len(s.fund), func(i uint32) uint64 { return uint64(flagsOf(i)) })
	for _, i := range first {
		k.flags = append(k.flags, flagsOf(i))
	}
	return k
}

func (s *slotIndex) groupWords(id int, k slotKinds) {
	words := make([][]string, len(k.flags))
	for code, f := range k.flags {
		if f&flagOpen != 0 {
			matchWords[id].Of(f, func(w string) { words[code] = append(words[code], w) })
		}
	}
	s.words[id] = column.GroupCodes(k.codes, words)
}

func (s *slotIndex) group(ix *fundIndex) {
	n, k := len(s.fund), s.kinds(ix)
	for id := range matchWords {
		s.groupWords(id, k)
	}
	for id := range matchAnswers {
		s.answers[id] = filed(n, func(i uint32) Tri {
			f := k.flags[k.codes[i]]
			if f&flagOpen == 0 {
				return Any
			}
			return f.tri(matchAnswers[id].Fund)
		})
	}
	s.auditor = column.GroupLists(n, len(ix.auditors.Words), func(i uint32) []uint32 {
		if k.flags[k.codes[i]]&flagOpen == 0 {
			return nil
		}
		return ix.auditors.At(s.fund[i])
	})
}

// conds appends the part of a GP search that speaks of funds, compiled. The set of the auditors asked for is made in space.
func (s *slotIndex) conds(conds []column.Cond, m *FundMatch, auditors []uint32, space column.Bits) []column.Cond {
	for id := range m.Numbers {
		if r := &m.Numbers[id]; !r.Open() {
			conds = append(conds, column.InRange(s.numbers[id], *r))
		}
	}
	for id := range m.Words {
		if asked := m.Words[id]; len(asked) > 0 {
			conds = append(conds, column.InSet(anyWord(s.words[id], asked, len(s.fund))))
		}
	}
	conds = appendAnswers(conds, m.Answers[:], s.answers[:])
	if len(m.Auditors) > 0 {
		clear(space)
		for _, code := range auditors {
			s.auditor.Get(code).AddTo(space)
		}
		conds = append(conds, column.InSet(column.BitsSet(space, space.Count())))
	}
	return conds
}

// anyWord is the set of the records filed under any of words.
func anyWord(g column.Groups[string], words []string, records int) *column.Set {
	if len(words) == 1 {
		return g.Get(words[0])
	}
	return g.Any(records, words)
}

// anyOpen reports whether one open fund of the adviser satisfies all of conds.
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
