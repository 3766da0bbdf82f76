package listing

import (
	"reflect"
	"slices"
	"strings"

	"gpatlas/modules/catalog/catalogapi"
)

// Fields takes a detail answer apart into its fields, for comparisons. What the answer's structure is, is found out once.
type Fields[T any] struct{ list []field }

type field struct {
	name string // in JSON
	at   int
}

// NewFields lists the fields of a detail but for those left out, which are a key or say where the answer comes from.
func NewFields[T any](leftOut ...string) *Fields[T] {
	f := &Fields[T]{}
	t := reflect.TypeFor[T]()
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		if !slices.Contains(leftOut, name) {
			f.list = append(f.list, field{name, i})
		}
	}
	return f
}

// Of gives the fields of a detail, in its order.
func (f *Fields[T]) Of(detail *T) []catalogapi.Field {
	v := reflect.ValueOf(detail).Elem()
	out := make([]catalogapi.Field, len(f.list))
	for i, at := range f.list {
		out[i] = catalogapi.Field{Name: at.name}
		switch value := v.Field(at.at); {
		case value.Kind() != reflect.Pointer:
			out[i].Value = value.Interface()
		case !value.IsNil():
			out[i].Value = value.Elem().Interface()
		}
	}
	return out
}
