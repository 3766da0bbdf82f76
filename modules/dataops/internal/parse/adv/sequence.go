package adv

import (
	"bytes"
	"iter"
	"strconv"

	"gpatlas/modules/dataops/internal/parse/table"
)

// convert makes a row of the document out of a table's row, which knows its filing's key already. It returns nil for a row that
// says nothing: the row counts as read.
type convert[T any] func(row *table.Row, filing string) *T

// source is one table of a sequence.
type source[T any] struct {
	name    string
	convert convert[T]
	// begin, unless nil, is called before the first row of each kind, end after the last one.
	begin func(k kind) error
	end   func(k kind)
}

// plain is a table that needs nothing but its rows.
func plain[T any](name string, c convert[T]) source[T] { return source[T]{name: name, convert: c} }

// sequence streams tables of both kinds, all their pieces, each through its conversion. Without any of the tables it is nil.
func sequence[T any](d *document, sources ...source[T]) iter.Seq2[*T, error] {
	present := false
	for _, s := range sources {
		present = present || d.has(s.name)
	}
	if !present {
		return nil
	}
	return func(yield func(*T, error) bool) {
		for _, k := range []kind{ia, era} {
			for _, s := range sources {
				if !drain(d, k, s, yield) {
					return
				}
			}
		}
	}
}

// drain streams a table of one kind; false ends the sequence.
func drain[T any](d *document, k kind, s source[T], yield func(*T, error) bool) bool {
	pieces := d.tables[tableID{k, s.name}]
	if len(pieces) == 0 {
		return true
	}
	if s.begin != nil {
		if err := s.begin(k); err != nil {
			yield(nil, err)
			return false
		}
	}
	for _, p := range pieces {
		if !each(d, k, p, s.name, s.convert, yield) {
			return false
		}
	}
	if s.end != nil {
		s.end(k)
	}
	return true
}

// each streams one piece.
func each[T any](d *document, k kind, p *piece, name string, c convert[T], yield func(*T, error) bool) bool {
	keys, count, doubtful := keyer{kind: k}, d.filed[k].table(name), d.doubtful[tableID{k, name}]
	if name == funds {
		doubtful = nil // the other funds of the filing are good: it only closes none
	}
	for row, err := range p.file.Rows(d.ctx) {
		if err != nil {
			yield(nil, err)
			return false
		}
		v := c(row, keys.of(row))
		if row.Fault() != "" {
			p.file.Quarantine(row)
			continue
		}
		count.row(keys.cell)
		if len(doubtful) > 0 && doubtful.has(row.FilingID(colFilingID)) {
			row.Fail("another row of the filing in this table cannot be used, so its list is not known")
			p.file.Quarantine(row)
			continue
		}
		if v != nil && !yield(v, nil) {
			return false
		}
	}
	return true
}

// keyer makes the keys of filings. The rows of a filing mostly follow one another, so the last key is kept.
type keyer struct {
	kind kind
	cell []byte
	last string
}

func (m *keyer) of(row *table.Row) string {
	cell := row.Cell(colFilingID)
	if len(cell) > 0 && bytes.Equal(cell, m.cell) {
		return m.last
	}
	id := row.FilingID(colFilingID)
	if row.Fault() != "" {
		return ""
	}
	m.cell, m.last = append(m.cell[:0], cell...), key(m.kind, id)
	return m.last
}

// key joins a filing and its rows.
func key(k kind, filingID string) string { return string(k) + ":" + filingID }

// numbers is a set of FilingIDs.
type numbers map[uint64]struct{}

// add reports whether the number is new. Numbers are at most 18 digits, by value.FilingID.
func (s numbers) add(filingID string) bool {
	n := number(filingID)
	if _, ok := s[n]; ok {
		return false
	}
	s[n] = struct{}{}
	return true
}

func (s numbers) has(filingID string) bool {
	_, ok := s[number(filingID)]
	return ok
}

func number(filingID string) uint64 {
	n, err := strconv.ParseUint(filingID, 10, 64)
	if err != nil {
		return 0
	}
	return n
}
