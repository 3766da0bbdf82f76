package lplist

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"gpatlas/modules/dataops/internal/parse/table"
)

// together is what some rows have committed.
type together struct {
	committed int64
	rows      int
}

func (t *together) add(committed int64) {
	t.committed += committed
	t.rows++
}

// is reports whether a commitment is that of at least three rows together: of two, a fund may have it by chance. Lists round figures, so the
// sum may differ by a thousandth.
func (t together) is(committed int64) bool {
	return t.rows >= 3 && 1000*max(t.committed-committed, committed-t.committed) <= committed
}

// A row without a word of sums must equal so many rows with so many amounts, to the dollar, to be their sum: five funds of 10 million and one of 50 are six funds.
const manyRows, manyAmounts = 5, 3

// sums finds rows that are sums of others by their commitments. Those that are sums by their name are no summands.
type sums struct {
	rows  []summand
	all   map[string]together // by LP, state and day
	funds map[string]together // rows without such a word, by LP, state and day, and by day
	lps   map[string]bool     // their names in small letters
}

// summand is a row with a commitment, or one that is a sum by its name: then it has none.
type summand struct {
	line      int
	lp, of    string // LP; LP, state and day
	committed int64
	word      bool // its fund or LP has a word of sums
	ofLPs     bool // its LP has
}

func newSums() sums {
	return sums{funds: map[string]together{}, all: map[string]together{}, lps: map[string]bool{}}
}

func (s *sums) row(row *table.Row, power int) {
	lp, fund, day := row.Text(colLP), row.Text(colFund), string(row.Cell(colAsOf))
	if isSum(fund) || isClass(fund, row.Text(colManager), row.Text(colVintage)) || isSumOfLPs(lp, s.lps) {
		s.rows = append(s.rows, summand{lp: lp})
		return
	}
	s.lps[strings.ToLower(lp)] = true
	committed, err := amount(row.Text(colCommitted), power)
	if err != nil || committed == nil || *committed <= 0 || *committed > committedMax {
		return
	}
	r := summand{line: row.Line, lp: lp, of: lp + "\x00" + string(row.Cell(colState)) + "\x00" + day, committed: *committed, ofLPs: hasSumWord(lp)}
	r.word = r.ofLPs || hasSumWord(fund)
	s.rows = append(s.rows, r)
	add(s.all, r.of, *committed)
	if !r.word {
		add(s.funds, r.of, *committed)
		add(s.funds, "\x00"+day, *committed)
	}
}

func add(to map[string]together, of string, committed int64) {
	t := to[of]
	t.add(committed)
	to[of] = t
}

// found returns the lines of the rows that are sums, when the list was read.
func (s *sums) found() map[int]bool {
	lines := map[int]bool{}
	parts := slices.SortedFunc(maps.Values(s.funds), func(a, b together) int { return cmp.Compare(a.committed, b.committed) })
	parts = slices.DeleteFunc(parts, func(t together) bool { return t.rows < 3 })
	var since together // the rows of one LP since its last sum
	for i := range s.rows {
		r := &s.rows[i]
		if r.of == "" || i > 0 && !r.ofLPs && r.lp != s.rows[i-1].lp {
			since = together{}
		}
		switch {
		case r.of == "":
		case r.word && (since.is(r.committed) || s.after(i).is(r.committed) || s.others(r).is(r.committed) || among(parts, r.committed)):
			lines[r.line], since = true, together{}
		default:
			since.add(r.committed)
		}
	}
	for i := range s.rows {
		if r := &s.rows[i]; lines[r.line] {
			s.all[r.of] = s.others(r)
		}
	}
	for i := range s.rows {
		if r := &s.rows[i]; r.of != "" && !r.word {
			if others := s.others(r); others.rows >= manyRows && others.committed == r.committed && s.amounts(r) >= manyAmounts {
				lines[r.line] = true
			}
		}
	}
	return lines
}

// others is what the other rows of the LP, state and day have committed.
func (s *sums) others(r *summand) together {
	t := s.all[r.of]
	return together{t.committed - r.committed, t.rows - 1}
}

// amounts is how many amounts the other rows of the LP, state and day have.
func (s *sums) amounts(r *summand) int {
	seen := map[int64]bool{}
	for i := range s.rows {
		if other := &s.rows[i]; other.of == r.of && other != r {
			seen[other.committed] = true
		}
	}
	return len(seen)
}

// after is what the rows have committed that follow a row with a sum above them.
func (s *sums) after(i int) (t together) {
	for k := i + 1; k < len(s.rows); k++ {
		if r := &s.rows[k]; r.word || r.of == "" || !s.rows[i].ofLPs && r.lp != s.rows[i].lp {
			break
		}
		t.add(s.rows[k].committed)
	}
	return t
}

// among reports whether a commitment is one of some sums, which are sorted.
func among(sorted []together, committed int64) bool {
	i, _ := slices.BinarySearchFunc(sorted, committed-committed/1000, func(t together, least int64) int { return cmp.Compare(t.committed, least) })
	return i < len(sorted) && sorted[i].is(committed)
}
