package lplist

import (
	"cmp"
	"maps"
	"regexp"
	"slices"

	"gpatlas/modules/dataops/internal/parse/table"
)

// sumWord is a word of names that a row with a sum of other rows may have: "Portfolio Total", "All Funds", "Total as of 3/31/2026". So
// may a fund: "Total Return Fund", "All Weather Fund". The commitment decides.
var sumWord = regexp.MustCompile(`(?i)\b(?:(?:sub|grand)?totals?|sum|all|overall)\b`)

// together is what some rows have committed.
type together struct {
	committed int64
	rows      int
}

func (t *together) add(committed int64) {
	t.committed += committed
	t.rows++
}

// is reports whether a commitment is that of at least two rows together. Lists round figures, so the sum may differ by a thousandth.
func (t together) is(committed int64) bool {
	return t.rows >= 2 && 1000*max(t.committed-committed, committed-t.committed) <= committed
}

// sums finds rows that are sums of others by their names and commitments.
type sums struct {
	since     together // the rows of one LP since its last sum
	sinceLP   string
	funds     map[string]together // rows without such a word, by LP, state and day, and by day
	all       map[string]together // all rows that may be funds, by LP, state and day
	uncertain []uncertain
	lines     map[int]bool // those that are sums
}

// uncertain is a row with such a word.
type uncertain struct {
	line      int
	of        string
	committed int64
}

func newSums() sums {
	return sums{funds: map[string]together{}, all: map[string]together{}, lines: map[int]bool{}}
}

func (s *sums) row(row *table.Row, power int) {
	committed, err := amount(row.Text(colCommitted), power)
	if err != nil || committed == nil || *committed <= 0 || *committed > committedMax {
		return
	}
	lp, fund, day := row.Text(colLP), row.Text(colFund), string(row.Cell(colAsOf))
	ofLP := sumWord.MatchString(lp)
	if !ofLP && lp != s.sinceLP {
		s.since, s.sinceLP = together{}, lp
	}
	word := ofLP || sumWord.MatchString(fund)
	switch {
	case total.MatchString(fund) || total.MatchString(lp): // refused by its name alone
		s.since = together{}
		return
	case word && s.since.is(*committed):
		s.lines[row.Line], s.since = true, together{}
		return
	}
	of := lp + "\x00" + string(row.Cell(colState)) + "\x00" + day
	s.since.add(*committed)
	add(s.all, of, *committed)
	if word {
		s.uncertain = append(s.uncertain, uncertain{row.Line, of, *committed})
		return
	}
	add(s.funds, of, *committed)
	add(s.funds, "\x00"+day, *committed)
}

func add(to map[string]together, of string, committed int64) {
	t := to[of]
	t.add(committed)
	to[of] = t
}

// found returns the lines of the rows that are sums, when the list was read.
func (s *sums) found() map[int]bool {
	sorted := slices.SortedFunc(maps.Values(s.funds), func(a, b together) int { return cmp.Compare(a.committed, b.committed) })
	sorted = slices.DeleteFunc(sorted, func(t together) bool { return t.rows < 2 })
	for _, u := range s.uncertain {
		others := s.all[u.of]
		others.committed, others.rows = others.committed-u.committed, others.rows-1
		sum := others.is(u.committed)
		least := u.committed - u.committed/1000
		i, _ := slices.BinarySearchFunc(sorted, least, func(t together, least int64) int { return cmp.Compare(t.committed, least) })
		if sum || i < len(sorted) && sorted[i].is(u.committed) {
			s.lines[u.line] = true
		}
	}
	return s.lines
}
