package history

import (
	"context"
	"reflect"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/modules/catalog/internal/intern"
	"gpatlas/platform/database"
)

// scan reads rows into a structure by its columns and hands it on, row by row; columns that it has not are passed over.
// Nobody may write to what its strings and answers point to: equal ones share their memory.
func scan[T any](ctx context.Context, r *reader, what string, each func(row *T), statement string, args database.Args) error {
	rows, err := r.q.Query(ctx, statement, args)
	if err != nil {
		return database.Failure(what, err)
	}
	var row T
	into := reflect.ValueOf(&row).Elem()
	columns := fold.ColumnsOf(into.Type())
	kept := intern.Strings{}
	var targets []any
	for _, field := range rows.FieldDescriptions() {
		i := slices.IndexFunc(columns, func(c fold.Column) bool { return c.Name == field.Name })
		if i < 0 {
			targets = append(targets, nil)
			continue
		}
		switch to := into.FieldByIndex(columns[i].Path).Addr().Interface().(type) {
		case *string:
			targets = append(targets, &word{in: kept, to: to})
		case **string:
			targets = append(targets, &maybeWord{in: kept, to: to})
		case **bool:
			targets = append(targets, &maybeBool{to: to})
		default:
			targets = append(targets, to)
		}
	}
	_, err = pgx.ForEachRow(rows, targets, func() error {
		each(&row)
		return nil
	})
	return database.Failure(what, err)
}

// collect is scan into a list.
func collect[T any](ctx context.Context, r *reader, what, statement string, args database.Args) (out []T, err error) {
	err = scan(ctx, r, what, func(row *T) { out = append(out, *row) }, statement, args)
	return out, err
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
