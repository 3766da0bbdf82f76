package httpapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humafiber"
	"github.com/gofiber/fiber/v2"

	"gpatlas/platform/charge"
)

// Config describes an API and its dependencies on the host.
type Config struct {
	Title       string
	Version     string
	Description string
	// Servers are the URLs in the OpenAPI document; none means "/".
	Servers []string
	// PublicURL is put before the paths in Link headers, "https://api.example.com"; empty, they are relative.
	PublicURL string
	Logger    *slog.Logger // nil = slog.Default()
	// Meter charges for the operations that have a price; nil = charge.Free.
	Meter charge.Meter
	// TagKeys are the secrets for the entity tags of sold responses: the first makes them, all are recognized. They must be the
	// same in all processes.
	TagKeys [][]byte
	// Keeper keeps the responses to requests with an Idempotency-Key; nil = the header is ignored.
	Keeper Keeper
	// Unpack decompresses the request's body before an operation reads it; nil leaves it as it is.
	Unpack func(c *fiber.Ctx) error
	// Counted returns the paths on which calls may be refused because the caller's free calls are used up (Refused); nil =
	// none.
	Counted func(path string) bool
	// Keyed closes the public operations to anonymous callers, except those declared AlwaysOpen.
	Keyed bool
}

// API is a set of operations on a Fiber app.
type API struct {
	huma   huma.API
	config Config
	logger *slog.Logger
	namer  *namer
	routes []Route
	faults []error // faults in declared inputs
}

// New prepares an API on app, without operations.
func New(app *fiber.App, config Config) *API {
	c := huma.DefaultConfig(config.Title, config.Version)
	c.CreateHooks = nil // no $schema fields
	c.OpenAPIPath, c.DocsPath, c.SchemasPath = "", "", ""
	c.Info.Description = config.Description
	names := newNamer()
	c.Components.Schemas = huma.NewMapRegistry("#/components/schemas/", names.name)
	if len(config.Servers) == 0 {
		config.Servers = []string{"/"}
	}
	for _, url := range config.Servers {
		c.Servers = append(c.Servers, &huma.Server{URL: url})
	}
	if config.Logger == nil {
		config.Logger = slog.Default()
	}
	if config.Meter == nil {
		config.Meter = charge.Free{}
	}
	return &API{
		huma:   humafiber.NewV2WithGroup(app, headRouter{app}, c),
		config: config,
		logger: config.Logger,
		namer:  names,
	}
}

// headRouter registers HEAD for every GET: huma would answer it with 405.
type headRouter struct{ fiber.Router }

func (r headRouter) Add(method, path string, handlers ...fiber.Handler) fiber.Router {
	if method == fiber.MethodGet {
		r.Router.Add(fiber.MethodHead, path, handlers...)
	}
	return r.Router.Add(method, path, handlers...)
}

// Register adds operations, static paths before those with parameters in any given order. It rejects two operations with one
// ID, or with one method and path, and two types with one name in the document. A second call is rejected too, because the
// order could not be kept.
func (a *API) Register(routes []Route) error {
	if a.routes != nil {
		return errors.New("httpapi: operations are registered already")
	}
	sorted := slices.Clone(routes)
	slices.SortStableFunc(sorted, func(x, y Route) int {
		return compareRoutes(x.Operation.Method, x.Operation.Path, y.Operation.Method, y.Operation.Path)
	})
	if err := checkRoutes(sorted); err != nil {
		return err
	}
	for i := range sorted {
		sorted[i].register(a, &sorted[i])
	}
	for i := range sorted {
		a.describeRows(&sorted[i])
	}
	a.routes = sorted
	allowNull(a.huma.OpenAPI())
	return errors.Join(append(a.faults, a.namer.fault())...)
}

// Routes are the registered operations in the order in which they are matched.
func (a *API) Routes() []Route { return a.routes }

// Prices are the operations with a price, in the order in which they are matched.
func (a *API) Prices() (list []charge.Listed) {
	for i := range a.routes {
		if r := &a.routes[i]; r.ChargeMicros > 0 {
			list = append(list, charge.Listed{
				Operation: r.Operation.OperationID, Method: r.Operation.Method, Path: r.Operation.Path, Summary: r.Operation.Summary,
				Price: charge.PriceText(r.ChargeMicros, r.BulkMicros, r.Per),
			})
		}
	}
	return list
}

// OpenAPI is the document that describes the operations. It may be extended until the server starts.
func (a *API) OpenAPI() *huma.OpenAPI { return a.huma.OpenAPI() }

