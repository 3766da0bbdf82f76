package httpapi

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"sync"

	"github.com/danielgtaylor/huma/v2"

	"gpatlas/platform/apperr"
)

// inputs holds the decoders of inputs that are decoded outside of their operations, by type.
var inputs sync.Map // reflect.Type → *decoder

// DecodeQuery fills an operation's input with query parameters that did not come in a URL: stored ones. They are by name and
// have JSON types, as in filters_applied. The rules of the URL apply, and all faults are returned at once, by name; absent
// parameters keep the input's values. It panics if the input has anything but parameters, because that is a programming error.
func DecodeQuery[I any](values map[string]any, in *I) []apperr.FieldError {
	d := decoderOf(reflect.TypeFor[I]())
	into := reflect.ValueOf(in).Elem()
	var f faults
	var seen bitset
	for _, name := range slices.Sorted(maps.Keys(values)) {
		i, known := d.query.index[name]
		if !known {
			d.unknown(&d.query, name, &f)
			continue
		}
		seen.set(i)
		text, fault := d.params[i].text(values[name])
		if fault != "" {
			f.add(name, fault)
			continue
		}
		d.assign(i, []byte(text), into, &f)
	}
	for _, i := range d.fallback {
		switch {
		case seen.has(i):
		case d.params[i].standard != "":
			d.assign(i, []byte(d.params[i].standard), into, &f)
		default:
			f.add(d.params[i].name, "is required")
		}
	}
	return f.list
}

func decoderOf(input reflect.Type) *decoder {
	if known, ok := inputs.Load(input); ok {
		if d, ok := known.(*decoder); ok {
			return d
		}
	}
	d := newDecoder(huma.NewMapRegistry("#/components/schemas/", huma.DefaultSchemaNamer), input)
	if d.json.field != nil || len(d.unread) > 0 {
		panic("httpapi.DecodeQuery: " + input.String() + " has more than parameters")
	}
	inputs.Store(input, d)
	return d
}

// ExactMax is the limit up to which the float64 of encoding/json represents whole numbers exactly: 2^53 is also the result of
// 2^53 + 1.
const ExactMax = 1<<53 - 1

// text returns a value of the parameter's JSON type as it is in a URL, or its fault.
func (p *param) text(value any) (text, fault string) {
	switch v := value.(type) {
	case nil:
		return "", "must not be null; leave it out instead"
	case string:
		switch {
		case p.schema.Type != huma.TypeString:
		case v == "":
			return "", "must not be empty; leave it out instead"
		default:
			return v, ""
		}
	case bool:
		if p.schema.Type == huma.TypeBoolean {
			return strconv.FormatBool(v), ""
		}
	case float64:
		switch {
		case p.schema.Type == huma.TypeInteger && math.Abs(v) > ExactMax:
			return "", fmt.Sprintf("must be a whole number of at most %d, which JSON represents exactly", ExactMax)
		case p.schema.Type == huma.TypeInteger, p.schema.Type == huma.TypeNumber:
			return strconv.FormatFloat(v, 'f', -1, 64), "" // the parameter's own rule handles 1.5 for an integer
		}
	}
	if said := rule(p.schema); said != "" && p.schema.Type != huma.TypeString {
		return "", said
	}
	return "", "must be a string"
}
