// Package codec writes rows of columns as bytes and reads them back. A row is written as the set of the columns in which it differs
// from the row before, and the values of these columns. Texts are written once, at the beginning, and rows refer to them. The tags of a
// structure name its columns, so a new column needs no code.
package codec

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"maps"
	"math"
	"math/bits"
	"reflect"
	"slices"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/scan"
)

// Number is the number of an encoding, which changes with the columns of its rows. Change its version with every other change of what is
// written.
func Number(version string, rows ...reflect.Type) uint32 {
	sum := fnv.New32a()
	for _, of := range rows {
		for _, c := range catalogapi.ColumnsOf(of) {
			_, _ = fmt.Fprintln(sum, version, c.Name, of.FieldByIndex(c.Path).Type) // it never fails
		}
	}
	return sum.Sum32()
}

// NewRow makes a row whose set of columns is a number.
func NewRow[T any]() *scan.Row[T] {
	r := scan.NewRow[T]()
	if len(r.Fields) > 64 {
		panic("a set of the columns of " + reflect.TypeFor[T]().String() + " is larger than a number")
	}
	return r
}

// Rows writes or reads rows of one kind.
type Rows[T any] struct{ was, is *scan.Row[T] }

// NewRows begins with the zero row before the first.
func NewRows[T any]() *Rows[T] { return &Rows[T]{NewRow[T](), NewRow[T]()} }

// Restart makes the zero row the one before.
func (r *Rows[T]) Restart() {
	var zero T
	r.was.Value = zero
}

// Write writes a row.
func (r *Rows[T]) Write(w *Writer, row T) {
	r.is.Value = row
	w.differences(r.was.Fields, r.is.Fields)
	r.was.Value = row
}

// Read reads a row, which is valid until the next one.
func (r *Rows[T]) Read(from *Reader) *T {
	from.Differences(r.was.Fields)
	return &r.was.Value
}

// Writer appends values. Equal values give equal bytes.
type Writer struct {
	buf   []byte
	part  []byte            // memory of the part before
	words map[string]uint64 // the places of list
	list  []string
}

// NewWriter begins.
func NewWriter() *Writer { return &Writer{words: map[string]uint64{}} }

// Reset forgets what was written.
func (w *Writer) Reset() {
	clear(w.words)
	w.buf, w.list = w.buf[:0], w.list[:0]
}

// Bytes is the words and all that was written.
func (w *Writer) Bytes() []byte {
	all := make([]byte, 0, len(w.buf)+16*len(w.list)+8)
	all = binary.AppendUvarint(all, uint64(len(w.list)))
	for _, word := range w.list {
		all = binary.AppendUvarint(all, uint64(len(word)))
	}
	for _, word := range w.list {
		all = append(all, word...)
	}
	return append(all, w.buf...)
}

// Section writes what write does behind its length, so that a reader can skip it. Sections have no sections.
func (w *Writer) Section(write func()) {
	all := w.buf
	w.buf = w.part[:0]
	write()
	w.part = w.buf
	w.buf = append(binary.AppendUvarint(all, uint64(len(w.part))), w.part...)
}

// Count writes how many there are of something that takes at least a byte each.
func (w *Writer) Count(n int) { w.Number(uint64(n)) }

// Number writes a number.
func (w *Writer) Number(n uint64) { w.buf = binary.AppendUvarint(w.buf, n) }

// Signed writes a number that may be negative.
func (w *Writer) Signed(n int64) { w.buf = binary.AppendVarint(w.buf, n) }

// Word writes a text.
func (w *Writer) Word(s string) {
	at, ok := w.words[s]
	if !ok {
		at = uint64(len(w.list))
		w.words[s], w.list = at, append(w.list, s)
	}
	w.Number(at)
}

// differences writes the fields of a row that are not as in the one before.
func (w *Writer) differences(was, is []any) {
	var set uint64
	for i := range is {
		if !equal(was[i], is[i]) {
			set |= 1 << i
		}
	}
	for w.Number(set); set != 0; set &= set - 1 {
		i := bits.TrailingZeros64(set)
		w.field(is[i])
	}
}

func same[T comparable](a, b *T) bool { return a == b || a != nil && b != nil && *a == *b }

func equal(a, b any) bool {
	switch b := b.(type) {
	case *string:
		return *a.(*string) == *b
	case **string:
		return same(*a.(**string), *b)
	case *bool:
		return *a.(*bool) == *b
	case **bool:
		return same(*a.(**bool), *b)
	case *int64:
		return *a.(*int64) == *b
	case **int64:
		return same(*a.(**int64), *b)
	case **float64:
		return same(*a.(**float64), *b)
	case *time.Time:
		return a.(*time.Time).Equal(*b)
	case **time.Time:
		a := *a.(**time.Time)
		return a == nil && *b == nil || a != nil && *b != nil && a.Equal(**b)
	case *[]string:
		a := *a.(*[]string)
		return (a == nil) == (*b == nil) && slices.Equal(a, *b)
	case *map[string]int64:
		a := *a.(*map[string]int64)
		return (a == nil) == (*b == nil) && maps.Equal(a, *b)
	}
	panic("no column is made of a " + reflect.TypeOf(b).String())
}

// present writes whether there is a value.
func present[T any](w *Writer, v *T) bool {
	if v == nil {
		w.Count(0)
		return false
	}
	w.Count(1)
	return true
}

// field writes a value that differs from the one before; Reader.field reads it.
func (w *Writer) field(is any) {
	switch v := is.(type) {
	case *string:
		w.Word(*v)
	case **string:
		if present(w, *v) {
			w.Word(**v)
		}
	case *bool: // it is the other one
	case **bool:
		switch {
		case *v == nil:
			w.Count(0)
		case **v:
			w.Count(1)
		default:
			w.Count(2)
		}
	case *int64:
		w.Signed(*v)
	case **int64:
		if present(w, *v) {
			w.Signed(**v)
		}
	case **float64:
		if present(w, *v) {
			w.Number(bits.ReverseBytes64(math.Float64bits(**v)))
		}
	case *time.Time:
		w.Instant(*v)
	case **time.Time:
		if present(w, *v) {
			w.Instant(**v)
		}
	case *[]string:
		if *v == nil {
			w.Count(0)
			return
		}
		w.Count(1)
		w.Count(len(*v))
		for _, s := range *v {
			w.Word(s)
		}
	case *map[string]int64:
		if *v == nil {
			w.Count(0)
			return
		}
		w.Count(1)
		w.Count(len(*v))
		for _, k := range slices.Sorted(maps.Keys(*v)) {
			w.Word(k)
			w.Signed((*v)[k])
		}
	}
}

const (
	secondsOfDay      = 24 * 60 * 60
	microsecondsOfDay = secondsOfDay * 1_000_000
)

// Instant writes a day by its number, and an instant by that of its microsecond.
func (w *Writer) Instant(t time.Time) {
	if n := t.UnixMicro(); n%microsecondsOfDay == 0 {
		w.Signed(n / microsecondsOfDay << 1)
	} else {
		w.Signed(n<<1 | 1)
	}
}
