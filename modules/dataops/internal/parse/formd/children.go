package formd

import (
	"bytes"
	"cmp"
	"iter"
	"math"
	"slices"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/parse/value"
)

// childTable is a table of a set with several rows for a notice.
//
// The children of a notice are numbered from 1 in the order of the table's key, so the order of the rows does not count. Rows
// without a key come last. They, rows with equal keys and all rows of a table without the column are in the order of the table.
//
// Spec: not shown; the keys themselves are not the numbers, which are the same as those of a single notice.
type childTable[T any] struct {
	file    *file
	convert func(r row, accession string, seq int) *T
	tally   func(*filed) *tally
	leads   func(row, *filed) bool // says that a row may take the number 1, which is kept for it; nil = the first row takes it
}

// tally counts the children of a notice that were given.
type tally struct {
	given int
	led   bool // one is number 1
}

// next is the number of the next child.
func (c *childTable[T]) next(t tally, leads bool) int {
	switch {
	case c.leads == nil:
		return t.given + 1
	case leads && !t.led:
		return 1
	case t.led:
		return t.given + 1
	default:
		return t.given + 2
	}
}

func (c *childTable[T]) mayLead(r row, n *filed) bool { return c.leads != nil && c.leads(r, n) }

func (t *tally) give(seq int) {
	t.given++
	t.led = t.led || seq == 1
}

// issuers returns the issuers, the primary one of each offering with the number 1, the others in their order.
//
// Spec: not shown; if none is flagged as primary, the first one is.
func (s *set) issuers() iter.Seq2[*catalogapi.IssuerRow, error] {
	return sequence(s, &childTable[catalogapi.IssuerRow]{
		file: s.tables["issuers"], convert: row.issuer, tally: func(n *filed) *tally { return &n.issuers },
		leads: func(r row, n *filed) bool { return isPrimary(r) || !n.primary },
	})
}

// sequence streams a table of children through their conversion.
func sequence[T any](s *set, c *childTable[T]) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		var numbers map[*filed][]int // nil = the rows are in the order of their keys
		if c.file.shuffled {
			var err error
			if numbers, err = c.numbers(s); err != nil {
				yield(nil, err)
				return
			}
		}
		for r, err := range c.file.rows(s.ctx) {
			if err != nil {
				yield(nil, err)
				return
			}
			n := s.join(r)
			var v *T
			seq := 0
			if n != nil {
				t := c.tally(n)
				seq = c.next(*t, c.mayLead(r, n))
				if left := numbers[n]; t.given < len(left) {
					seq = left[t.given]
				}
				v = c.convert(r, n.accession, seq)
			}
			if r.Fault() != "" {
				c.file.refuse(r)
				continue
			}
			if v == nil {
				continue
			}
			c.tally(n).give(seq)
			if !yield(v, nil) {
				return
			}
		}
	}
}

// numbers reads a table whose rows are not in the order of their keys. It returns the numbers of each notice's children in the
// order of the table.
func (c *childTable[T]) numbers(s *set) (map[*filed][]int, error) {
	type child struct {
		key   int64
		at    int
		leads bool
	}
	children := make(map[*filed][]child)
	err := c.file.inspect(s.ctx, func(r row) {
		n := s.join(r)
		if n == nil || c.convert(r, n.accession, 0) == nil || r.Fault() != "" {
			return
		}
		children[n] = append(children[n], child{r.key(c.file.record.key), len(children[n]), c.mayLead(r, n)})
	})
	if err != nil {
		return nil, err
	}
	numbers := make(map[*filed][]int, len(children))
	for n, list := range children {
		slices.SortStableFunc(list, func(a, b child) int { return cmp.Compare(a.key, b.key) })
		numbers[n] = make([]int, len(list))
		var t tally
		for _, child := range list {
			seq := c.next(t, child.leads)
			numbers[n][child.at] = seq
			t.give(seq)
		}
	}
	return numbers, nil
}

// note returns a function that is called for each row of a table. It marks the submissions that name an issuer or a primary one, and a
// table of children whose rows are not in the order of their keys. nil: there is nothing to mark. Accession numbers, flags and keys are
// ASCII.
func (s *set) note(f *file) func(row) {
	if f.record.key == 0 {
		return nil
	}
	last := make(map[*filed]int64)
	var cell []byte // the accession number of the row before, which most rows repeat
	var n *filed
	return func(r row) {
		if !bytes.Equal(r.Cell(0), cell) {
			cell, n = append(cell[:0], r.Cell(0)...), nil
			if accession, err := value.Accession(cell); err == nil {
				n = s.filed[accession]
			}
		}
		if n == nil {
			return
		}
		key := r.key(f.record.key)
		f.shuffled = f.shuffled || key < last[n]
		last[n] = key
		if f.record.table == "issuers" {
			n.issued, n.primary = true, n.primary || isPrimary(r)
		}
	}
}

// key reads the field that orders children. A row whose key is no number comes last.
func (r row) key(field int) int64 {
	if k, err := value.Count(r.Cell(field)); err == nil && k != nil {
		return *k
	}
	return math.MaxInt64
}
