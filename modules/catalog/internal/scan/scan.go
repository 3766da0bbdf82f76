// Package scan reads rows of the database into structures whose tags name the columns.
package scan

import (
	"reflect"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/intern"
)

// Each reads rows into a structure by its columns and passes it to each, row by row. Columns without a field are skipped. It closes
// rows. The structure's strings and pointers must not be written through: equal values share their memory.
func Each[T any](rows pgx.Rows, each func(row *T)) error {
	var row T
	into := reflect.ValueOf(&row).Elem()
	columns := catalogapi.ColumnsOf(into.Type())
	kept := intern.Strings{}
	var targets []any
	for _, field := range rows.FieldDescriptions() {
		i := slices.IndexFunc(columns, func(c catalogapi.Column) bool { return c.Name == field.Name })
		if i < 0 {
			targets = append(targets, nil)
			continue
		}
		targets = append(targets, target(into.FieldByIndex(columns[i].Path), kept))
	}
	_, err := pgx.ForEachRow(rows, targets, func() error {
		each(&row)
		if len(kept) > keptMax {
			clear(kept)
		}
		return nil
	})
	return err
}

// keptMax bounds how many texts are kept to be shared. Many texts are names, and each name is in few rows only.
const keptMax = 1 << 16

// target is what scans into a field: one of the types below, where one is faster than the driver's own.
func target(field reflect.Value, kept intern.Strings) any {
	switch to := field.Addr().Interface().(type) {
	case *string:
		return &word{in: kept, to: to}
	case **string:
		return &maybeWord{in: kept, to: to}
	case **bool:
		return &maybeBool{to: to}
	case **int64:
		return &maybeNumber{to: to}
	default:
		return to
	}
}

// word scans a column that is never null.
type word struct {
	in intern.Strings
	to *string
}

// ScanBytes takes the column's bytes, which are the driver's until the next row.
func (w *word) ScanBytes(b []byte) error {
	if *w.to != string(b) {
		*w.to = *w.in.Keep(b)
	}
	return nil
}

// maybeWord scans a column that may be null.
type maybeWord struct {
	in intern.Strings
	to **string
}

// ScanBytes takes the column's bytes, which are the driver's until the next row.
func (w *maybeWord) ScanBytes(b []byte) error {
	switch {
	case b == nil:
		*w.to = nil
	case *w.to == nil || **w.to != string(b):
		*w.to = w.in.Keep(b)
	}
	return nil
}

// maybeBool scans an answer of yes or no that may be null.
type maybeBool struct{ to **bool }

var yes, no = true, false

// ScanBool takes the answer.
func (b *maybeBool) ScanBool(v pgtype.Bool) error {
	switch {
	case !v.Valid:
		*b.to = nil
	case v.Bool:
		*b.to = &yes
	default:
		*b.to = &no
	}
	return nil
}

// maybeNumber scans a number that may be null.
type maybeNumber struct{ to **int64 }

// ScanInt64 takes the number.
func (n *maybeNumber) ScanInt64(v pgtype.Int8) error {
	*n.to = nil
	if v.Valid {
		*n.to = &v.Int64
	}
	return nil
}
