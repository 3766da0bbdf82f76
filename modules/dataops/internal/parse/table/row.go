package table

import (
	"bytes"
	"errors"
	"fmt"
	"time"

	"gpatlas/modules/dataops/internal/parse/value"
)

// Row reads a record's cells as values. The first cell that cannot be read is kept as the row's fault; the row is then
// usable only for the quarantine. Columns are numbered as in the list passed to Bind; one that the file lacks is empty.
type Row struct {
	File    string
	Line    int
	Charset value.Charset
	Serials bool // dates are a workbook's serials

	layout *Layout
	cells  [][]byte
	raw    []byte
	intern value.Interner
	fault  string
	fill   *Fill // nil = the cells are not counted
}

// NewRow makes a row to be filled by Set again and again.
func NewRow(file string, layout *Layout, charset value.Charset) *Row {
	return &Row{File: file, layout: layout, Charset: charset}
}

// Set fills the row with the cells of the next record and forgets the fault of the one before.
func (r *Row) Set(line int, cells [][]byte, raw []byte) {
	r.Line, r.cells, r.raw, r.fault = line, cells, raw, ""
	if r.fill != nil {
		r.fill.row(cells)
	}
}

// Cell returns the bytes of a cell.
func (r *Row) Cell(column int) []byte {
	i := r.layout.at[column]
	if i < 0 || i >= len(r.cells) {
		return nil
	}
	return r.cells[i]
}

// Has reports whether the file has the column at all.
func (r *Row) Has(column int) bool { return r.layout.Has(column) }

// Silent returns the Fields of the columns that the file lacks.
func (r *Row) Silent() []string { return r.layout.Silent() }

// Width is the number of columns of the file; Header and At give the name and the cell of each, wanted or not.
func (r *Row) Width() int { return len(r.layout.header) }

// Header returns the name of column i as written in the file.
func (r *Row) Header(i int) string { return r.layout.header[i] }

// At returns the cell in the file's column i.
func (r *Row) At(i int) []byte {
	if i >= len(r.cells) {
		return nil
	}
	return r.cells[i]
}

// Raw returns the row as it was read. A row of a workbook has no such text: its cells are joined by commas.
func (r *Row) Raw() []byte {
	if r.raw == nil {
		return bytes.Join(r.cells, []byte{','})
	}
	return r.raw
}

// Fault is the sentence that says why the row cannot be used; "" when it can.
func (r *Row) Fault() string { return r.fault }

// Fail makes the row unusable, unless it is already.
func (r *Row) Fail(reason string) {
	if r.fault == "" {
		r.fault = reason
	}
}

// shownMax cuts a cell's text in a reason.
const shownMax = 40

func (r *Row) refuse(column int, err error) {
	if err == nil || r.fault != "" {
		return
	}
	r.fault = r.layout.columns[column].Name + " " + err.Error()
	if text := value.Text(r.Cell(column), r.Charset); text != "" {
		if runes := []rune(text); len(runes) > shownMax {
			text = string(runes[:shownMax]) + "…"
		}
		r.fault += fmt.Sprintf(": %q", text)
	}
}

// Text returns a cell's text by value.Text.
func (r *Row) Text(column int) string { return value.Text(r.Cell(column), r.Charset) }

// Word is Text for columns of few different values.
func (r *Row) Word(column int) string { return r.intern.Text(r.Cell(column), r.Charset) }

var errBlank = errors.New("is blank")

// Required is Text that must not be empty.
func (r *Row) Required(column int) string {
	s := r.Text(column)
	if s == "" {
		r.refuse(column, errBlank)
	}
	return s
}

func read[T any](r *Row, column int, parse func([]byte) (T, error)) T {
	v, err := parse(r.Cell(column))
	r.refuse(column, err)
	return v
}

// CRD reads a CRD number, which must be there.
func (r *Row) CRD(column int) string { return read(r, column, value.CRD) }

// FilingID reads a filing number, which must be there.
func (r *Row) FilingID(column int) string { return read(r, column, value.FilingID) }

// FundID reads a fund identification number, which must be there.
func (r *Row) FundID(column int) string { return read(r, column, value.FundID) }

// FormDNumber reads a Form D file number, which must be there.
func (r *Row) FormDNumber(column int) string { return read(r, column, value.FormDNumber) }

// Money reads whole US dollars; nil when empty.
func (r *Row) Money(column int) *int64 { return read(r, column, value.Money) }

// Count reads a whole number; nil when empty.
func (r *Row) Count(column int) *int64 { return read(r, column, value.Count) }

// Percent reads a percentage; nil when empty.
func (r *Row) Percent(column int) *float64 { return read(r, column, value.Percent) }

// Flag reads Y or N; nil when empty.
func (r *Row) Flag(column int) *bool { return read(r, column, value.Flag) }

// Date reads a date; the zero time when empty.
func (r *Row) Date(column int) time.Time {
	if r.Serials {
		return read(r, column, value.Serial)
	}
	return read(r, column, value.Date)
}

// RequiredDate is Date that must not be empty.
func (r *Row) RequiredDate(column int) time.Time {
	t := r.Date(column)
	if t.IsZero() {
		r.refuse(column, errBlank)
	}
	return t
}
