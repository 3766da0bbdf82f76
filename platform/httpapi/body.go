package httpapi

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gofiber/fiber/v2"

	"gpatlas/platform/apperr"
)

// WholeBody is the field of a fault that concerns the whole body. A field of a body is named by its path in it, wherever the
// fault was found: name, filters.state, tags[2]. Parameters and headers have their own names.
const WholeBody = "body"

const (
	unknownField = "is not a known field"
	mustBeJSON   = "must be sent as application/json"
	mustBeUTF8   = "must be sent in UTF-8: leave charset out, or send charset=utf-8"
)

// mostFaults is the maximum number of faults in a response about a body.
const mostFaults = 100

// jsonBody describes an operation's JSON body: a field Body of the input.
type jsonBody struct {
	field    []int // nil: it has none
	schema   *huma.Schema
	required bool
	standard []byte // an object with the fields that have a default
}

// takeJSON takes the rules for the JSON body from the documented operation.
func (d *decoder) takeJSON(op *huma.Operation) {
	if d.json.field == nil || op.RequestBody.Content[contentJSON] == nil { // an input that contradicts itself has none
		return
	}
	d.json.schema, d.json.required = op.RequestBody.Content[contentJSON].Schema, op.RequestBody.Required
	standard := map[string]any{}
	for name, s := range d.target(d.json.schema).Properties {
		if s.Default != nil {
			standard[name] = s.Default
		}
	}
	if len(standard) > 0 {
		d.json.standard, _ = json.Marshal(standard) // words, numbers and booleans cannot fail
	}
}

// readJSON validates a JSON body by its schema, and fills the input with it.
func (d *decoder) readJSON(c *fiber.Ctx, into reflect.Value, f *faults) {
	body, kind := c.Request().Body(), bare(c.Get(fiber.HeaderContentType))
	if len(body) == 0 {
		f.absent = d.json.required
		return
	}
	before := len(f.list)
	defer func() { f.body = len(f.list) > before }()
	if kind = kind[strings.IndexByte(kind, '+')+1:]; !slices.Contains([]string{"", contentJSON, "json"}, kind) {
		f.status = http.StatusUnsupportedMediaType
		f.add(WholeBody, mustBeJSON)
		return
	}
	if unreadable(c.Get(fiber.HeaderContentType)) {
		f.status = http.StatusUnsupportedMediaType
		f.add(WholeBody, mustBeUTF8)
		return
	}
	var tree any
	if fault := unmarshal(body, &tree); fault != nil {
		f.add(fault.Field, fault.Message)
		return
	}
	var result huma.ValidateResult
	huma.Validate(d.registry, d.json.schema, huma.NewPathBuffer(nil, 0), huma.ModeWriteToServer, tree, &result)
	for _, err := range result.Errors[:min(len(result.Errors), mostFaults)] {
		if detail, ok := err.(*huma.ErrorDetail); ok { //nolint:errorlint // nothing wraps it
			f.addFirst(d.restate(detail.Location, detail.Message))
		}
	}
	target := into.FieldByIndex(d.json.field).Addr().Interface()
	if len(result.Errors) > 0 {
		return
	}
	if d.json.standard != nil {
		_ = json.Unmarshal(d.json.standard, target) // tests of each operation with a default verify this
	}
	if fault := unmarshal(body, target); fault != nil {
		f.addFirst(*fault)
	}
}

// restate converts one of huma's faults of a body to a field and a message.
func (d *decoder) restate(field, message string) apperr.FieldError {
	if name, ok := strings.CutPrefix(message, requiredPrefix); ok {
		if field != "" {
			name = field + "." + name
		}
		return apperr.FieldError{Field: name, Message: "is required"}
	}
	if message == unknownField {
		if field == "" { // "" is a name too
			return apperr.FieldError{Field: WholeBody, Message: "must not contain a field with an empty name"}
		}
		message += d.suggestion(field)
		field = printable(field)
	}
	return apperr.FieldError{Field: cmp.Or(field, WholeBody), Message: singular(message)}
}

// suggestion names the known field that the last part of a path was probably meant to be, or all known ones if they are few.
func (d *decoder) suggestion(path string) string {
	s := d.target(d.json.schema)
	steps := strings.Split(path, ".")
	for _, step := range steps[:len(steps)-1] {
		name, items, _ := strings.Cut(step, "[")
		if s == nil {
			return ""
		}
		s = d.target(s.Properties[name])
		for range strings.Count(items, "]") {
			if s != nil {
				s = d.target(s.Items)
			}
		}
	}
	if s == nil {
		return ""
	}
	known := slices.Sorted(maps.Keys(s.Properties))
	switch near := nearest(printable(steps[len(steps)-1]), known); {
	case near != "":
		return fmt.Sprintf("; did you mean %q?", near)
	case len(known) == 0:
		return "; this object accepts no fields"
	case len(known) <= 12:
		return "; known are " + strings.Join(known, ", ")
	default:
		return ""
	}
}

func (d *decoder) target(s *huma.Schema) *huma.Schema { return target(d.registry, s) }

// target is the schema that s refers to, or s itself.
func target(registry huma.Registry, s *huma.Schema) *huma.Schema {
	for s != nil && s.Ref != "" {
		s = registry.SchemaFromRef(s.Ref)
	}
	return s
}
