package httpapi

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gofiber/fiber/v2"

	"gpatlas/platform/auth"
	"gpatlas/platform/charge"
)

// Unsold marks the response of an operation with a price as free until it is charged, and with the mark of test keys if the
// caller has one.
//
// Spec: not shown; refusals have 0.00 as well, so that a client sums one header and needs no rule for its absence.
func Unsold(c *fiber.Ctx) {
	header := &c.Response().Header
	header.Set(HeaderCharge, charge.Dollars(0))
	if auth.From(c.UserContext()).Mode == auth.ModeTest {
		header.Set(headerTest, "true")
	}
}

// MarkRefusal calls Unsold for a refusal of a request to an operation with a price. The operation marks its own responses; this
// is for the host's: for limits, a credential or the size of the request.
func (a *API) MarkRefusal(c *fiber.Ctx) {
	if c.Response().StatusCode() < http.StatusBadRequest || len(c.Response().Header.Peek(HeaderCharge)) > 0 {
		return
	}
	method := c.Method()
	if method == http.MethodHead {
		method = http.MethodGet
	}
	for i := range a.routes { // in matching order
		if r := &a.routes[i]; r.Operation.Method == method && PathMatches(FiberPath(r.Operation.Path), c.Path()) {
			if r.ChargeMicros > 0 {
				Unsold(c)
			}
			return
		}
	}
}

// markTest adds test to the object meta of a JSON response; a response without meta stays as it is.
func markTest(body []byte) []byte {
	d := json.NewDecoder(bytes.NewReader(body))
	if start, err := d.Token(); err != nil || start != json.Delim('{') {
		return body
	}
	for d.More() {
		name, err := d.Token()
		var value json.RawMessage
		if err == nil {
			err = d.Decode(&value)
		}
		switch {
		case err != nil:
			return body
		case name != metaField || value[0] != '{':
			continue
		}
		mark := `,"test":true`
		if len(value) == len("{}") {
			mark = mark[1:]
		}
		end := d.InputOffset() - 1
		return slices.Concat(body[:end], []byte(mark), body[end:])
	}
	return body
}

const metaField = "meta"

func testHeader() *huma.Param {
	return &huma.Param{
		Description: "true for requests with a test key: nothing is charged. Absent otherwise.",
		Schema:      &huma.Schema{Type: huma.TypeString, Examples: []any{"true"}},
	}
}

// describeUnsold documents that refusals of an operation with a price cost nothing, and the mark of responses to test keys.
// Shared refusals also belong to operations without a price.
func (a *API) describeUnsold(op *huma.Operation, route *Route) {
	if route.ChargeMicros == 0 {
		return
	}
	nothing := func(description string, required bool) *huma.Param {
		return &huma.Param{Description: description, Required: required, Schema: &huma.Schema{Type: huma.TypeString, Examples: []any{charge.Dollars(0)}}}
	}
	for status, response := range op.Responses {
		if n, err := strconv.Atoi(status); err != nil || n < http.StatusBadRequest {
			continue
		}
		refused := "0.00: nothing was charged."
		if status == "503" {
			refused += " unknown: the answer of the database to the charge was lost. Repeat the request with its Idempotency-Key."
		}
		if response.Ref == "" {
			response.Headers[HeaderCharge] = nothing(refused, true)
			continue
		}
		shared := a.huma.OpenAPI().Components.Responses[response.Ref[strings.LastIndexByte(response.Ref, '/')+1:]]
		shared.Headers[HeaderCharge] = nothing(refused+" Absent if the operation has no price.", false)
	}
	schemas := a.huma.OpenAPI().Components.Schemas
	for _, response := range op.Responses {
		media := response.Content[contentJSON]
		if media == nil {
			continue
		}
		body := target(schemas, media.Schema)
		if body == nil || body.Properties[metaField] == nil {
			continue
		}
		meta := target(schemas, body.Properties[metaField])
		if meta == nil || meta.Type != huma.TypeObject || meta.Properties["test"] != nil {
			continue
		}
		meta.Properties["test"] = &huma.Schema{
			Type: huma.TypeBoolean, Examples: []any{true},
			Description: "True for requests with a test key to an operation with a price. Absent otherwise.",
		}
		meta.PrecomputeMessages()
	}
}
