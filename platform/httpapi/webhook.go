package httpapi

import (
	"reflect"

	"github.com/danielgtaylor/huma/v2"
)

// Webhook describes a request that this service sends, for the document.
type Webhook struct {
	Name, Summary, Text string
	Body                any         // its type is the schema, and its value the example
	Headers             [][3]string // name, text, example
}

// DescribeWebhooks puts requests that this service sends into the document.
func (a *API) DescribeWebhooks(list []Webhook) {
	document := a.huma.OpenAPI()
	for _, w := range list {
		if document.Webhooks == nil {
			document.Webhooks = map[string]*huma.PathItem{}
		}
		op := &huma.Operation{
			OperationID: "webhook-" + w.Name, Summary: w.Summary, Description: w.Text, Tags: []string{"Webhooks"},
			RequestBody: &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{contentJSON: {
				Schema: whole(document.Components.Schemas, document.Components.Schemas.Schema(reflect.TypeOf(w.Body), true, w.Name)), Example: asSent(w.Body),
			}}},
			Responses: map[string]*huma.Response{"2XX": {Description: "Delivered. Every other response is a failure, and the request is repeated."}},
		}
		for _, h := range w.Headers {
			op.Parameters = append(op.Parameters, &huma.Param{Name: h[0], In: "header", Description: h[1], Required: true, Schema: &huma.Schema{Type: huma.TypeString}, Example: h[2]})
		}
		document.Webhooks[w.Name] = &huma.PathItem{Post: op}
	}
}

// whole is a schema without references: generators leave out the schemas that only requests of this service refer to.
func whole(of huma.Registry, s *huma.Schema) *huma.Schema {
	if s == nil {
		return nil
	}
	if s.Ref != "" {
		return whole(of, of.SchemaFromRef(s.Ref))
	}
	out := *s
	out.Items = whole(of, s.Items)
	out.Properties = make(map[string]*huma.Schema, len(s.Properties))
	for name, property := range s.Properties {
		out.Properties[name] = whole(of, property)
	}
	return &out
}
