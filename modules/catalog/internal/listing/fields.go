package listing

import (
	"reflect"
	"slices"
	"strings"
	"time"

	"gpatlas/modules/catalog/catalogapi"
)

// Fields takes a detail answer apart into its fields, for comparisons. What the answer's structure is, is found out once.
type Fields[T any] struct{ list []field }

type field struct {
	name string // in JSON
	at   int
}

// NewFields lists the fields of a detail except those left out, which are a key or the source of the answer.
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

// Of returns the fields of a detail, in its order.
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

// Copier copies the fields of a detail that repeat columns of a row: those with the same name.
type Copier[D, R any] []copied

type copied struct {
	from, to []int
	as       func(to, from reflect.Value)
}

// NewCopier finds the fields, which is done once.
func NewCopier[D, R any]() (c Copier[D, R]) {
	of := catalogapi.ColumnsOf(reflect.TypeFor[R]())
	for _, to := range reflect.VisibleFields(reflect.TypeFor[D]()) {
		name, _, _ := strings.Cut(to.Tag.Get("json"), ",")
		i := slices.IndexFunc(of, func(column catalogapi.Column) bool { return column.Name == name })
		if i < 0 {
			continue
		}
		as := func(to, from reflect.Value) { to.Set(from) }
		switch from := reflect.TypeFor[R]().FieldByIndex(of[i].Path).Type; {
		case from == reflect.TypeFor[*time.Time]():
			as = setDay
		case from.Kind() == reflect.Slice: // never null
			as = func(to, from reflect.Value) {
				to.Set(reflect.AppendSlice(reflect.MakeSlice(to.Type(), 0, from.Len()), from))
			}
		case from != to.Type:
			as = func(to, from reflect.Value) { to.Set(from.Convert(to.Type())) }
		}
		c = append(c, copied{of[i].Path, to.Index, as})
	}
	return c
}

func setDay(to, from reflect.Value) {
	if !from.IsNil() {
		to.Set(reflect.ValueOf(new(from.Elem().Interface().(time.Time).Format(time.DateOnly)))) //nolint:forcetypeassert // see NewCopier
	}
}

// Copy copies the fields of row to the detail.
func (c Copier[D, R]) Copy(detail *D, row *R) {
	to, from := reflect.ValueOf(detail).Elem(), reflect.ValueOf(row).Elem()
	for _, f := range c {
		f.as(to.FieldByIndex(f.to), from.FieldByIndex(f.from))
	}
}
