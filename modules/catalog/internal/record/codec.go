package record

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"maps"
	"math"
	"math/bits"
	"reflect"
	"slices"
	"sync"
	"time"

	"github.com/klauspost/compress/s2"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/scan"
)

// Encoding is the number of the encoding, which changes with the columns. Change its start with every other change of what is written.
//
// A record is written as its words, each once, its filings, and its funds, each behind its length, so that one can be passed over. A filing
// or version is a set of the columns in which it differs from the one before, and these. The columns are those of the fields' tags. All
// is compressed with S2, which is read several times faster than zstd.
var Encoding = sync.OnceValue(func() int64 {
	sum := fnv.New32a()
	for _, of := range []reflect.Type{reflect.TypeFor[Filing](), reflect.TypeFor[FundVersion]()} {
		for _, c := range catalogapi.ColumnsOf(of) {
			_, _ = fmt.Fprintln(sum, "2", c.Name, of.FieldByIndex(c.Path).Type) // it never fails
		}
	}
	return int64(sum.Sum32())
})

// newRow makes a row whose set of columns is a number.
func newRow[T any]() *scan.Row[T] {
	r := scan.NewRow[T]()
	if len(r.Fields) > 64 {
		panic("a set of the columns of " + reflect.TypeFor[T]().String() + " is larger than a number")
	}
	return r
}

// Encode writes a record down. Equal records give equal bytes.
func Encode(r *Record) []byte {
	w := writer{words: map[string]uint64{}}
	was, is := newRow[Filing](), newRow[Filing]()
	w.count(len(r.Filings))
	for i := range r.Filings {
		is.Value = r.Filings[i]
		w.differences(was.Fields, is.Fields)
		was.Value = is.Value
	}
	w.count(len(r.Funds))
	before, version := newRow[FundVersion](), newRow[FundVersion]()
	var part []byte
	for i := range r.Funds {
		f := &r.Funds[i]
		w.number(w.word(f.ID))
		all := w.buf
		w.buf, before.Value = part[:0], FundVersion{}
		w.count(len(f.Versions))
		for k := range f.Versions {
			version.Value = f.Versions[k]
			w.signed(int64(version.Value.In - before.Value.In))
			w.differences(before.Fields, version.Fields)
			before.Value = version.Value
		}
		part = w.buf
		w.buf = append(binary.AppendUvarint(all, uint64(len(part))), part...)
	}
	all := writer{}
	all.count(len(w.list))
	for _, word := range w.list {
		all.count(len(word))
	}
	for _, word := range w.list {
		all.buf = append(all.buf, word...)
	}
	return s2.EncodeBetter(nil, append(all.buf, w.buf...))
}

// writer appends values.
type writer struct {
	buf   []byte
	words map[string]uint64 // the places of list
	list  []string
}

func (w *writer) count(n int)     { w.buf = binary.AppendUvarint(w.buf, uint64(n)) }
func (w *writer) number(n uint64) { w.buf = binary.AppendUvarint(w.buf, n) }
func (w *writer) signed(n int64)  { w.buf = binary.AppendVarint(w.buf, n) }

func (w *writer) word(s string) uint64 {
	at, ok := w.words[s]
	if !ok {
		at = uint64(len(w.list))
		w.words[s], w.list = at, append(w.list, s)
	}
	return at
}

// differences writes the fields of a row that are not as in the one before.
func (w *writer) differences(was, is []any) {
	var set uint64
	for i := range is {
		if !equal(was[i], is[i]) {
			set |= 1 << i
		}
	}
	for w.number(set); set != 0; set &= set - 1 {
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
func present[T any](w *writer, v *T) bool {
	if v == nil {
		w.count(0)
		return false
	}
	w.count(1)
	return true
}

// field writes a value that differs from the one before; reader.field reads it.
func (w *writer) field(is any) {
	switch v := is.(type) {
	case *string:
		w.number(w.word(*v))
	case **string:
		if present(w, *v) {
			w.number(w.word(**v))
		}
	case *bool: // it is the other one
	case **bool:
		switch {
		case *v == nil:
			w.count(0)
		case **v:
			w.count(1)
		default:
			w.count(2)
		}
	case *int64:
		w.signed(*v)
	case **int64:
		if present(w, *v) {
			w.signed(**v)
		}
	case **float64:
		if present(w, *v) {
			w.number(bits.ReverseBytes64(math.Float64bits(**v)))
		}
	case *time.Time:
		w.instant(*v)
	case **time.Time:
		if present(w, *v) {
			w.instant(**v)
		}
	case *[]string:
		if *v == nil {
			w.count(0)
			return
		}
		w.count(1)
		w.count(len(*v))
		for _, s := range *v {
			w.number(w.word(s))
		}
	case *map[string]int64:
		if *v == nil {
			w.count(0)
			return
		}
		w.count(1)
		w.count(len(*v))
		for _, k := range slices.Sorted(maps.Keys(*v)) {
			w.number(w.word(k))
			w.signed((*v)[k])
		}
	}
}

const (
	secondsOfDay      = 24 * 60 * 60
	microsecondsOfDay = secondsOfDay * 1_000_000
)

// instant writes a day by its number, and an instant by that of its microsecond.
func (w *writer) instant(t time.Time) {
	if n := t.UnixMicro(); n%microsecondsOfDay == 0 {
		w.signed(n / microsecondsOfDay << 1)
	} else {
		w.signed(n<<1 | 1)
	}
}
