package httpapi

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gofiber/fiber/v2"
)

func declare[I, B any](method, path, id string, handler func(context.Context, *I) (*Reply[B], error), options []Option) Route {
	r := Route{Operation: huma.Operation{Method: method, Path: path, OperationID: id}, Access: Public}
	for _, o := range options {
		o(&r)
	}
	r.register = func(a *API, route *Route) {
		a.namer.enter(id, reflect.TypeFor[I]())
		decoder := newDecoder(a.huma.OpenAPI().Components.Schemas, reflect.TypeFor[I]())
		decoder.accept(route)
		a.faults = append(a.faults, decoder.fault(route), decoder.price(route))
		x := &exchange[I, B]{
			api: a, route: route, handler: handler, decoder: decoder,
			tagged:  method == http.MethodGet && !route.Volatile,
			pricing: newPricing(a.config, a.logger, route),
		}
		op := route.Operation
		op.MaxBodyBytes = -1 // the host limits bodies; huma's own limit would apply as well
		a.describe(&op, route, reflect.TypeFor[B]())
		op.Middlewares = append(slices.Clone(op.Middlewares), x.serve)
		// huma completes its own copy of the operation, which is in the document.
		huma.Register(a.huma, op, func(context.Context, *I) (*output, error) { return nil, nil }) //nolint:nilnil // never called: serve answers
		documented := a.documented(method, path)
		decoder.describeBody(documented)
		a.describeEmptyBody(documented)
		decoder.takeJSON(documented)
		a.describeBodyRefusals(documented)
		describeTerms(documented, route)
		a.describeKey(documented, route)
		a.describeUnsold(documented, route)
		finish(documented)
		route.Operation = *documented
	}
	return r
}

// describeEmptyBody allows a POST without a body if none of its fields is required: that means the same as {}.
func (a *API) describeEmptyBody(op *huma.Operation) {
	if op.Method != http.MethodPost || op.RequestBody == nil || op.RequestBody.Content[contentJSON] == nil {
		return
	}
	s := target(a.huma.OpenAPI().Components.Schemas, op.RequestBody.Content[contentJSON].Schema)
	if s != nil && s.Type == huma.TypeObject && len(s.Required)+len(s.OneOf)+len(s.AnyOf) == 0 {
		op.RequestBody.Required = false
	}
}

// describe completes the part of the OpenAPI operation that huma cannot know: the body behind the writing function, every
// error, the access class and the price.
func (a *API) describe(op *huma.Operation, route *Route, body reflect.Type) {
	registry := a.huma.OpenAPI().Components.Schemas
	if op.DefaultStatus == 0 {
		op.DefaultStatus = http.StatusOK
		route.Operation.DefaultStatus = op.DefaultStatus
	}
	op.Responses = map[string]*huma.Response{}
	success := &huma.Response{Description: http.StatusText(op.DefaultStatus), Headers: map[string]*huma.Param{"X-Request-ID": requestIDHeader()}}
	maps.Copy(success.Headers, route.headers)
	if !bodiless(op.DefaultStatus) {
		success.Content = route.describeContent(registry, body)
	}
	if op.Method == http.MethodGet && !route.Volatile && !redirects(op.DefaultStatus) {
		success.Headers["ETag"] = &huma.Param{Description: "Strong entity tag. Send it back in If-None-Match.", Required: route.ChargeMicros == 0, Schema: &huma.Schema{Type: huma.TypeString}}
	}
	if route.Paged {
		success.Headers["Link"] = &huma.Param{Description: "RFC 8288 links: first, prev, next, last.", Required: len(route.produces) < 2, Schema: &huma.Schema{Type: huma.TypeString}}
	}
	if success.Headers["ETag"] != nil {
		op.Responses["304"] = &huma.Response{
			Description: "Not modified: the data still match the If-None-Match tag. Never charged.", Headers: maps.Clone(success.Headers),
		}
	}
	op.Responses[strconv.Itoa(op.DefaultStatus)] = success
	op.Extensions = map[string]any{"x-access": string(route.Access)}
	failed := maps.Clone(success.Headers)
	if route.ChargeMicros > 0 {
		a.describeCharge(op, route, success)
	}
	for status, alternative := range route.alternatives {
		other := &huma.Response{Description: alternative.description, Headers: success.Headers}
		if status >= http.StatusMultipleChoices { // only 2xx is sold
			other.Headers = maps.Clone(failed)
		}
		if status == http.StatusServiceUnavailable {
			other.Headers[fiber.HeaderRetryAfter] = retryAfterHeader()
		}
		if !bodiless(status) {
			other.Content = success.Content
			if alternative.example != nil {
				other.Content = withExample(success.Content, asSent(alternative.example))
			}
		}
		op.Responses[strconv.Itoa(status)] = other
	}
	for status, response := range op.Responses {
		if n, err := strconv.Atoi(status); err == nil && redirects(n) {
			delete(response.Headers, fiber.HeaderETag)
			response.Headers[fiber.HeaderLocation] = &huma.Param{Description: "Where to go.", Required: true, Schema: &huma.Schema{Type: huma.TypeString}}
		}
	}
	a.describeQuote(op, route)
	a.describeRefusals(op, route)
	problem := registry.Schema(reflect.TypeFor[Problem](), true, "Problem")
	for _, status := range append([]int{http.StatusBadRequest, http.StatusInternalServerError}, op.Errors...) {
		key := strconv.Itoa(status)
		if op.Responses[key] == nil {
			op.Responses[key] = problemResponse(status, problem)
		}
	}
	byStatus := map[int][]*Problem{}
	for _, p := range append(a.unpaid(route), route.refusals...) {
		byStatus[p.status] = append(byStatus[p.status], p)
	}
	for status, problems := range byStatus {
		response := op.Responses[strconv.Itoa(status)]
		response.Content = withProblems(response.Content[contentJSON], problems)
	}
	op.Errors = nil
	op.Security = security(route, a.config.Keyed)
}

