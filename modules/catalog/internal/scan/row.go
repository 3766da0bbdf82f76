package scan

import (
	"reflect"
	"slices"

	"gpatlas/modules/catalog/catalogapi"
)

// Row is a structure with pointers to the fields that are columns. A text's is a *string, of whatever type the field is.
type Row[T any] struct {
	Value   T
	Fields  []any
	Columns []catalogapi.Column
}

// NewRow makes a row of the columns that are named, in their order, or of all columns of T. It panics if T lacks one.
func NewRow[T any](columns ...string) *Row[T] {
	r := &Row[T]{Columns: catalogapi.ColumnsOf(reflect.TypeFor[T]())}
	if columns != nil {
		all := r.Columns
		r.Columns = nil
		for _, name := range columns {
			i := slices.IndexFunc(all, func(c catalogapi.Column) bool { return c.Name == name })
			if i < 0 {
				panic("no field of " + reflect.TypeFor[T]().String() + " is the column " + name)
			}
			r.Columns = append(r.Columns, all[i])
		}
	}
	v := reflect.ValueOf(&r.Value).Elem()
	for _, c := range r.Columns {
		field := v.FieldByIndex(c.Path)
		if field.Kind() == reflect.String {
			field = field.Addr().Convert(reflect.TypeFor[*string]()).Elem()
		}
		r.Fields = append(r.Fields, field.Addr().Interface())
	}
	return r
}
