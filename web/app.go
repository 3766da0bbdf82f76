package web

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/auth"
	"gpatlas/platform/charge"
	"gpatlas/platform/clock"
	"gpatlas/platform/console"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/jobs/queueui"
	"gpatlas/platform/module"
	"gpatlas/platform/ratelimit"
	"gpatlas/platform/telemetry"
	webconsole "gpatlas/web/console"
)

// The service's names.
const (
	Service = "gpatlas"
	Title   = "GP Atlas"
	// Version is the API's version, of the contract's changelog; it is independent of the build.
	Version = "1.1.0"
)

// readBufferBytes is the maximum size of a request's URL and headers: a query of 10,000 characters must fit, so that it is
// refused by name.
const readBufferBytes = 16 << 10

// writeBufferBytes holds the most frequent responses, a page of 25 rows and its headers, completely: one system call sends it,
// while the usual 4 KiB need two.
const writeBufferBytes = 16 << 10

// Pinger checks whether the database answers.
type Pinger interface {
	Ping(ctx context.Context) error
}

// Options are an App's dependencies. Logger, Metrics, Tracing, Clock and Meter have neutral defaults.
type Options struct {
	Config    Config
	Build     string // commit or version of this binary
	Manifests []module.Manifest
	Database  Pinger
	Data      catalogapi.DataSource
	Logger    *slog.Logger
	Metrics   *telemetry.Metrics
	Tracing   *telemetry.Tracing
	Clock     clock.Clock
	Meter     charge.Meter   // of the operations that have a price
	Prices    *charge.List   // is set to the operations that have a price; may be nil
	Keeper    httpapi.Keeper // of answers to requests with an Idempotency-Key; nil = the header is ignored

	// Identification and limits of callers. Without a verifier no credential of its kind is valid; without a limiter nothing is
	// limited; without a recorder nothing is counted.
	Keys      auth.KeyVerifier
	Sessions  auth.SessionVerifier
	Browsers  auth.BrowserVerifier // of the pages' sessions
	Limiter   ratelimit.Limiter
	Recorder  ratelimit.Recorder
	Allowance ratelimit.Allowance // free calls; nil = none are counted

	Queues *queueui.UI // the page of the job queues; nil is none
}

func (o Options) withDefaults() Options {
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	if o.Metrics == nil {
		o.Metrics = telemetry.NewMetrics()
	}
	if o.Tracing == nil {
		o.Tracing = telemetry.NoTracing()
	}
	if o.Clock == nil {
		o.Clock = clock.System{}
	}
	if o.Meter == nil {
		o.Meter = charge.Free{}
	}
	if o.Build == "" {
		o.Build = "unknown"
	}
	return o
}

// App is the Fiber app with everything registered on it.
type App struct {
	Fiber *fiber.App
	API   *httpapi.API

	options  Options
	pipeline *pipeline
	ready    *readiness
	console  *webconsole.Host
}

// New builds the app. It fails on invalid settings and on contradicting operations; it starts nothing.
func New(o Options) (*App, error) {
	o = o.withDefaults()
	if err := o.Config.Validate(); err != nil {
		return nil, err
	}
	p, err := newPipeline(o)
	if err != nil {
		return nil, err
	}
	settings := httpapi.FiberConfig(o.Logger)
	settings.ErrorHandler = p.serverError
	settings.BodyLimit = o.Config.BodyLimit
	settings.ReadTimeout, settings.WriteTimeout, settings.IdleTimeout = o.Config.ReadTimeout, o.Config.WriteTimeout, o.Config.IdleTimeout
	settings.ReadBufferSize = readBufferBytes
	settings.WriteBufferSize = writeBufferBytes
	a := &App{Fiber: fiber.New(settings), options: o, pipeline: p}
	server := a.Fiber.Server()
	server.CloseOnShutdown = true
	server.Handler = knownVerbs(server.Handler)
	a.Fiber.Use(p.handle)
	a.Fiber.Use(internalPrefix, guard{token: o.Config.InternalToken}.handle)
	a.Fiber.Use(adminPath, administratorsOnly)
	middleware := map[*fiber.Route]bool{}
	for _, stack := range a.Fiber.Stack() {
		for _, route := range stack {
			middleware[route] = true
		}
	}
	var counted func(path string) bool
	if o.Allowance != nil {
		counted = o.Allowance.Counts
	}
	a.API = httpapi.New(a.Fiber, httpapi.Config{
		Title: Title, Version: Version, Description: introduction(o.Config), PublicURL: o.Config.PublicURL, Servers: servers(o.Config), Logger: o.Logger,
		Meter: o.Meter, Keeper: o.Keeper, Keyed: o.Config.AccessPolicy == policyKeyed, TagKeys: o.Config.TagKeys,
		Unpack: bodies{limit: o.Config.BodyLimit}.unpack, Counted: counted,
	})
	manifests := slices.Clone(o.Manifests)
	slices.SortFunc(manifests, func(x, y module.Manifest) int { return strings.Compare(x.Name, y.Name) })
	texts, err := legalTexts(o.Config)
	if err != nil {
		return nil, err
	}
	routes := append(home(o), texts...)
	var pages []console.Page
	var panels []console.Panel
	for _, m := range manifests {
		routes = append(routes, m.Routes...)
		pages = append(pages, m.Pages...)
		panels = append(panels, m.Panels...)
	}
	for _, path := range webconsole.Shared {
		a.Fiber.Get(path, a.shared)
	}
	if err := a.API.Register(routes); err != nil {
		return nil, err
	}
	for _, m := range manifests {
		a.API.DescribeWebhooks(m.Webhooks)
	}
	if o.Prices != nil {
		o.Prices.Set(a.API.Prices())
	}
	if err := a.addPages(); err != nil {
		return nil, fmt.Errorf("web: prepare the documentation: %w", err)
	}
	if o.Queues != nil {
		if err := addQueues(a.Fiber, o.Queues, o); err != nil {
			return nil, fmt.Errorf("web: prepare the queue UI: %w", err)
		}
	}
	if err := a.addConsole(pages, panels); err != nil {
		return nil, fmt.Errorf("web: prepare the pages: %w", err)
	}
	p.failed = a.console.Failures(p.failed)
	p.admission.administrator = a.console.Administrator
	p.markRefusal = a.API.MarkRefusal
	a.ready = newReadiness(manifests)
	a.addInternal()
	p.traffic.learn(a.Fiber, a.API, middleware)
	if p.usage != nil {
		for _, r := range a.API.Routes() {
			p.usage.Learn(r.Operation.OperationID, r.Operation.Method, r.Operation.Path)
		}
	}
	p.admission.learn(a.Fiber, a.API, middleware)
	for _, path := range a.console.Paths() {
		p.admission.add(path, exceptUnlimited) // until their own guard shows the limits of pages
	}
	return a, nil
}

func servers(c Config) []string {
	if c.PublicURL != "" {
		return []string{strings.TrimSuffix(c.PublicURL, "/")}
	}
	return nil
}

// knownVerbs passes requests with methods that Fiber does not know to the router, as a method without operations: Fiber would
// answer them in plain text, whatever the path.
func knownVerbs(next fasthttp.RequestHandler) fasthttp.RequestHandler {
	return func(ctx *fasthttp.RequestCtx) {
		if !slices.Contains(fiber.DefaultMethods, string(ctx.Method())) {
			ctx.Request.Header.SetMethod(fiber.MethodTrace)
		}
		next(ctx)
	}
}
