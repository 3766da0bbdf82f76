package httpapi

import (
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gofiber/fiber/v2"

	"gpatlas/platform/apperr"
)

// The names of the security schemes in the document. Client generators create types for them in the package of the schemas'
// types, so none may be the name of a schema (APIKey, Session).
const (
	schemeKey       = "apiKeyToken"
	schemeSession   = "sessionToken"
	schemeSignature = "stripeSignature"
)

// SecuritySchemes describes how callers identify themselves.
func SecuritySchemes() map[string]*huma.SecurityScheme {
	return map[string]*huma.SecurityScheme{
		schemeKey:       {Type: "http", Scheme: "bearer", BearerFormat: "gpa_live_… or gpa_test_…", Description: "An API key, sent as Authorization: Bearer gpa_live_…"}, //nolint:gosec // a form, not a key
		schemeSession:   {Type: "http", Scheme: "bearer", BearerFormat: "JWT", Description: "The access token of a session."},
		schemeSignature: {Type: "apiKey", In: "header", Name: "Stripe-Signature", Description: "The payment processor's signature of the body."},
	}
}

// security is the list of alternative credentials; the empty requirement is the anonymous caller. An operation that needs no
// credential (health, login) has an empty list: reference pages show "optional" for anything else.
func security(route *Route, keyed bool) []map[string][]string {
	anonymous, key, session := map[string][]string{}, map[string][]string{schemeKey: {}}, map[string][]string{schemeSession: {}}
	switch {
	case route.Unguarded || route.AlwaysOpen:
		return []map[string][]string{}
	case route.Access == Signature:
		return []map[string][]string{{schemeSignature: {}}}
	case route.Access == Public && !keyed:
		return []map[string][]string{anonymous, key, session}
	case route.Access == Login && !route.KeyToo, route.Access == Admin && !route.AdminKeyToo:
		return []map[string][]string{session}
	default:
		return []map[string][]string{key, session}
	}
}

func requestIDHeader() *huma.Param {
	return &huma.Param{Description: "The caller's X-Request-ID, or a new one.", Required: true, Schema: &huma.Schema{Type: huma.TypeString}}
}

// problemResponse documents one error status with an example. Faults of kind 400, 404 or 409 differ by operation: their
// examples are real responses (examples.json), or declared with Refuses.
func problemResponse(status int, schema *huma.Schema) *huma.Response {
	example := map[string]any{"detail": http.StatusText(status)}
	description := http.StatusText(status)
	headers := map[string]*huma.Param{"X-Request-ID": requestIDHeader()}
	switch status {
	case http.StatusBadRequest:
		description = "A parameter is unknown, repeated, malformed or out of range. The response lists every fault."
		example = nil
	case http.StatusUnauthorized:
		example["detail"] = errNeedsCredential.Message
		headers[fiber.HeaderWWWAuthenticate] = &huma.Param{
			Description: "The authentication scheme. For an invalid credential, also the reason.", Required: true,
			Schema: &huma.Schema{Type: huma.TypeString, Examples: []any{challenge}},
		}
	case http.StatusPaymentRequired:
		description = "Money alone stands in the way; nothing was charged. code shows the reason: the charge does not fit under the spending cap (spending_cap), the free calls of the account are used up (free_calls), " +
			"the purchase needs a confirmation (confirmation_required), an account without a subscription has reached the limit of a month (unbacked_limit), or the charge is more than max_charge (max_charge)."
		example = nil
	case http.StatusForbidden:
		example["detail"] = errNoKeys.Message
	case http.StatusTooManyRequests:
		message := "Rate limit exceeded: 100 requests per day; the limit resets at 2026-11-21T00:00:00Z"
		example["detail"] = message
		example["error"] = RateLimitError{
			Type: "rate_limit_error", Code: "rate_limit_exceeded", Message: message, RequestID: "3f0c1d2e4b5a69788796a5b4c3d2e1f0", DocURL: "/docs",
		}
		limitHeaders(headers)
	case http.StatusRequestEntityTooLarge:
		example["detail"] = ErrBodyTooLarge.Message
	case http.StatusUnsupportedMediaType:
		example["detail"] = "Invalid body: " + mustBeJSON
		example["errors"] = []apperr.FieldError{{Field: WholeBody, Message: mustBeJSON}}
		headers[fiber.HeaderAcceptEncoding] = &huma.Param{
			Description: "Content codings accepted for a request body. Present only if the coding of the body was rejected.",
			Schema:      &huma.Schema{Type: huma.TypeString, Examples: []any{"gzip, deflate"}},
		}
	case http.StatusNotFound:
		description = "The requested object does not exist."
		example = nil
	case http.StatusServiceUnavailable:
		description = "A required part of the service is unavailable. Try again in a few seconds."
		example["detail"] = "The database is unavailable; try again"
		headers[fiber.HeaderRetryAfter] = retryAfterHeader()
	case http.StatusConflict:
		description = "The request conflicts with what is stored, such as a name that is in use or a step that has been done. detail shows the conflict."
		example = nil
	case http.StatusUnprocessableEntity:
		example["detail"] = "The Idempotency-Key was sent with another request; use a new key for each request"
	case http.StatusInternalServerError:
		description = "An error of the service. Its cause is in the service log, under the X-Request-ID of the response."
		example["detail"] = internalDetail
	}
	media := &huma.MediaType{Schema: schema}
	if example != nil {
		media.Example = example
	}
	return &huma.Response{Description: description, Headers: headers, Content: map[string]*huma.MediaType{contentJSON: media}}
}

// finish removes our words for patterns, which are not part of OpenAPI, from a documented operation, and adds the defaults that
// descriptions name. The decoder validates by schemas of its own.
func finish(op *huma.Operation) {
	for _, p := range op.Parameters {
		if p.Schema != nil {
			plain := *p.Schema
			plain.PatternDescription = ""
			if plain.Default == nil {
				plain.Default = namedDefault(&plain, p.Description)
			}
			p.Schema = &plain
		}
		p.Description = strings.TrimSpace(p.Description)
	}
}

// saysDefault matches a description that names a default as one word: "Sort order (default asc)."
var saysDefault = regexp.MustCompile(`\(default ([^\s(),;]+)\)`)

// namedDefault is the default that a description names, if it is a value of the schema; else nil. Other words, such as "today", are
// no values.
func namedDefault(s *huma.Schema, description string) any {
	said := saysDefault.FindStringSubmatch(description)
	if said == nil {
		return nil
	}
	var value any = said[1]
	switch s.Type {
	case huma.TypeInteger, huma.TypeNumber, huma.TypeBoolean:
		if json.Unmarshal([]byte(said[1]), &value) != nil {
			return nil
		}
	default:
		if !slices.Contains(s.Enum, value) {
			return nil
		}
	}
	return value
}
