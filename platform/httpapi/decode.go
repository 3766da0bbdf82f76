package httpapi

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gofiber/fiber/v2"

	"gpatlas/platform/apperr"
)

// decoder reads and checks the requests of one operation: unknown, repeated, empty, malformed and out-of-range parameters,
// broken escapes, NUL bytes and invalid UTF-8, and the body, all faults at once.
//
// It uses huma's schemas and huma's validator, and nothing else of huma, which walks over every declared parameter of a request
// (the GP search declares forty and gets three), and silently accepts some of what is rejected here.
type decoder struct {
	params   []param
	query    named // query parameters
	form     named // fields of a form
	others   []int // path and header parameters
	fallback []int // query parameters and fields of a form that are required or have a default
	body     rawBody
	json     jsonBody
	registry huma.Registry
	unread   []string // fields of the input that cannot be read
	absent   map[string]string
}

// Explaining is an input that says why it does not have some parameters that callers may expect, by name. Requests with one are refused with the
// explanation.
type Explaining interface {
	Absent() map[string]string
}

// named is the parameters of one place, by name.
type named struct {
	what  string         // "parameter"
	index map[string]int // name → index in params
	names []string       // sorted, for suggestions
}

func (n *named) add(name string, i int) {
	n.index[name] = i
	n.names = append(n.names, name)
	slices.Sort(n.names)
}

func newDecoder(registry huma.Registry, input reflect.Type) *decoder {
	d := &decoder{
		query: named{what: "parameter", index: map[string]int{}}, form: named{what: "field", index: map[string]int{}}, registry: registry,
	}
	d.compile(input, nil)
	if in, ok := reflect.TypeAssert[Explaining](reflect.New(input)); ok {
		d.absent = in.Absent()
	}
	for i, p := range d.params {
		switch p.in {
		case "query":
			d.query.add(p.name, i)
		case inForm:
			d.form.add(p.name, i)
		default:
			d.others = append(d.others, i)
			continue
		}
		if p.required || p.standard != "" {
			d.fallback = append(d.fallback, i)
		}
	}
	return d
}

// faults collects the faults of one request, and the values that are no fields of the input.
type faults struct {
	list   []apperr.FieldError
	terms  terms // the request's price parameters
	status int   // of the refusal; 0 = 400
	absent bool  // the required body is missing
	body   bool  // the body has faults
}

func (f *faults) add(field, message string) {
	for _, old := range f.list {
		if old.Field == field && old.Message == message {
			return
		}
	}
	f.list = append(f.list, apperr.FieldError{Field: field, Message: message})
}

// addFirst adds a fault, unless the field has one already.
func (f *faults) addFirst(fault apperr.FieldError) {
	if !slices.ContainsFunc(f.list, func(old apperr.FieldError) bool { return old.Field == fault.Field }) {
		f.list = append(f.list, fault)
	}
}

// problem is the refusal of a request that has faults, or nil. It includes the input's own faults, unless the body is faulty.
func (f *faults) problem(in any) *Problem {
	switch {
	case len(f.list) > 0 && !f.body:
		f.list = withOwn(f.list, in)
	case len(f.list) > 0:
	case f.absent:
		return &Problem{Detail: "Request body is required", status: http.StatusBadRequest}
	default:
		return nil
	}
	p := invalid(f.list)
	p.status = cmp.Or(f.status, p.status)
	return p
}

// decode checks a request and fills the input struct with it.
func (d *decoder) decode(c *fiber.Ctx, into reflect.Value) *faults {
	f := &faults{}
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
			d.pair(&d.query, key, value, &seen, into, f)
		}
	}
	if len(d.form.index) > 0 {
		d.readForm(c, &seen, into, f)
	}
	if d.body.field != nil {
		into.FieldByIndex(d.body.field).SetBytes(bytes.Clone(c.Request().Body())) // the server reuses its buffer
	}
	for _, i := range d.fallback {
		if seen.has(i) {
			continue
		}
		if d.params[i].standard != "" {
			d.assign(i, []byte(d.params[i].standard), into, f)
		} else {
			f.add(d.params[i].name, "is required")
		}
	}
	for _, i := range d.others {
		d.other(c, i, into, f)
	}
	if d.json.field != nil {
		d.readJSON(c, into, f)
	}
	return f
}

// pair checks and stores one name and value of a query or a form.
func (d *decoder) pair(of *named, key, value []byte, seen *bitset, into reflect.Value, f *faults) {
	i, known := of.index[string(key)]
	switch {
	case !known:
		d.unknown(of, string(key), f)
	case seen.has(i):
		f.add(d.params[i].name, SentTwice)
	case len(value) == 0:
		// Spec: not shown; an empty value is rejected, because it is mostly an unset variable.
		seen.set(i)
		f.add(d.params[i].name, "must not be empty; leave the "+of.what+" out instead")
	default:
		seen.set(i)
		d.assign(i, value, into, f)
	}
}

// other reads a path or header parameter.
func (d *decoder) other(c *fiber.Ctx, i int, into reflect.Value, f *faults) {
	p := &d.params[i]
	var value string
	if p.in == "header" {
		value = c.Get(p.name, p.standard)
	} else {
		value = c.Params(p.name)
		if strings.IndexByte(value, '%') >= 0 { // the router does not decode escapes
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
		d.assign(i, []byte(value), into, f)
	case p.required:
		f.add(p.name, "is required")
	}
}

// assign checks one value and stores it.
func (d *decoder) assign(i int, value []byte, into reflect.Value, f *faults) {
	p := &d.params[i]
	if message := TextFault(value); message != "" {
		f.add(p.name, message)
		return
	}
	if p.term {
		if message := f.terms.read(p.name, string(value)); message != "" {
			f.add(p.name, message)
		}
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

// complaint is the parameter's whole rule, or its type's error. For a closed list of words it names the one that was probably
// meant.
func (p *param) complaint(err error, text string) string {
	if errors.Is(err, ErrNoDay) {
		return err.Error()
	}
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

func (d *decoder) unknown(of *named, name string, f *faults) {
	if why := d.absent[name]; why != "" {
		f.add(name, why)
		return
	}
	name = printable(name)
	message := "unknown " + of.what
	switch near := nearest(name, of.names); {
	case near != "":
		message += fmt.Sprintf("; did you mean %q?", near)
	case len(of.names) == 0:
		message += "; this operation accepts no " + of.what + "s"
	case len(of.names) <= 12:
		message += "; this operation accepts " + strings.Join(of.names, ", ")
	default:
		message += "; /docs lists the " + of.what + "s of this operation"
	}
	f.add(name, message)
}

// bitset remembers which parameters were sent; no operation has more than 128.
type bitset [2]uint64

func (b *bitset) has(i int) bool { return b[i>>6&1]&(1<<(i&63)) != 0 }
func (b *bitset) set(i int)      { b[i>>6&1] |= 1 << (i & 63) }
