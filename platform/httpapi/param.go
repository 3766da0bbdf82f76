package httpapi

import (
	"encoding"
	"errors"
	"reflect"
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
	multi    bool   // may be repeated
	required bool
	standard string // the default tag
	schema   *huma.Schema
	parse    func(target reflect.Value, text string) (parsed any, err error) // nil: only huma can
	term     bool                                                            // about the price, and no field of the input
}

var (
	wrapperType     = reflect.TypeFor[huma.ParamWrapper]()
	unmarshalerType = reflect.TypeFor[encoding.TextUnmarshaler]()
	resolverType    = reflect.TypeFor[huma.Resolver]()
	pathResolver    = reflect.TypeFor[huma.ResolverWithPath]()
)

// compileParams lists the parameters of an input struct. complete says that there is nothing else in it that only
// huma can decode: no body, no cookies, no resolvers, no types that parse does not know.
func compileParams(registry huma.Registry, t reflect.Type) (params []param, complete bool) {
	complete = !reflect.PointerTo(t).Implements(resolverType) && !reflect.PointerTo(t).Implements(pathResolver)
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous && f.Type.Kind() == reflect.Struct {
			inner, whole := compileParams(registry, f.Type)
			for _, p := range inner {
				p.field = append([]int{i}, p.field...)
				params = append(params, p)
			}
			complete = complete && whole
			continue
		}
		p, known := compileParam(registry, f, i)
		switch {
		case known:
			params = append(params, p)
			complete = complete && p.parse != nil
		case isRaw(f): // read by the decoder too
		case f.IsExported():
			complete = false // a body, a cookie
		}
	}
	return params, complete
}

func compileParam(registry huma.Registry, f reflect.StructField, index int) (param, bool) {
	p := param{field: []int{index}}
	for _, in := range []string{"path", "query", "header", inForm} {
		if tag := f.Tag.Get(in); tag != "" {
			name, options, _ := strings.Cut(tag, ",")
			p.in, p.name = in, name
			p.multi = strings.Contains(options, "explode")
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
	if !p.multi && f.Tag.Get("timeFormat") == "" {
		p.parse = parserFor(value.Type())
	}
	return p, true
}

func receiver(field reflect.Value) reflect.Value {
	wrapper, _ := reflect.TypeAssert[huma.ParamWrapper](field.Addr())
	return wrapper.Receiver()
}

var errMalformed = errors.New("malformed")

// parserFor gives the function that reads text into a value of type t, or nil for types left to huma.
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
