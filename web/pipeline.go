package web

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/netip"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/gofiber/fiber/v2"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/log"
	"gpatlas/platform/ratelimit"
	"gpatlas/platform/telemetry"
)

// The values of Config.AccessLog.
const (
	accessAll    = "all"
	accessErrors = "errors"
	accessOff    = "off"
)

// pipeline is everything around an operation, in one handler: Fiber walks its route list again for every middleware.
type pipeline struct {
	base        context.Context // parent of requests, canceled when a stop has waited long enough
	cancel      context.CancelFunc
	logger      *slog.Logger
	clock       clock.Clock
	tracing     *telemetry.Tracing
	cors        cors
	peers       peers
	warned      atomic.Bool // about X-Forwarded-For
	access      string
	patience    time.Duration // time limit of one request's database work
	traffic     *traffic
	failed      fiber.ErrorHandler
	markRefusal func(c *fiber.Ctx) // of an operation with a price
	admission   *admission
	usage       ratelimit.Recorder  // nil: usage is not counted
	allowance   ratelimit.Allowance // nil: no free calls
}

func newPipeline(o Options) (*pipeline, error) {
	trusted, err := prefixes(o.Config.TrustedProxies)
	if err != nil {
		return nil, err
	}
	traffic, err := newTraffic(o.Metrics.Registerer())
	if err != nil {
		return nil, err
	}
	base, cancel := context.WithCancel(context.Background()) //nolint:forbidigo // the root of all requests
	return &pipeline{
		base: base, cancel: cancel, logger: o.Logger, clock: o.Clock, tracing: o.Tracing,
		cors: newCORS(o.Config.CORSOrigins), peers: peers{trusted: trusted}, access: o.Config.AccessLog,
		patience: o.Config.DatabaseTimeout, traffic: traffic, failed: httpapi.ErrorHandler(o.Logger), admission: newAdmission(o), usage: o.Recorder,
		allowance: o.Allowance, markRefusal: func(*fiber.Ctx) {},
	}, nil
}

func (p *pipeline) handle(c *fiber.Ctx) error {
	if ctx, inside := c.Context().UserValue(insideKey{}).(context.Context); inside {
		c.SetUserContext(ctx)
		return c.Next()
	}
	started := p.clock.Now()
	ctx := p.setHeaders(c)
	var span trace.Span
	if p.tracing.Enabled() {
		ctx, span = p.tracing.Start(p.tracing.Extract(ctx, func(name string) string { return c.Get(name) }), "HTTP", trace.WithSpanKind(trace.SpanKindServer))
	}
	c.SetUserContext(ctx)
	address := p.peers.client(c)
	p.warnOfForwarded(ctx, c)
	faulty := badFraming(&c.Request().Header)
	if faulty {
		c.Context().SetConnectionClose()
		linger(c)
	}
	if preflight := p.share(c); !preflight || faulty {
		if err := p.next(ctx, c, address, faulty); err != nil {
			if err = p.failed(c, err); err != nil {
				return err
			}
		}
		p.markRefusal(c)
		compress(c)
	}
	operation := p.traffic.of(c)
	status := c.Response().StatusCode()
	elapsed := p.clock.Now().Sub(started)
	operation.observe(status, elapsed)
	if span != nil {
		span.SetName(c.Method() + " " + operation.path)
		span.SetAttributes(attribute.String("http.request.method", c.Method()), attribute.String("http.route", operation.path),
			attribute.Int("http.response.status_code", status), attribute.String("request_id", log.RequestID(ctx)))
		span.End()
	}
	if p.usage != nil {
		if caller := auth.From(c.UserContext()); caller.Kind == auth.Key {
			p.usage.Record(ratelimit.Usage{Caller: caller, Operation: operation.id, Status: status, At: started, Elapsed: elapsed})
		}
	}
	p.record(ctx, c, address, operation, status, elapsed)
	return nil
}

// warnOfForwarded logs, once, that a request has X-Forwarded-For from an address that is not trusted. The header is ignored, so
// behind a proxy that is not in the settings all callers share one limit.
func (p *pipeline) warnOfForwarded(ctx context.Context, c *fiber.Ctx) {
	if p.warned.Load() || len(c.Request().Header.Peek(fiber.HeaderXForwardedFor)) == 0 {
		return
	}
	if from := connected(c); !p.peers.trusts(from) && p.warned.CompareAndSwap(false, true) {
		p.logger.LogAttrs(ctx, slog.LevelWarn, "X-Forwarded-For is ignored: it comes from an address that is not trusted; "+
			"if that is your proxy, add it to WEB_TRUSTED_PROXIES, or all its callers share one limit", slog.String("address", from.String()))
	}
}

// next identifies the caller and runs the operation; a panic becomes an error with its stack for the log.
func (p *pipeline) next(ctx context.Context, c *fiber.Ctx, address netip.Addr, faulty bool) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = apperr.Internal(fmt.Errorf("panic: %v\n%s", r, debug.Stack()))
		}
	}()
	ctx, failed := p.admission.identify(ctx, c, address)
	if auth.From(ctx).Admin { // what other callers write is never read from a standby
		ctx = database.FromPrimary(ctx)
	}
	c.SetUserContext(ctx)
	decision, entered, err := p.admission.enter(ctx, c, failed)
	if !entered {
		return err
	}
	if faulty {
		return fiber.NewError(http.StatusBadRequest)
	}
	ctx = p.admission.weighing(ctx, c, &decision)
	c.SetUserContext(ctx)
	err = p.allowed(ctx, c)
	p.admission.leave(ctx, c, &decision)
	return err
}

