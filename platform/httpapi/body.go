package httpapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"gpatlas/platform/apperr"
)

// unmarshal reads a JSON body. huma calls it twice, to check the body as a tree and to fill the input with it, and the
// two must see the same: of a field that is sent twice the tree keeps the last, whereas encoding/json merges objects,
// and would take fields of the first that nobody has checked.
func unmarshal(data []byte, v any) error {
	if _, tree := v.(*any); !tree && repeats(data) {
		var last any
		d := json.NewDecoder(bytes.NewReader(data))
		d.UseNumber()
		if err := d.Decode(&last); err != nil {
			return err //nolint:wrapcheck // restated by restateBody
		}
		var err error
		if data, err = json.Marshal(last); err != nil {
			return err //nolint:wrapcheck // restated by restateBody
		}
	}
	return json.Unmarshal(data, v) //nolint:wrapcheck // restated by restateBody
}

// repeats says whether any object of a JSON text has two fields of one name.
func repeats(data []byte) bool {
	type level struct {
		names map[string]bool // nil in a list
		name  bool            // a name comes next, or the end
	}
	var levels []level
	d := json.NewDecoder(bytes.NewReader(data))
	for {
		token, err := d.Token()
		if err != nil { // the end; or a fault, which the reading itself will find
			return false
		}
		top := len(levels) - 1
		if top >= 0 && levels[top].name {
			if name, ok := token.(string); ok {
				if levels[top].names[name] {
					return true
				}
				levels[top].names[name], levels[top].name = true, false
				continue
			}
		} else if top >= 0 && levels[top].names != nil {
			levels[top].name = true // a value is here, or begins
		}
		switch token {
		case json.Delim('{'):
			levels = append(levels, level{names: map[string]bool{}, name: true})
		case json.Delim('['):
			levels = append(levels, level{})
		case json.Delim('}'), json.Delim(']'):
			levels = levels[:top]
		}
	}
}

// WholeBody is the field that is at fault where no single one is: the body itself.
const WholeBody = "body"

const unknownField = "is not a known field"

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
	if field == "" {
		field = WholeBody
		if message == unknownField { // "" is a name too
			return apperr.FieldError{Field: field, Message: "must not have a field without a name"}
		}
		if strings.HasPrefix(message, "unknown content type") {
			return apperr.FieldError{Field: field, Message: "must be sent as application/json"}
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
		return "; this object takes none"
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
