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

// HeaderKey names a request, so that sending it again does not do again what it did. HeaderReplayed marks an answer that
// was kept from the first time.
const (
	HeaderKey      = "Idempotency-Key"
	HeaderReplayed = "Idempotent-Replayed"
)

// StillRunning is the sentence of a request whose key belongs to one that is still running.
const StillRunning = "A request with this Idempotency-Key is still running; try again"

// longestKey is how many characters a key may have.
const longestKey = 255

// Keeper keeps the answers of requests that bear a key, per account, so that each is executed once.
type Keeper interface {
	// Begin gives either the right to execute a request or the answer that it had. It refuses with the kinds of apperr:
	// conflict (it is being executed; the error is a Waiter), unprocessable (another request had the key), unavailable.
	Begin(ctx context.Context, request KeyedRequest) (Execution, *KeptAnswer, error)
	// Kept gives the answer that a request had; nil where there is none. It refuses as Begin does, and changes nothing.
	Kept(ctx context.Context, request KeyedRequest) (*KeptAnswer, error)
}

// KeyedRequest is a request that bears a key.
type KeyedRequest struct {
	Account   int64  // who sends it; never 0
	Test      bool   // with a test key, whose answers are its own
	Key       string // 1 to 255 visible ASCII characters
	Operation string // the operation's id
	Content   []byte // what tells it from other requests: method, address, body in a canonical form
}

// KeptAnswer is an answer as it was given.
type KeptAnswer struct {
	Status int         `json:"status"`
	Header [][2]string `json:"header"` // those that the operation set
	Body   []byte      `json:"body"`
}

// Execution is the right to execute a request. One of Keep, Release and Forget is called once it is executed; where none is,
// since the process was killed, another may take over after a while.
type Execution interface {
	// ID is the execution's, a UUID. When another takes over, it is the same: whatever must not be done twice is recorded
	// under it.
	ID() string
	// Again says that the request was executed before under the same ID, by whoever was killed or failed.
	Again() bool
	// Answered says that the request was answered with 2xx, and that the kept answer was dropped.
	Answered() bool
	// With lets those who execute know the execution.
	With(ctx context.Context) context.Context
	// Keep keeps the answer.
	Keep(ctx context.Context, answer KeptAnswer) error
	// Release lets the next request with the key execute it again at once.
	Release(ctx context.Context) error
	// Forget makes the key free for any request.
	Forget(ctx context.Context) error
}

// Idempotent has an operation honour the header Idempotency-Key. Operations of identified callers that create something
// (POST answered with 201) and those that have a price do so without being told.
func Idempotent() Option { return func(r *Route) { r.idempotent = true } }

// NotIdempotent exempts an operation from honouring Idempotency-Key: one whose answers are too large to be kept.
func NotIdempotent() Option { return func(r *Route) { r.notIdempotent = true } }

// honoursKey says whether requests of the operation may bear a key.
func (r *Route) honoursKey() bool {
	method, open := r.Operation.Method, r.Access == Public || r.Access == Signature
	priced := r.ChargeMicros > 0 && (method == http.MethodGet || method == http.MethodPost)
	creates := method == http.MethodPost && r.Operation.DefaultStatus == http.StatusCreated && !open
	return !r.notIdempotent && (r.idempotent || priced || creates)
}

// keyOf is the key of a request; "" where it bears none, or is executed as often as it is sent: by callers without an
// account, whom nothing is charged, and for HEAD and quotes.
func (a *API) keyOf(c *fiber.Ctx, r *Route) (key string, fault *apperr.FieldError) {
	sent := c.Request().Header.PeekAll(HeaderKey)
	if len(sent) == 0 || a.config.Keeper == nil || !r.honoursKey() || c.Method() == http.MethodHead || auth.From(c.UserContext()).UserID == 0 || asksQuote(c, r) {
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

// OnlyOwned says to a handler that its request was answered before, and that the answer can no longer be given again. What of it
// must be bought may have changed meanwhile, and nothing more is bought with the same key: the handler leaves out the units that the
// account does not own. Callers to whom nothing is sold are given all.
func OnlyOwned(ctx context.Context) bool { return ctx.Value(onlyOwnedKey{}) != nil }

type refusalKey struct{}

// Refused has operations refuse a request with err, once they have admitted its caller, but for one that has been answered under its Idempotency-Key: it is
// answered again, since that executes nothing.
func Refused(ctx context.Context, err error) context.Context {
	return context.WithValue(ctx, refusalKey{}, err)
}

func refusalOf(ctx context.Context) error {
	err, _ := ctx.Value(refusalKey{}).(error)
	return err
}

type onceKey struct{}

// once executes a keyed request, or answers it as it was answered. A failed execution and a refusal by who the caller is or
// what he may spend are not kept: they may be tried again with the same key. A refused body takes no key.
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
	ctx = context.WithValue(execution.With(ctx), onceKey{}, true)
	if execution.Answered() {
		ctx = context.WithValue(ctx, onlyOwnedKey{}, true)
	}
	execute(ctx, execution)
	switch answer := answerOf(c, before); {
	case answer.Status == http.StatusBadRequest:
		settle = execution.Forget
	case keepable(answer.Status): // whoever cannot keep the answer must not have it executed again at once
		settle = func(ctx context.Context) error { return execution.Keep(ctx, answer) }
	}
}

// begin is the keeper's Begin; a request that is refused (Refused) has the answer that it had, or its refusal.
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

// kept logs that an answer could not be kept, or its request not be released. The caller has the answer all the same.
func (a *API) kept(ctx context.Context, r *Route, err error) {
	if err != nil {
		a.logger.LogAttrs(ctx, slog.LevelWarn, "response not kept for its Idempotency-Key", slog.String("operation", r.Operation.OperationID), slog.Any("error", err))
	}
}

// keepable says whether a request whose answer has a status is not to be executed again.
//
// Spec: not shown; 402 is not kept, for the very same request is right once the cap is raised. 400 is not: it changed nothing,
// and the corrected request may bear the same key.
func keepable(status int) bool {
	switch status {
	case http.StatusBadRequest, http.StatusUnauthorized, http.StatusPaymentRequired, http.StatusForbidden, http.StatusTooManyRequests:
		return false
	}
	return status >= 200 && status < 300 || status >= 400 && status < 500
}

// contentOf is what tells a request from others with the same key. Of JSON neither spaces nor the order of fields count.
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

// answerOf is the answer, with the headers that were not there before.
func answerOf(c *fiber.Ctx, before map[string]string) KeptAnswer {
	answer := KeptAnswer{Status: c.Response().StatusCode(), Body: bytes.Clone(c.Response().Body())}
	for name, value := range c.Response().Header.All() {
		if old, was := before[string(name)]; (!was || old != string(value)) && string(name) != fiber.HeaderContentLength {
			answer.Header = append(answer.Header, [2]string{string(name), string(value)})
		}
	}
	return answer
}

// replay gives a kept answer again. It costs nothing.
func replay(c *fiber.Ctx, kept *KeptAnswer) {
	header := &c.Response().Header
	for _, h := range kept.Header {
		header.Set(h[0], h[1])
	}
	if len(header.Peek(headerCharge)) > 0 {
		header.Set(headerCharge, charge.Dollars(0))
	}
	header.Set(HeaderReplayed, "true")
	c.Response().SetStatusCode(kept.Status)
	c.Response().SetBody(kept.Body)
}

// describeKey documents the header of operations that honour it, and what it may bring about.
func (a *API) describeKey(op *huma.Operation, r *Route) {
	if a.config.Keeper == nil || !r.honoursKey() {
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