// allowed runs the operation, and uses one of the caller's free calls if there is an allowance. Only a successful response uses
// one up, and only the first time it is sent; a quote does not. If none is left, the operation repeats kept responses and
// nothing else.
func (p *pipeline) allowed(ctx context.Context, c *fiber.Ctx) error {
	if p.allowance == nil {
		return c.Next()
	}
	caller := auth.From(c.UserContext())
	taken, err := p.allowance.Take(ctx, caller, c.Path())
	if err != nil {
		c.SetUserContext(httpapi.Refused(c.UserContext(), err))
		return c.Next()
	}
	if !taken {
		return c.Next()
	}
	good := false
	defer func() { // also on panic
		if !good {
			p.allowance.GiveBack(ctx, caller)
		}
	}()
	err = c.Next()
	status := c.Response().StatusCode()
	replayed := len(c.Response().Header.Peek(httpapi.HeaderReplayed)) > 0
	good = err == nil && !replayed && !httpapi.IsQuote(c) && status >= http.StatusOK && status < http.StatusMultipleChoices
	return err
}

// The same headers on every response.
var fixedHeaders = [][2][]byte{
	{[]byte("X-Content-Type-Options"), []byte("nosniff")},
	{[]byte("X-Frame-Options"), []byte("DENY")},
	{[]byte("Referrer-Policy"), []byte("no-referrer")},
	{[]byte("Content-Security-Policy"), []byte("default-src 'none'; frame-ancestors 'none'")},
	{[]byte("Cross-Origin-Resource-Policy"), []byte("cross-origin")},
}

// setHeaders puts the request ID and the fixed headers on the response, and the ID into the context. The context bounds the
// request's database work: a server that has stopped answering must not block requests.
func (p *pipeline) setHeaders(c *fiber.Ctx) context.Context {
	id := requestID(c)
	header := &c.Response().Header
	header.Set(fiber.HeaderXRequestID, id)
	for i := range fixedHeaders {
		header.SetCanonical(fixedHeaders[i][0], fixedHeaders[i][1])
	}
	return database.WithLimit(log.WithRequestID(p.base, id), p.patience)
}

// share lets pages of other origins read the response, unless it is for operators, and reports whether the request was a
// preflight, which is then answered.
func (p *pipeline) share(c *fiber.Ctx) (preflight bool) {
	if internal(c.Path()) {
		c.Response().Header.Set("Cross-Origin-Resource-Policy", "same-origin")
		return false
	}
	return p.cors.apply(c)
}

// serverError answers what fails before or beside the pipeline: requests that are malformed or too large.
func (p *pipeline) serverError(c *fiber.Ctx, err error) error {
	if failure, ok := errors.AsType[*fiber.Error](err); ok && failure.Code != http.StatusRequestTimeout { // that client sends nothing
		linger(c)
	}
	if len(c.Response().Header.Peek(fiber.HeaderXRequestID)) == 0 {
		address := p.peers.client(c)
		ctx := auth.With(p.setHeaders(c), &auth.Principal{Address: address})
		c.SetUserContext(ctx)
		p.share(c)
		defer func() {
			p.traffic.none.observe(c.Response().StatusCode(), 0)
			p.record(ctx, c, address, p.traffic.none, c.Response().StatusCode(), 0)
		}()
		unread := err
		if errors.Is(err, fiber.ErrRequestEntityTooLarge) { // its path is known
			unread = nil
		}
		if _, refused := p.admission.refuse(ctx, c, unread); refused {
			p.markRefusal(c)
			return nil
		}
	}
	err = p.failed(c, err)
	p.markRefusal(c)
	return err
}

// record writes the access line, one for a request: it does not identify the sender beyond the address.
func (p *pipeline) record(ctx context.Context, c *fiber.Ctx, address netip.Addr, operation *operation, status int, elapsed time.Duration) {
	if p.access == accessOff || p.access == accessErrors && status < http.StatusBadRequest || !p.logger.Enabled(ctx, slog.LevelInfo) {
		return
	}
	line := p.traffic.line(c, address)
	p.logger.LogAttrs(ctx, slog.LevelInfo, "request",
		slog.String("method", c.Method()),
		slog.String("path", line.path),
		slog.String("query", line.query),
		slog.String("operation", operation.id),
		slog.Int("status", status),
		slog.Int("bytes", bodyBytes(c)),
		slog.Float64("ms", float64(elapsed.Microseconds())/1000),
		slog.String("client", line.client),
		slog.String("agent", line.agent),
	)
}

func bodyBytes(c *fiber.Ctx) int {
	if c.Response().IsBodyStream() {
		return -1
	}
	return len(c.Response().Body())
}

// clip keeps a caller's text from filling the log.
func clip(text []byte) string {
	const most = 512
	if len(text) > most {
		return string(text[:most]) + "…"
	}
	return string(text)
}

// requestID is the caller's X-Request-ID if it is 1 to 64 of [A-Za-z0-9_.-], else a new one.
func requestID(c *fiber.Ctx) string {
	sent := c.Request().Header.Peek(fiber.HeaderXRequestID)
	if len(sent) >= 1 && len(sent) <= 64 {
		good := true
		for _, b := range sent {
			good = good && ('a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9' || b == '_' || b == '.' || b == '-')
		}
		if good {
			return string(sent)
		}
	}
	var raw [16]byte
	binary.LittleEndian.PutUint64(raw[:8], rand.Uint64())
	binary.LittleEndian.PutUint64(raw[8:], rand.Uint64())
	var text [32]byte
	hex.Encode(text[:], raw[:])
	return string(text[:])
}
