package httpapi

import (
	"encoding"
	"errors"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// param is one path, query, header or form parameter of an input struct.
type param struct {
	name     string
	in       string // "path", "query", "header" or "form"
	field    []int  // index path of the struct field
	wrapped  bool   // an Opt, or another huma.ParamWrapper
	required bool
	standard string // the default tag
	schema   *huma.Schema
	parse    func(target reflect.Value, text string) (parsed any, err error)
	term     bool // a price parameter, and no field of the input
}

var (
	wrapperType     = reflect.TypeFor[huma.ParamWrapper]()
	unmarshalerType = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// compile lists the parameters of an input struct. at is the index path of t in the input.
func (d *decoder) compile(t reflect.Type, at []int) {
	for i := range t.NumField() {
		f, index := t.Field(i), append(slices.Clone(at), i)
		if f.Anonymous && f.Type.Kind() == reflect.Struct {
			d.compile(f.Type, index)
			continue
		}
		p, known := compileParam(d.registry, f, index)
		switch {
		case known && p.parse != nil:
			d.params = append(d.params, p)
		case isRaw(f):
			d.body.field = index
		case f.Name == "Body":
			d.json.field = index
		case known || f.IsExported():
			d.unread = append(d.unread, f.Name)
		}
	}
}

func compileParam(registry huma.Registry, f reflect.StructField, index []int) (param, bool) {
	p := param{field: index}
	for _, in := range []string{"path", "query", "header", inForm} {
		if tag := f.Tag.Get(in); tag != "" {
			p.in, p.name = in, tag
		}
	}
	if p.in == "" {
		return p, false
	}
	p.required = p.in == "path" || f.Tag.Get("required") == "true"
	p.standard = f.Tag.Get("default")
	p.schema = huma.SchemaFromField(registry, f, "")
	p.wrapped = reflect.PointerTo(f.Type).Implements(wrapperType)
	value := reflect.New(f.Type).Elem()
	if p.wrapped {
		value = receiver(value)
	}
	p.parse = parserFor(value.Type())
	return p, true
}

func receiver(field reflect.Value) reflect.Value {
	wrapper, _ := reflect.TypeAssert[huma.ParamWrapper](field.Addr())
	return wrapper.Receiver()
}

var errMalformed = errors.New("malformed")

// parserFor returns the function that parses text into a value of type t, or nil for unsupported types.
func parserFor(t reflect.Type) func(reflect.Value, string) (any, error) {
	switch t.Kind() {
	case reflect.String:
		return func(target reflect.Value, text string) (any, error) {
			target.SetString(text)
			return text, nil
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return func(target reflect.Value, text string) (any, error) {
			v, err := strconv.ParseInt(text, 10, t.Bits())
			if err != nil || text[0] == '+' {
				return nil, errMalformed
			}
			target.SetInt(v)
			return v, nil
		}
	case reflect.Float32, reflect.Float64:
		return func(target reflect.Value, text string) (any, error) {
			v, err := strconv.ParseFloat(text, t.Bits())
			if err != nil || v != v || v-v != 0 { // neither NaN nor an infinity is an amount
				return nil, errMalformed
			}
			target.SetFloat(v)
			return v, nil
		}
	case reflect.Bool:
		return func(target reflect.Value, text string) (any, error) {
			if text != "true" && text != "false" {
				return nil, errMalformed
			}
			target.SetBool(text == "true")
			return text == "true", nil
		}
	case reflect.Slice:
		if t != reflect.TypeFor[[]string]() {
			return nil
		}
		return func(target reflect.Value, text string) (any, error) {
			list := strings.Split(text, ",")
			target.Set(reflect.ValueOf(list))
			return list, nil
		}
	case reflect.Struct:
		if !reflect.PointerTo(t).Implements(unmarshalerType) || t.PkgPath() == "time" {
			return nil
		}
		return func(target reflect.Value, text string) (any, error) {
			u, _ := reflect.TypeAssert[encoding.TextUnmarshaler](target.Addr())
			return text, u.UnmarshalText([]byte(text))
		}
	default:
		return nil
	}
}
