package index

import (
	"reflect"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgtype"

	"gpatlas/modules/catalog/internal/intern"
)

// columnTag is the tag of a record's field: the column that it is loaded from.
const columnTag = "column"

// columns lists the columns that records of type R are loaded from, in the order of the fields, ready for a SELECT:
// a null number is @unknown.
func columns[R any]() string {
	var list []string
	for f := range reflect.TypeFor[R]().Fields() {
		column, _, _ := strings.Cut(f.Tag.Get(columnTag), ",")
		if f.Type.Kind() == reflect.Int64 {
			column = "coalesce(" + column + ", @unknown::bigint)"
		}
		list = append(list, column)
	}
	return strings.Join(list, ", ")
}

// scanInto returns the destinations that a row of columns is scanned into to fill record.
func scanInto[R any](record *R, in intern.Strings) []any {
	var targets []any
	v := reflect.ValueOf(record).Elem()
	for i := range v.NumField() {
		_, few, _ := strings.Cut(v.Type().Field(i).Tag.Get(columnTag), ",")
		switch p := v.Field(i).Addr().Interface().(type) {
		case *string:
			w := &word{to: p}
			if few == "few" {
				w.in = in
			}
			targets = append(targets, w)
		case *time.Time:
			targets = append(targets, (*date)(p))
		case *Tri:
			targets = append(targets, (*yesNo)(p))
		default:
			targets = append(targets, p)
		}
	}
	return targets
}

// word scans a text column, keeping one copy of each text unless in is nil; null becomes the empty string.
type word struct {
	in intern.Strings
	to *string
}

// ScanBytes takes the column's bytes, which are the driver's until the next row, and keeps a copy of its own.
func (w *word) ScanBytes(b []byte) error {
	switch {
	case b == nil:
		*w.to = ""
	case w.in == nil:
		*w.to = string(b)
	default:
		*w.to = *w.in.Keep(b)
	}
	return nil
}

// date scans a date; null becomes the zero time.
type date time.Time

// ScanDate takes the day.
func (d *date) ScanDate(v pgtype.Date) error {
	*d = date(v.Time)
	return nil
}

// yesNo scans a boolean; null becomes Any.
type yesNo Tri

// ScanBool takes the answer.
func (a *yesNo) ScanBool(v pgtype.Bool) error {
	*a = yesNo(*answer(v.Valid, v.Bool))
	return nil
}
