package httpapi

import (
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gofiber/fiber/v2"

	"gpatlas/platform/charge"
)

// RateLimited is the body of 429: the format of every failure and, if the caller's limits refuse and not the operation itself,
// the contract's second format beside it.
type RateLimited struct {
	Detail string          `json:"detail" doc:"The limit that is reached, and when it resets." example:"Rate limit exceeded: 100 requests per day; the limit resets at 2026-11-21T00:00:00Z"`
	Error  *RateLimitError `json:"error,omitempty" doc:"The same error in a second shape. Absent if the limit belongs to one operation."`
}

// RateLimitError is the second format of a refusal by the limits.
type RateLimitError struct {
	Type      string `json:"type" doc:"Always rate_limit_error." example:"rate_limit_error"`
	Code      string `json:"code" doc:"Always rate_limit_exceeded." example:"rate_limit_exceeded"`
	Message   string `json:"message" doc:"The same as detail." example:"Rate limit exceeded: 100 requests per day; the limit resets at 2026-11-21T00:00:00Z"`
	RequestID string `json:"request_id" doc:"As in X-Request-ID." example:"3f0c1d2e4b5a69788796a5b4c3d2e1f0"`
	DocURL    string `json:"doc_url" doc:"Path of the documentation of the limits." example:"/docs"`
}

// WriteRateLimited answers a request that the caller's limits refuse.
func WriteRateLimited(c *fiber.Ctx, message, requestID, docURL string) {
	writeFailure(c, http.StatusTooManyRequests, RateLimited{Detail: message, Error: &RateLimitError{
		Type: "rate_limit_error", Code: "rate_limit_exceeded", Message: message, RequestID: requestID, DocURL: docURL,
	}})
}

// describeRefusals documents how an operation may refuse its caller before it reads the request. All operations share these
// responses, so they are in the document once.
func (a *API) describeRefusals(op *huma.Operation, route *Route) {
	unauthenticated, forbidden := route.mayRefuse()
	if unauthenticated {
		open := route.Access == Public && (route.AlwaysOpen || !a.config.Keyed)
		if open && !slices.Contains(op.Errors, http.StatusUnauthorized) {
			op.Responses["401"] = a.shared("WrongCredential", http.StatusUnauthorized,
				"The Authorization header contains no valid API key or access token. Without the header, the operation is open to anonymous callers.")
		} else {
			op.Responses["401"] = a.shared("NotAuthenticated", http.StatusUnauthorized, "The credential is missing or invalid.")
		}
	}
	switch {
	case forbidden:
		op.Responses["403"] = a.shared("Forbidden", http.StatusForbidden, "The credential is valid but has no permission for this operation.")
	case route.needsConfirmed() && !slices.Contains(op.Errors, http.StatusForbidden):
		op.Responses["403"] = a.shared("Unverified", http.StatusForbidden, "The account has not confirmed its email address. Nothing was charged.")
		a.huma.OpenAPI().Components.Responses["Unverified"].Content[contentJSON].Example = NewProblem(errUnverified)
	}
	if op.Responses["402"] == nil && !slices.Contains(op.Errors, http.StatusPaymentRequired) && a.counts(route) {
		op.Responses["402"] = a.shared("FreeCallsUsed", http.StatusPaymentRequired,
			"The free calls of the account are used up (code free_calls). Responses are only repeated, under their Idempotency-Key.")
		a.huma.OpenAPI().Components.Responses["FreeCallsUsed"].Content[contentJSON].Example = NewProblem(charge.FreeCallsUsed())
	}
	if !route.unchecked() {
		op.Responses["429"] = a.shared("RateLimited", http.StatusTooManyRequests, "Too many requests. Retry-After shows how long to wait.")
	}
}

// counts reports whether calls of an operation use up the free calls of an account.
func (a *API) counts(route *Route) bool {
	return a.config.Counted != nil && route.takesKeys() && a.config.Counted(route.Operation.Path)
}

// describeBodyRefusals documents how a body may be refused before it is read. If the operation has no body, it is ignored, up
// to the size at which the server stops reading.
func (a *API) describeBodyRefusals(op *huma.Operation) {
	op.Responses["413"] = a.shared("TooLarge", http.StatusRequestEntityTooLarge,
		"The request body is too large, as sent or after decoding. This includes a body sent to an operation that ignores it.")
	if op.RequestBody == nil {
		return
	}
	if op.RequestBody.Content[contentJSON] == nil {
		refusal := problemResponse(http.StatusUnsupportedMediaType, a.huma.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[Problem](), true, "Problem"))
		refusal.Description = "The media type or the content coding of the request body is not accepted. In the second case, Accept-Encoding lists the accepted codings."
		types := slices.Sorted(maps.Keys(op.RequestBody.Content))
		refusal.Content[contentJSON].Example = map[string]any{"detail": "Invalid body: must be sent as " + strings.Join(types, " or ")}
		op.Responses["415"] = refusal
		return
	}
	op.Responses["415"] = a.shared("Unsupported", http.StatusUnsupportedMediaType,
		"The request body is not application/json, or its content coding is not accepted. In the second case, Accept-Encoding lists the accepted codings.")
}

// shared puts a response under components and returns a reference to it.
func (a *API) shared(name string, status int, description string) *huma.Response {
	components := a.huma.OpenAPI().Components
	if components.Responses == nil {
		components.Responses = map[string]*huma.Response{}
	}
	if components.Responses[name] == nil {
		body := reflect.TypeFor[Problem]()
		if status == http.StatusTooManyRequests {
			body = reflect.TypeFor[RateLimited]()
		}
		response := problemResponse(status, components.Schemas.Schema(body, true, body.Name()))
		response.Description = description
		components.Responses[name] = response
	}
	return &huma.Response{Ref: "#/components/responses/" + name}
}

func retryAfterHeader() *huma.Param {
	return &huma.Param{Description: "Seconds to wait.", Required: true, Schema: &huma.Schema{Type: huma.TypeInteger, Examples: []any{3}}}
}

// limitHeaders documents a refusal's headers about the limits.
func limitHeaders(headers map[string]*huma.Param) {
	text := func(description string, example any) *huma.Param {
		return &huma.Param{Description: description, Schema: &huma.Schema{Type: huma.TypeString, Examples: []any{example}}}
	}
	headers[fiber.HeaderRetryAfter] = retryAfterHeader()
	headers["X-RateLimit-Limit"] = text("Requests allowed per day, or unlimited. If the day has no limit and a shorter window is exceeded: the limit of that window.", "100")
	headers["X-RateLimit-Remaining"] = text("Requests left today, or unlimited. Always a number in a 429 response.", "0")
	headers["X-RateLimit-Reset"] = &huma.Param{Description: "When the day (or the exceeded window) ends, in Unix seconds.", Schema: &huma.Schema{Type: huma.TypeInteger, Examples: []any{1795219200}}}
	headers["RateLimit-Policy"] = text("The windows that apply, with quota and length in seconds. Format: draft-ietf-httpapi-ratelimit-headers.", `"burst";q=10;w=5, "minute";q=60;w=60, "day";q=100;w=86400`)
	headers["RateLimit"] = text("Requests left in each window, and seconds until the window resets.", `"burst";r=9;t=3, "minute";r=58;t=41, "day";r=0;t=3600`)
}