// asSent is an example as a response has it: its instants have six decimals.
func asSent(example any) any {
	raw, err := Marshal(example)
	if err != nil {
		return example
	}
	return json.RawMessage(raw)
}

// withExample is a copy of content whose media types show an example.
func withExample(content map[string]*huma.MediaType, example any) map[string]*huma.MediaType {
	own := map[string]*huma.MediaType{}
	for name, media := range content {
		shown := *media
		shown.Example = example
		own[name] = &shown
	}
	return own
}

// withProblems is a JSON body whose examples are problems of one status. An existing example is kept if the problems have
// codes, which are special cases of the status; otherwise they replace it.
func withProblems(media *huma.MediaType, problems []*Problem) map[string]*huma.MediaType {
	shown := *media
	shown.Example, shown.Examples = nil, map[string]*huma.Example{}
	if media.Example != nil && problems[0].Code != "" {
		shown.Examples["any_cause"] = &huma.Example{Value: media.Example}
	}
	for i, p := range problems {
		shown.Examples[cmp.Or(p.Code, "cause_"+strconv.Itoa(i+1))] = &huma.Example{Value: p}
	}
	if len(shown.Examples) == 1 {
		shown.Example, shown.Examples = problems[0], nil
	}
	return map[string]*huma.MediaType{contentJSON: &shown}
}

// describeRows refers to the schema of another operation's rows (RowsOf). Tests of a single module do not have it.
func (a *API) describeRows(route *Route) {
	schemas := a.huma.OpenAPI().Components.Schemas
	if op := route.Operation; route.rows != "" && schemas.Map()[route.rows] != nil {
		body := target(schemas, op.Responses[strconv.Itoa(op.DefaultStatus)].Content[contentJSON].Schema)
		rows := &huma.Schema{Ref: "#/components/schemas/" + route.rows}
		if route.parts {
			whole := schemas.Map()[route.rows]
			rows = &huma.Schema{Type: whole.Type, Properties: whole.Properties, AdditionalProperties: whole.AdditionalProperties}
		}
		body.Properties["data"].Items = rows
	}
}

// documented finds the operation that huma put into the document.
func (a *API) documented(method, path string) *huma.Operation {
	item := a.huma.OpenAPI().Paths[path]
	switch method {
	case http.MethodGet:
		return item.Get
	case http.MethodPost:
		return item.Post
	case http.MethodPut:
		return item.Put
	case http.MethodPatch:
		return item.Patch
	default:
		return item.Delete
	}
}
