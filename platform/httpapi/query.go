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

// DecodeQuery fills an operation's input with query parameters that came another way than in an address: kept ones. They
// are by name and have JSON types, as filters_applied shows them. They are held to the very rules of the address, and all
// faults are given at once, by name; only what is absent keeps what the input holds. It panics when the input has more
// than parameters, for that is a mistake in the program.
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
		d.take(i, []byte(text), into, &f)
	}
	for _, i := range d.fallback {
		switch {
		case seen.has(i):
		case d.params[i].standard != "":
			d.take(i, []byte(d.params[i].standard), into, &f)
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

// ExactMax is up to where the float64 of encoding/json holds a whole number and no other: 2^53 is also what 2^53 + 1 becomes.
const ExactMax = 1<<53 - 1

// text gives a value of the parameter's JSON type as an address has it, or says what is wrong with it.
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
			return strconv.FormatFloat(v, 'f', -1, 64), "" // 1.5 for an integer is left to the parameter's own rule
		}
	}
	if said := rule(p.schema); said != "" && p.schema.Type != huma.TypeString {
		return "", said
	}
	return "", "must be a string"
}
