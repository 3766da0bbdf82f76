package httpapi

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gofiber/fiber/v2"

	"gpatlas/platform/apperr"
)

// decoder reads and checks the parameters of one operation: unknown, repeated, empty, malformed and out-of-range ones,
// broken escapes, NUL bytes and invalid UTF-8, all faults at once.
//
// huma walks over every declared parameter of a request; the GP search declares forty and gets three. So where the
// input holds parameters only, decoder walks over those that were sent and fills the input itself (8 µs a request
// less), with the same schemas and huma's own validator. Where there is a body, it checks what huma would let pass
// in silence and huma does the rest.
type decoder struct {
	params   []param
	complete bool           // fill the input, huma is not needed
	query    map[string]int // query parameter → index in params
	names    []string       // query parameters, sorted, for suggestions
	others   []int          // path and header parameters
	fallback []int          // query parameters that are required or have a default
	registry huma.Registry
}

func newDecoder(registry huma.Registry, input reflect.Type) *decoder {
	d := &decoder{query: map[string]int{}, registry: registry}
	d.params, d.complete = compileParams(registry, input)
	for i, p := range d.params {
		if p.in != "query" {
			d.others = append(d.others, i)
			continue
		}
		d.query[p.name] = i
		d.names = append(d.names, p.name)
		if p.required || p.standard != "" {
			d.fallback = append(d.fallback, i)
		}
	}
	slices.Sort(d.names)
	return d
}

// faults collects the faults of one request.
type faults struct {
	list []apperr.FieldError
}

func (f *faults) add(field, message string) {
	for _, old := range f.list {
		if old.Field == field && old.Message == message {
			return
		}
	}
	f.list = append(f.list, apperr.FieldError{Field: field, Message: message})
}

// decode checks a request's parameters and, when into is valid, fills the input struct with them.
func (d *decoder) decode(c *fiber.Ctx, into reflect.Value) []apperr.FieldError {
	var f faults
	var seen bitset
	uri := c.Context().URI()
	if raw := uri.QueryString(); len(raw) > 0 {
		if bytes.IndexByte(raw, '%') >= 0 && !escapesHold(raw) {
			f.add("query", brokenEscape+"; write %25 for a percent sign")
		}
		for key, value := range uri.QueryArgs().All() {
			if len(key) == 0 && len(value) == 0 { // a stray & means nothing
				continue
			}
			i, known := d.query[string(key)]
			if !known {
				d.unknown(string(key), &f)
				continue
			}
			if seen.has(i) && !d.params[i].multi {
				f.add(d.params[i].name, "was sent more than once; send it once")
				continue
			}
			seen.set(i)
			if len(value) == 0 {
				// Spec: not shown; an empty value is refused, for it is mostly a variable that somebody forgot to fill.
				f.add(d.params[i].name, "must not be empty; leave the parameter out instead")
				continue
			}
			d.take(i, value, into, &f)
		}
	}
	for _, i := range d.fallback {
		if seen.has(i) || !into.IsValid() {
			continue
		}
		if d.params[i].standard != "" {
			d.take(i, []byte(d.params[i].standard), into, &f)
		} else {
			f.add(d.params[i].name, "is required")
		}
	}
	for _, i := range d.others {
		d.other(c, i, into, &f)
	}
	return f.list
}

// other reads a path or header parameter.
func (d *decoder) other(c *fiber.Ctx, i int, into reflect.Value, f *faults) {
	p := &d.params[i]
	var value string
	if p.in == "header" {
		value = c.Get(p.name, p.standard)
	} else {
		value = c.Params(p.name)
		if strings.IndexByte(value, '%') >= 0 { // the router leaves escapes alone
			plain, err := url.PathUnescape(value)
			if err != nil {
				f.add(p.name, brokenEscape)
				return
			}
			value = plain
		}
	}
	switch {
	case value != "":
		d.take(i, []byte(value), into, f)
	case p.required && into.IsValid():
		f.add(p.name, "is required")
	}
}

// take checks one value and stores it.
func (d *decoder) take(i int, value []byte, into reflect.Value, f *faults) {
	p := &d.params[i]
	if message := textFault(value); message != "" {
		f.add(p.name, message)
		return
	}
	if !into.IsValid() {
		return
	}
	field := into.FieldByIndex(p.field)
	target := field
	if p.wrapped {
		target = receiver(field)
	}
	parsed, err := p.parse(target, string(value))
	if err != nil {
		f.add(p.name, p.complaint(err, string(value)))
		return
	}
	if p.wrapped {
		if reactor, ok := reflect.TypeAssert[huma.ParamReactor](field.Addr()); ok {
			reactor.OnParamSet(true, parsed)
		}
	}
	v, _ := validators.Get().(*validator)
	huma.Validate(d.registry, p.schema, v.path, huma.ModeWriteToServer, parsed, &v.result)
	if len(v.result.Errors) > 0 {
		f.add(p.name, p.complaint(v.result.Errors[0], string(value)))
	}
	v.path.Reset()
	v.result.Reset()
	validators.Put(v)
}

// complaint is the parameter's whole rule, or what its type said of the text. Of a closed list of words it names the one
// that was probably meant.
func (p *param) complaint(err error, text string) string {
	if said := rule(p.schema); said != "" {
		words := make([]string, 0, len(p.schema.Enum))
		for _, w := range p.schema.Enum {
			words = append(words, fmt.Sprint(w))
		}
		return said + DidYouMean(text, words)
	}
	if detail, ok := errors.AsType[*huma.ErrorDetail](err); ok {
		return detail.Message
	}
	return err.Error()
}

type validator struct {
	path   *huma.PathBuffer
	result huma.ValidateResult
}

var validators = sync.Pool{New: func() any {
	return &validator{path: huma.NewPathBuffer(make([]byte, 0, 64), 0)}
}}

func (d *decoder) unknown(name string, f *faults) {
	name = printable(name)
	message := "unknown parameter"
	switch near := nearest(name, d.names); {
	case near != "":
		message += fmt.Sprintf("; did you mean %q?", near)
	case len(d.names) == 0:
		message += "; this operation accepts no parameters"
	case len(d.names) <= 12:
		message += "; this operation accepts " + strings.Join(d.names, ", ")
	default:
		message += "; /docs lists the parameters of this operation"
	}
	f.add(name, message)
}

// bitset remembers which parameters were sent; no operation has more than 128.
type bitset [2]uint64

func (b *bitset) has(i int) bool { return b[i>>6&1]&(1<<(i&63)) != 0 }
func (b *bitset) set(i int)      { b[i>>6&1] |= 1 << (i & 63) }

type faultsKey struct{}

// withFaults hands the faults found so far to the code behind huma.
func withFaults(ctx huma.Context, list []apperr.FieldError) huma.Context {
	if list == nil {
		return ctx
	}
	return huma.WithValue(ctx, faultsKey{}, list)
}

func faultsOf(ctx context.Context) []apperr.FieldError {
	list, _ := ctx.Value(faultsKey{}).([]apperr.FieldError)
	return list
}