// JSON is the OpenAPI 3.1 document.
func (a *API) JSON() ([]byte, error) {
	document, err := json.MarshalIndent(a.huma.OpenAPI(), "", "  ")
	return ownWords.ReplaceAll(document, nil), err
}

// ownWords are the lines of the document with our messages' words for a pattern: they are not part of OpenAPI, but the schemas
// of bodies must keep them, because bodies are validated by these schemas.
var ownWords = regexp.MustCompile(`(?m)^ *"?patternDescription"?: .*\n`)

// YAML is the same document as YAML.
func (a *API) YAML() ([]byte, error) {
	document, err := a.huma.OpenAPI().YAML()
	return ownWords.ReplaceAll(document, nil), err
}

func checkRoutes(routes []Route) error {
	ids, addresses := map[string]string{}, map[string]string{}
	var errs []error
	for _, r := range routes {
		op := r.Operation
		address := op.Method + " " + op.Path
		if r.register == nil || op.OperationID == "" || !strings.HasPrefix(op.Path, "/") {
			errs = append(errs, fmt.Errorf("httpapi: %s (%q) was not declared with an id, a path and a handler", address, op.OperationID))
			continue
		}
		if priced := r.Per == charge.PerRequest || r.Per == charge.PerPerson; r.ChargeMicros < 0 || r.ChargeMicros > 0 != priced {
			errs = append(errs, fmt.Errorf("httpapi: %s costs %d micro-dollars per %q; a price is per request or person", address, r.ChargeMicros, r.Per))
		}
		if r.Per == charge.PerPerson && r.Product == "" || r.ChargeMicros == 0 && r.Product != "" {
			errs = append(errs, fmt.Errorf("httpapi: %s costs %d micro-dollars per %q and sells %q; persons are sold as units of a product, and a product has a price", address, r.ChargeMicros, r.Per, r.Product))
		}
		if r.BulkMicros != 0 && (r.Per != charge.PerPerson || r.BulkMicros < 0 || r.BulkMicros > r.ChargeMicros) {
			errs = append(errs, fmt.Errorf("httpapi: %s costs %d micro-dollars per %q and %d in bulk; a price in bulk is per person, and not above the price of one", address, r.ChargeMicros, r.Per, r.BulkMicros))
		}
		if r.Unlock && r.Product == "" {
			errs = append(errs, fmt.Errorf("httpapi: %s is declared Unlock and sells no product", address))
		}
		if err := checkAccess(&r); err != nil {
			errs = append(errs, err)
		}
		if other, taken := ids[op.OperationID]; taken {
			errs = append(errs, fmt.Errorf("httpapi: %s and %s share the id %q", other, address, op.OperationID))
		}
		ids[op.OperationID] = address
		shape := op.Method + " " + shapeOf(op.Path)
		if other, taken := addresses[shape]; taken {
			errs = append(errs, fmt.Errorf("httpapi: %s and %s answer the same requests", other, address))
		}
		addresses[shape] = address
	}
	return errors.Join(errs...)
}

// FiberPath is a path of the document in Fiber's notation: /gps/{crd} is /gps/:crd.
func FiberPath(path string) string { return strings.NewReplacer("{", ":", "}", "").Replace(path) }

// shapeOf is a path without the names of its parameters: /a/{x} and /a/{y} have one shape.
func shapeOf(path string) string {
	segments := strings.Split(path, "/")
	for i, s := range segments {
		if open, end := strings.IndexByte(s, '{'), strings.IndexByte(s, '}'); open >= 0 && end > open {
			segments[i] = s[:open] + "{}" + s[end+1:]
		}
	}
	return strings.Join(segments, "/")
}

// compareRoutes orders by path, segment by segment, a fixed segment before a parameter; then by method.
func compareRoutes(methodX, pathX, methodY, pathY string) int {
	x, y := strings.Split(pathX, "/"), strings.Split(pathY, "/")
	for i := range min(len(x), len(y)) {
		paramX, paramY := strings.Contains(x[i], "{"), strings.Contains(y[i], "{")
		switch {
		case paramX != paramY && paramX:
			return 1
		case paramX != paramY:
			return -1
		}
		if c := strings.Compare(x[i], y[i]); c != 0 {
			return c
		}
	}
	if c := len(x) - len(y); c != 0 {
		return c
	}
	return strings.Compare(methodX, methodY)
}
