package httpapi

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"gpatlas/platform/apperr"
)

// WholeBody is the field that is at fault where no single one is: the body itself. A field of a body is named by its path in
// it, wherever the fault was found: name, filters.state, tags[2]. Parameters and headers have their own names.
const WholeBody = "body"

const (
	unknownField = "is not a known field"
	mustBeJSON   = "must be sent as application/json"
)

// metadataSchemas is where an operation keeps the schemas that its body refers to.
const metadataSchemas = "schemas"

// restateBody is restate for what is in the body.
func restateBody(op *huma.Operation, field, message string) apperr.FieldError {
	if name, ok := strings.CutPrefix(message, requiredPrefix); ok {
		if field != "" {
			name = field + "." + name
		}
		return apperr.FieldError{Field: name, Message: "is required"}
	}
	if where, ok := strings.CutPrefix(message, misfitPrefix); ok && field == "" {
		field, message, _ = strings.Cut(where, ": ")
		return apperr.FieldError{Field: field, Message: message}
	}
	if field == "" {
		field = WholeBody
		if message == unknownField { // "" is a name too
			return apperr.FieldError{Field: field, Message: "must not contain a field with an empty name"}
		}
		if strings.HasPrefix(message, "unknown content type") {
			return apperr.FieldError{Field: field, Message: mustBeJSON}
		}
		if !strings.HasPrefix(message, "must ") {
			message = "is not valid JSON: " + message
		}
	}
	if message == unknownField {
		message += suggestion(op, field)
		field = printable(field)
	}
	return apperr.FieldError{Field: field, Message: message}
}

// suggestion names the known field that the last one of a path was probably meant to be, or all known ones where
// they are few.
func suggestion(op *huma.Operation, path string) string {
	if op == nil || op.RequestBody == nil || op.RequestBody.Content[contentJSON] == nil {
		return ""
	}
	registry, _ := op.Metadata[metadataSchemas].(huma.Registry)
	s := target(registry, op.RequestBody.Content[contentJSON].Schema)
	steps := strings.Split(path, ".")
	for _, step := range steps[:len(steps)-1] {
		name, items, _ := strings.Cut(step, "[")
		if s == nil {
			return ""
		}
		s = target(registry, s.Properties[name])
		for range strings.Count(items, "]") {
			if s != nil {
				s = target(registry, s.Items)
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

// target is the schema that s refers to, or s itself.
func target(registry huma.Registry, s *huma.Schema) *huma.Schema {
	for s != nil && s.Ref != "" && registry != nil {
		s = registry.SchemaFromRef(s.Ref)
	}
	return s
}
