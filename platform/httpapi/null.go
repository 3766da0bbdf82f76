package httpapi

import (
	"slices"

	"github.com/danielgtaylor/huma/v2"
)

// allowNull adds null to the enum of each schema in the document that may be null. A nullable type is not enough: by JSON
// Schema a value must satisfy both "type" and "enum", and huma lists only the words of the enum tag.
func allowNull(document *huma.OpenAPI) {
	eachSchema(document, func(_ string, s *huma.Schema) {
		if s.Nullable && len(s.Enum) > 0 && !slices.Contains(s.Enum, any(nil)) {
			s.Enum = append(slices.Clone(s.Enum), nil)
		}
	})
}

// eachSchema calls visit once for each schema in the document, with its place.
func eachSchema(document *huma.OpenAPI, visit func(place string, s *huma.Schema)) {
	w := walker{visit: visit, seen: map[*huma.Schema]bool{}}
	for name, s := range document.Components.Schemas.Map() {
		w.schema(name, s)
	}
	for name, response := range document.Components.Responses {
		w.response(name, response)
	}
	for path, item := range document.Paths {
		for _, op := range []*huma.Operation{item.Get, item.Post, item.Put, item.Patch, item.Delete} {
			if op == nil {
				continue
			}
			place := op.Method + " " + path
			for _, p := range op.Parameters {
				w.schema(place+" "+p.Name, p.Schema)
			}
			if op.RequestBody != nil {
				w.content(place, op.RequestBody.Content)
			}
			for status, response := range op.Responses {
				w.response(place+" "+status, response)
			}
		}
	}
}

type walker struct {
	visit func(place string, s *huma.Schema)
	seen  map[*huma.Schema]bool
}

func (w walker) response(place string, r *huma.Response) {
	for name, header := range r.Headers {
		w.schema(place+" "+name, header.Schema)
	}
	w.content(place, r.Content)
}

func (w walker) content(place string, content map[string]*huma.MediaType) {
	for _, media := range content {
		w.schema(place, media.Schema)
	}
}

func (w walker) schema(place string, s *huma.Schema) {
	if s == nil || w.seen[s] {
		return
	}
	w.seen[s] = true
	w.visit(place, s)
	for name, property := range s.Properties {
		w.schema(place+"."+name, property)
	}
	w.schema(place+"[]", s.Items)
	if rest, ok := s.AdditionalProperties.(*huma.Schema); ok {
		w.schema(place+".*", rest)
	}
	for _, alternative := range slices.Concat(s.OneOf, s.AnyOf, s.AllOf) {
		w.schema(place, alternative)
	}
	w.schema(place, s.Not)
}
