package httpapi

import (
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"gpatlas/platform/apperr"
)

// The names of the security schemes in the document.
const (
	schemeKey       = "apiKey"
	schemeSession   = "session"
	schemeSignature = "signature"
)

// SecuritySchemes describes how callers identify themselves.
func SecuritySchemes() map[string]*huma.SecurityScheme {
	return map[string]*huma.SecurityScheme{
		schemeKey:       {Type: "http", Scheme: "bearer", BearerFormat: "gpa_live_… or gpa_test_…", Description: "An API key: Authorization: Bearer gpa_live_…"}, //nolint:gosec // a form, not a key
		schemeSession:   {Type: "http", Scheme: "bearer", BearerFormat: "JWT", Description: "A session's access token."},
		schemeSignature: {Type: "apiKey", In: "header", Name: "Stripe-Signature", Description: "The payment processor's signature of the body."},
	}
}

// security is the list of alternatives that satisfy an access class; the empty requirement is the anonymous caller.
func security(access Access) []map[string][]string {
	key, session := map[string][]string{schemeKey: {}}, map[string][]string{schemeSession: {}}
	switch access {
	case Key, Login:
		return []map[string][]string{key, session}
	case Admin:
		return []map[string][]string{session}
	case Signature:
		return []map[string][]string{{schemeSignature: {}}}
	case Public:
		return []map[string][]string{{}, key, session}
	default:
		return nil
	}
}

func requestIDHeader() *huma.Param {
	return &huma.Param{Description: "The caller's X-Request-ID, or a new one.", Schema: &huma.Schema{Type: huma.TypeString}}
}

// problemResponse documents one error status with an example that says what it is about.
func problemResponse(status int, schema *huma.Schema) *huma.Response {
	example := map[string]any{"detail": http.StatusText(status)}
	description := http.StatusText(status)
	switch status {
	case http.StatusBadRequest:
		description = "A parameter is unknown, repeated, malformed or out of range; every fault is listed."
		example["detail"] = `Invalid min_amu: unknown parameter; did you mean "min_aum"?`
		example["errors"] = []apperr.FieldError{{Field: "min_amu", Message: `unknown parameter; did you mean "min_aum"?`}}
	case http.StatusPaymentRequired:
		description = "Money alone stands in the way: a spending cap is reached. Nothing was charged."
		example["detail"] = "The monthly spending cap is reached"
	case http.StatusNotFound:
		description = "There is no such thing."
		example["detail"] = "GP with CRD 999999 not found"
	case http.StatusServiceUnavailable:
		description = "A part that the answer needs is away; try again."
		example["detail"] = "The catalogue is not loaded yet; try again"
	case http.StatusInternalServerError:
		description = "A fault of ours. Its cause is in our log, under the response's X-Request-ID."
		example["detail"] = internalDetail
	}
	return &huma.Response{
		Description: description,
		Headers:     map[string]*huma.Param{"X-Request-ID": requestIDHeader()},
		Content:     map[string]*huma.MediaType{"application/json": {Schema: schema, Example: example}},
	}
}

// finish puts right what huma writes into a documented operation: a parameter's example belongs to the parameter too,
// and the words that our messages use for a pattern are no OpenAPI. The decoder validates by schemas of its own.
func finish(op *huma.Operation) {
	for _, p := range op.Parameters {
		if p.In != "path" && p.Schema != nil && len(p.Schema.Examples) > 0 && p.Example == nil {
			p.Example = p.Schema.Examples[0]
		}
		if p.Schema != nil && p.Schema.PatternDescription != "" {
			plain := *p.Schema
			plain.PatternDescription = ""
			p.Schema = &plain
		}
		p.Description = strings.TrimSpace(p.Description)
	}
}
