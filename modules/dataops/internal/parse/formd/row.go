package formd

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"gpatlas/modules/dataops/internal/parse/table"
	"gpatlas/modules/dataops/internal/parse/value"
)

// row is one record, of a data set or of a notice. names are what messages call its fields.
type row struct {
	*table.Row
	names []string
}

// cell reads a field; a value that cannot be read is the row's fault.
func cell[T any](r row, field int, parse func([]byte) (T, error)) T {
	v, err := parse(r.Cell(field))
	if err != nil {
		r.refuse(field, err)
	}
	return v
}

// shownMax cuts a field's text in a reason.
const shownMax = 40

func (r row) refuse(field int, err error) {
	reason := r.names[field] + " " + err.Error()
	if text := []rune(r.Text(field)); len(text) > shownMax {
		reason += fmt.Sprintf(": %q", string(text[:shownMax])+"…")
	} else if len(text) > 0 {
		reason += fmt.Sprintf(": %q", string(text))
	}
	r.Fail(reason)
}

func (r row) truth(field int) *bool { return cell(r, field, value.Truth) }

func (r row) money(field int) *int64 { return cell(r, field, value.Money) }

func (r row) date(field int) time.Time { return cell(r, field, value.EDGARDate) }

// named is the text of a field in which None and its like say that there is nothing.
func (r row) named(field int) string {
	if value.None(r.Cell(field)) {
		return ""
	}
	return r.Text(field)
}

// latest reads the latest of a field's dates: a notice may be signed by several on different days.
func (r row) latest(field int) time.Time {
	var newest time.Time
	for part := range bytes.FieldsFuncSeq(r.Cell(field), func(x rune) bool { return x == mark }) {
		t, err := value.EDGARDate(part)
		if err != nil {
			r.refuse(field, err)
		}
		if t.After(newest) {
			newest = t
		}
	}
	return newest
}

// mark separates the values of a list in a notice's cell: elements that occur several times. It is no character of XML.
const mark = '\x1f'

// list returns the values of fields that hold one or several, each once, without empty values and None. parts are the
// characters that separate the values of one field, beside mark.
func (r row) list(parts string, fields ...int) []string {
	var out []string
	for _, field := range fields {
		for part := range bytes.FieldsFuncSeq(r.Cell(field), func(x rune) bool { return x == mark || strings.ContainsRune(parts, x) }) {
			if value.None(part) {
				continue
			}
			if s := value.Text(part, r.Charset); s != "" && !slices.Contains(out, s) {
				out = append(out, s)
			}
		}
	}
	return out
}
