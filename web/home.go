package web

import (
	"context"
	"net/http"
	"time"

	"github.com/gofiber/fiber/v2"

	"gpatlas/platform/httpapi"
)

// Home is the response at the root.
type Home struct {
	Service string    `json:"service" doc:"Always gpatlas." example:"gpatlas"`
	Name    string    `json:"name" doc:"Name of the product." example:"GP Atlas"`
	Version string    `json:"version" doc:"Version of the API." example:"1.1.0"`
	Build   string    `json:"build" doc:"Version or commit of the running program." example:"v1.1.0"`
	Links   HomeLinks `json:"links" doc:"Where to go next."`
}

// HomeLinks are the links at the root.
type HomeLinks struct {
	Docs    string `json:"docs" doc:"Interactive reference." example:"/docs"`
	OpenAPI string `json:"openapi" doc:"OpenAPI 3.1 document." example:"/openapi.json"`
	LLMs    string `json:"llms" doc:"The API in plain text, for language models." example:"/llms.txt"`
	Status  string `json:"status" doc:"Age and size of the data." example:"/status"`
	Health  string `json:"health" doc:"Health check." example:"/health"`
}

// Health is the response of the health check; its fields are the same when it is unhealthy.
type Health struct {
	Status    string       `json:"status" enum:"healthy,unhealthy" doc:"healthy if every check passed." example:"healthy"`
	Service   string       `json:"service" doc:"Always gpatlas." example:"gpatlas"`
	Version   string       `json:"version" doc:"Version of the API." example:"1.1.0"`
	Build     string       `json:"build" doc:"Version or commit of the running program." example:"v1.1.0"`
	Timestamp time.Time    `json:"timestamp" doc:"When the checks were made." example:"2026-11-20T12:00:00.000000Z"`
	Checks    HealthChecks `json:"checks" doc:"The parts that were checked."`
}

// HealthChecks are the checked parts.
type HealthChecks struct {
	Database string `json:"database" enum:"connected,unreachable" doc:"Whether PostgreSQL answers." example:"connected"`
}

// shared shows browsers the page at a path of the API, if a module has one. All other callers get the response of the operation, also
// those that accept anything (*/*).
func (a *App) shared(c *fiber.Ctx) error {
	page := a.console.Page(c.Route().Path)
	if !httpapi.WantsPage(c) || page == nil {
		return c.Next()
	}
	c.Set(fiber.HeaderLink, termsLink(a.options.Config)[fiber.HeaderLink])
	return page(c)
}

// healthWait is the Retry-After of an unhealthy service in seconds.
const healthWait = "5"

// home declares the service's own operations.
func home(o Options) []httpapi.Route {
	database := &prober{database: o.Database, clock: o.Clock}
	routes := []httpapi.Route{
		httpapi.Get("/", "get-service", func(context.Context, *struct{}) (*httpapi.Reply[Home], error) {
			return &httpapi.Reply[Home]{Header: termsLink(o.Config), Body: Home{
				Service: Service, Name: Title, Version: Version, Build: o.Build,
				Links: HomeLinks{Docs: referencePath, OpenAPI: "/openapi.json", LLMs: "/llms.txt", Status: "/status", Health: "/health"},
			}}, nil
		}, httpapi.Summary("Get the service description"),
			httpapi.Describe("Returns the name, the version and links to the documentation. Browsers get the home page: callers whose Accept header prefers text/html to application/json."),
			linksTerms()),

		httpapi.Get("/health", "get-health", func(ctx context.Context, _ *struct{}) (*httpapi.Reply[Health], error) {
			h := Health{
				Status: "healthy", Service: Service, Version: Version, Build: o.Build,
				Timestamp: o.Clock.Now().UTC().Truncate(time.Second), Checks: HealthChecks{Database: "connected"},
			}
			if !database.answers(ctx) {
				h.Status, h.Checks.Database = "unhealthy", "unreachable"
				return &httpapi.Reply[Health]{Body: h, Status: http.StatusServiceUnavailable, Header: map[string]string{fiber.HeaderRetryAfter: healthWait}}, nil
			}
			return &httpapi.Reply[Health]{Body: h}, nil
		}, httpapi.Volatile(),
			httpapi.Summary("Check the health of the service"),
			httpapi.Describe("Returns 200 if the database responds, and 503 with the same shape if it does not. Searches are served from memory and keep working during a database failure; /status shows the age of their data. The database is checked at most once a second."),
			httpapi.AnswersLike(http.StatusServiceUnavailable, "The database does not respond. Searches keep working.", Health{
				Status: "unhealthy", Service: Service, Version: Version, Build: "1.1.0",
				Timestamp: time.Date(2026, time.November, 20, 9, 30, 0, 0, time.UTC), Checks: HealthChecks{Database: "unreachable"},
			})),

		status(o),
	}
	return httpapi.Group(routes, httpapi.Tag("Service"), httpapi.Unguarded())
}
