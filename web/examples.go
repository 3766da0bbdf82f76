package web

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"reflect"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
)

// examplesFile holds responses of a service with the sample catalog: see TestExamples in cmd/gpatlas, which writes it and fails
// when the answers change.
//
//go:embed examples.json
var examplesFile []byte

// Example is one operation's part of the examples: real requests with their answers.
type Example struct {
	Parameters map[string]string          `json:"parameters,omitempty"` // those that a first call needs
	After      string                     `json:"after,omitempty"`      // the operation to call first
	Request    json.RawMessage            `json:"request,omitempty"`
	Answers    map[string]json.RawMessage `json:"answers"` // by status
}

// addExamples puts the examples into the document. Only the parameters without which there are no rows get a value: a page that
// fills in every optional filter finds nothing.
func addExamples(document *huma.OpenAPI) error {
	examples := map[string]Example{}
	if err := json.Unmarshal(examplesFile, &examples); err != nil {
		return fmt.Errorf("examples: %w", err)
	}
	for _, item := range document.Paths {
		for _, op := range []*huma.Operation{item.Get, item.Post, item.Put, item.Patch, item.Delete} {
			if op == nil {
				continue
			}
			example := examples[op.OperationID]
			for i, p := range op.Parameters {
				op.Parameters[i] = withExample(p, example)
			}
			if op.RequestBody != nil && example.Request != nil {
				setExample(op.RequestBody.Content, example.Request)
			}
			for status, answer := range example.Answers {
				response := op.Responses[status]
				if response != nil && response.Ref != "" {
					response = ownResponse(document.Components.Responses[path.Base(response.Ref)], answer)
				}
				if response != nil {
					// Content may be shared with another status of the operation.
					response.Content = maps.Clone(response.Content)
					setExample(response.Content, answer)
					op.Responses[status] = response
				}
			}
		}
	}
	return nil
}

// ownResponse is a copy of a shared response, for an operation that answers with other texts; nil if they are equal.
func ownResponse(shared *huma.Response, answer json.RawMessage) *huma.Response {
	media := shared.Content["application/json"]
	if media == nil {
		return nil
	}
	var theirs, own any
	text, err := json.Marshal(media.Example)
	if err != nil || json.Unmarshal(text, &theirs) != nil || json.Unmarshal(answer, &own) != nil || reflect.DeepEqual(theirs, own) {
		return nil
	}
	response := *shared
	return &response
}

func setExample(content map[string]*huma.MediaType, example json.RawMessage) {
	if media := content["application/json"]; media != nil && media.Examples == nil { // declared errors have names
		own := *media
		own.Example = example
		content["application/json"] = &own
	}
}

// withExample sets the value that a first call needs as a parameter's example. Its description contains the value too, with the
// operation to call first. For other parameters the declared example is only in the description: pages that read "example" or
// "examples" send it.
func withExample(p *huma.Param, of Example) *huma.Param {
	if p.Schema == nil {
		return p
	}
	own, schema := *p, *p.Schema
	shown, needed := of.Parameters[p.Name]
	if list := schema.Examples; !needed && len(list) > 0 && p.In != "path" {
		shown = fmt.Sprint(list[0])
		if number, ok := list[0].(float64); ok { // 1000000000, not 1e+09
			shown = strconv.FormatFloat(number, 'f', -1, 64)
		}
	}
	schema.Examples, own.Example = nil, nil
	first := ""
	if needed {
		own.Example = typed(schema.Type, shown)
		if of.After != "" {
			first = ", after `" + of.After + "`"
		}
	}
	if shown != "" && (p.In != "path" || first != "") {
		own.Description += " For example `" + shown + "`" + first + "."
	}
	own.Schema = &schema
	return &own
}

// typed is a value as its schema has it: a number or a boolean, not its text.
func typed(kind, text string) any {
	var value any
	if kind == huma.TypeString || json.Unmarshal([]byte(text), &value) != nil {
		return text
	}
	return value
}
