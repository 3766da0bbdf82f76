package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gofiber/fiber/v2"

	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/charge"
)

// HeaderKey identifies a request, so that sending it again does not repeat its effects. HeaderReplayed marks a kept response.
const (
	HeaderKey      = "Idempotency-Key"
	HeaderReplayed = "Idempotent-Replayed"
)

// StillRunning is the message for a request whose key belongs to one that is still running.
const StillRunning = "A request with this Idempotency-Key is still running; try again"

// longestKey is the maximum length of a key in characters.
const longestKey = 255

// Keeper keeps the responses to requests with a key, per account, so that each is executed once.
type Keeper interface {
	// Begin returns either the right to execute a request or its kept response. It refuses with the kinds of apperr: conflict
	// (it is being executed; the error is a Waiter), unprocessable (another request had the key), unavailable.
	Begin(ctx context.Context, request KeyedRequest) (Execution, *KeptAnswer, error)
	// Kept returns the kept response of a request; nil if there is none. It refuses as Begin does, and changes nothing.
	Kept(ctx context.Context, request KeyedRequest) (*KeptAnswer, error)
}

// KeyedRequest is a request with a key.
type KeyedRequest struct {
	Account   int64  // the sender; never 0
	Test      bool   // with a test key, whose responses are kept separately
	Key       string // 1 to 255 visible ASCII characters
	Operation string // the operation's id
	Content   []byte // what distinguishes it from other requests: method, URL, body in a canonical form
}

// KeptAnswer is a response as it was sent.
type KeptAnswer struct {
	Status int         `json:"status"`
	Header [][2]string `json:"header"` // those that the operation set
	Body   []byte      `json:"body"`
}

// Execution is the right to execute a request. One of Keep, Release and Forget is called after the execution. If none is called
// because the process was killed, another process may take over after a while.
type Execution interface {
	// ID is the execution's UUID. It stays the same when another process takes over, so effects that must happen once are
	// recorded under it.
	ID() string
	// Again reports whether an earlier execution under the same ID failed or was killed.
	Again() bool
	// Answered reports whether the request was answered with 2xx and the kept response was dropped.
	Answered() bool
	// Keep stores the response.
	Keep(ctx context.Context, answer KeptAnswer) error
	// Release lets the next request with the key execute it again at once.
	Release(ctx context.Context) error
	// Forget frees the key for any request.
	Forget(ctx context.Context) error
}

// NotIdempotent exempts an operation from honoring Idempotency-Key: one whose responses are too large to keep.
func NotIdempotent() Option { return func(r *Route) { r.notIdempotent = true } }

// honorsKey reports whether requests of the operation may have a key: it has a price, or it creates something for an identified
// caller (POST answered with 201).
func (r *Route) honorsKey() bool {
	method, open := r.Operation.Method, r.Access == Public || r.Access == Signature
	priced := r.ChargeMicros > 0 && (method == http.MethodGet || method == http.MethodPost)
	creates := method == http.MethodPost && r.Operation.DefaultStatus == http.StatusCreated && !open
	return !r.notIdempotent && (priced || creates)
}

// keyOf is the key of a request; "" if it has none, or if the key is ignored: for callers without an account, who are never
// charged, and for HEAD and quotes.
func (a *API) keyOf(c *fiber.Ctx, r *Route) (key string, fault *apperr.FieldError) {
	sent := c.Request().Header.PeekAll(HeaderKey)
	if len(sent) == 0 || a.config.Keeper == nil || !r.honorsKey() || c.Method() == http.MethodHead || auth.From(c.UserContext()).UserID == 0 || asksQuote(c, r) {
		return "", nil
	}
	if len(sent) > 1 {
		return "", &apperr.FieldError{Field: HeaderKey, Message: "was sent more than once; send it once"}
	}
	good := len(sent[0]) >= 1 && len(sent[0]) <= longestKey
	for _, b := range sent[0] {
		good = good && b > ' ' && b < 0x7f
	}
	if !good {
		return "", &apperr.FieldError{Field: HeaderKey, Message: "must have 1 to 255 visible ASCII characters, without spaces"}
	}
	return string(sent[0]), nil
}

type onlyOwnedKey struct{}

// OnlyOwned reports to a handler whether its request was answered before and the response can no longer be repeated. The units
// to buy may have changed meanwhile, and the same key buys nothing more: the handler leaves out units that the account does not
// own. If nothing is sold to the caller, all units are returned.
func OnlyOwned(ctx context.Context) bool { return ctx.Value(onlyOwnedKey{}) != nil }

type refusalKey struct{}

// Refused makes operations refuse a request with err after they have admitted its caller. A request that was answered under its
// Idempotency-Key still gets the kept response, because that executes nothing.
func Refused(ctx context.Context, err error) context.Context {
	return context.WithValue(ctx, refusalKey{}, err)
}

func refusalOf(ctx context.Context) error {
	err, _ := ctx.Value(refusalKey{}).(error)
	return err
}

type onceKey struct{}

// once executes a keyed request, or returns its kept response. A failed execution and a refusal because of the caller's rights
// or budget are not kept: they may be retried with the same key. An invalid body uses no key.
func (a *API) once(ctx context.Context, c *fiber.Ctx, r *Route, key string, execute func(ctx context.Context, e Execution)) {
	caller := auth.From(ctx)
	execution, kept, err := a.begin(ctx, KeyedRequest{
		Account: caller.UserID, Test: caller.Mode == auth.ModeTest, Key: key, Operation: r.Operation.OperationID, Content: contentOf(c),
	})
	if err != nil {
		p := NewProblem(err)
		report(ctx, a.logger, r.Operation.OperationID, p, err)
		WriteProblem(c, p)
		return
	}
	if kept != nil {
		replay(c, kept)
		return
	}
	settle := execution.Release
	defer func() { a.kept(ctx, r, settle(context.WithoutCancel(ctx))) }() // also on panic
	before := headersOf(c)
	ctx = context.WithValue(ctx, onceKey{}, true)
	if execution.Answered() {
		ctx = context.WithValue(ctx, onlyOwnedKey{}, true)
	}
	execute(ctx, execution)
	switch answer := answerOf(c, before); {
	case answer.Status == http.StatusBadRequest:
		settle = execution.Forget
	case keepable(answer.Status): // a response that cannot be kept must not allow another execution at once
		settle = func(ctx context.Context) error { return execution.Keep(ctx, answer) }
	}
}

