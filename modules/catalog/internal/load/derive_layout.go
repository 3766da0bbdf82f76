package load

import (
	"fmt"
	"reflect"
	"slices"
	"time"

	"gpatlas/modules/catalog/catalogapi"
)

// layout is the ways to the fields of a structure that columns are filled with, in their order.
type layout [][]int

// layoutOf finds the fields by the columns that their tags name. There is one for each column: a test loads all of them.
func layoutOf[T any](columns []string) layout {
	known := catalogapi.ColumnsOf(reflect.TypeFor[T]())
	out := make(layout, len(columns))
	for n, name := range columns {
		i := slices.IndexFunc(known, func(c catalogapi.Column) bool { return c.Name == name })
		if i < 0 {
			panic("no field of " + reflect.TypeFor[T]().String() + " is the column " + name)
		}
		out[n] = known[i].Path
	}
	return out
}

// row appends the columns of a structure that row points to.
func (r *rowBuffer) row(l layout, row any) {
	v := reflect.ValueOf(row).Elem()
	r.begin()
	for _, path := range l {
		at := v.FieldByIndex(path)
		if at.Kind() == reflect.String { // of whatever type
			text := at.String()
			r.said(&text)
			continue
		}
		switch field := at.Addr().Interface().(type) {
		case **string:
			r.said(*field)
		case *int64:
			r.integer(*field)
		case **int64:
			r.optInteger(*field)
		case **float64:
			r.optFloat(*field)
		case **bool:
			r.optFlag(*field)
		case *time.Time:
			r.date(*field)
		case **time.Time:
			r.optDate(*field)
		case *[]string:
			r.list(*field)
		default:
			panic("no column is made of a " + reflect.TypeOf(field).Elem().String())
		}
	}
	r.end()
}

// rowOf appends a row of texts.
func (r *rowBuffer) rowOf(texts ...string) {
	r.begin()
	for i := range texts {
		r.said(&texts[i])
	}
	r.end()
}

// said appends a text that may be null; the empty one is not.
func (r *rowBuffer) said(s *string) {
	if s == nil {
		r.null()
		return
	}
	r.buf = append(appendEscaped(r.buf, clean(*s)), '\t')
}

func (r *rowBuffer) optDate(t *time.Time) {
	if t == nil {
		r.null()
		return
	}
	r.date(*t)
}

// stated appends a column of a document's row, and returns whether the row states it.
func (r *rowBuffer) stated(column reflect.Value) bool {
	switch field := column.Addr().Interface().(type) {
	case **string:
		r.text(catalogapi.TextOf(*field))
	case **int64:
		r.optInteger(*field)
	case **bool:
		r.optFlag(*field)
	case **time.Time:
		r.optDate(*field)
	case *map[string]int64:
		r.counts(*field)
	default:
		panic("no column is made of a " + column.Type().String())
	}
	return !column.IsNil()
}

// textOf is a column as a quarantined row shows it.
func textOf(column reflect.Value) string {
	if column.IsNil() {
		return ""
	}
	return fmt.Sprint(column.Elem().Interface())
}