// begin is the keeper's Begin; a request that is refused (Refused) gets its kept response, or the refusal.
func (a *API) begin(ctx context.Context, request KeyedRequest) (Execution, *KeptAnswer, error) {
	refusal := refusalOf(ctx)
	if refusal == nil {
		return a.config.Keeper.Begin(ctx, request) //nolint:wrapcheck // restated by the caller
	}
	kept, err := a.config.Keeper.Kept(ctx, request)
	if err == nil && kept == nil {
		err = refusal
	}
	return nil, kept, err
}

// kept logs that a response could not be kept, or its request not be released. The caller has the response all the same.
func (a *API) kept(ctx context.Context, r *Route, err error) {
	if err != nil {
		a.logger.LogAttrs(ctx, slog.LevelWarn, "response not kept for its Idempotency-Key", slog.String("operation", r.Operation.OperationID), slog.Any("error", err))
	}
}

// keepable reports whether a request with a response of this status must not be executed again.
//
// Spec: not shown; 402 is not kept, because the same request succeeds once the cap is raised. 400 is not kept either: it
// changed nothing, and the corrected request may have the same key.
func keepable(status int) bool {
	switch status {
	case http.StatusBadRequest, http.StatusUnauthorized, http.StatusPaymentRequired, http.StatusForbidden, http.StatusTooManyRequests:
		return false
	}
	return status >= 200 && status < 300 || status >= 400 && status < 500
}

// contentOf is what distinguishes a request from others with the same key. Spaces and the order of fields in JSON are ignored.
func contentOf(c *fiber.Ctx) []byte {
	uri, body := c.Context().URI(), c.Request().Body()
	var tree any
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	if d.Decode(&tree) == nil && !d.More() {
		if plain, err := json.Marshal(tree); err == nil {
			body = plain
		}
	}
	return bytes.Join([][]byte{c.Request().Header.Method(), uri.PathOriginal(), uri.QueryString(), body}, []byte{'\n'})
}

func headersOf(c *fiber.Ctx) map[string]string {
	headers := map[string]string{}
	for name, value := range c.Response().Header.All() {
		headers[string(name)] = string(value)
	}
	return headers
}

// answerOf is the response, with the headers that the operation added.
func answerOf(c *fiber.Ctx, before map[string]string) KeptAnswer {
	answer := KeptAnswer{Status: c.Response().StatusCode(), Body: bytes.Clone(c.Response().Body())}
	for name, value := range c.Response().Header.All() {
		if old, was := before[string(name)]; (!was || old != string(value)) && string(name) != fiber.HeaderContentLength {
			answer.Header = append(answer.Header, [2]string{string(name), string(value)})
		}
	}
	return answer
}

// replay sends a kept response again. It costs nothing.
func replay(c *fiber.Ctx, kept *KeptAnswer) {
	header := &c.Response().Header
	for _, h := range kept.Header {
		header.Set(h[0], h[1])
	}
	if len(header.Peek(HeaderCharge)) > 0 {
		header.Set(HeaderCharge, charge.Dollars(0))
	}
	header.Set(HeaderReplayed, "true")
	c.Response().SetStatusCode(kept.Status)
	c.Response().SetBody(kept.Body)
}

// describeKey documents the header of operations that honor it, and its responses.
func (a *API) describeKey(op *huma.Operation, r *Route) {
	if a.config.Keeper == nil || !r.honorsKey() {
		return
	}
	shortest, most := 1, longestKey
	op.Parameters = append(op.Parameters, &huma.Param{
		Name: HeaderKey, In: "header",
		Description: "A name for this request, such as a UUID. Sent again within 24 hours, the same request is not executed again but returns the first response.",
		Schema:      &huma.Schema{Type: huma.TypeString, MinLength: &shortest, MaxLength: &most, Pattern: "^[!-~]+$"},
		Example:     "0190a5b2-7c41-4d6e-9a3f-1c2b3d4e5f60",
	})
	for status, response := range op.Responses {
		if status >= "200" && status < "300" {
			response.Headers[HeaderReplayed] = &huma.Param{
				Description: "true if this is the first response to the Idempotency-Key, sent again.", Schema: &huma.Schema{Type: huma.TypeString, Examples: []any{"true"}},
			}
		}
	}
	if op.Responses["409"] == nil {
		op.Responses["409"] = a.shared("StillRunning", http.StatusConflict, "A request with the same Idempotency-Key is still running: Retry-After shows how long to wait. Or its response was lost and cannot be given again: use a new key.")
		a.huma.OpenAPI().Components.Responses["StillRunning"].Content[contentJSON].Example = map[string]any{"detail": StillRunning}
	}
	if op.Responses["422"] == nil {
		op.Responses["422"] = a.shared("OtherRequest", http.StatusUnprocessableEntity, "The Idempotency-Key belongs to another request.")
	}
	if op.Responses["503"] == nil {
		op.Responses["503"] = a.shared("KeysUnavailable", http.StatusServiceUnavailable, "The Idempotency-Key cannot be looked up now. Nothing was executed.")
	}
}
