package webtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gofiber/fiber/v2"
	"github.com/stretchr/testify/require"
	"github.com/valyala/fasthttp"

	"gpatlas/platform/httpapi"
	"gpatlas/web"
	"gpatlas/web/spec"
)

// Contract runs every test of the contract over an app: its operations are those of endpoints.tsv, each can be reached, each is
// documented, the document is what golden says (refresh it with -update), passes a public linter, declares null wherever null
// is possible, and describes every operation, tag and property.
func Contract(t *testing.T, app *web.App, golden string) {
	t.Helper()
	t.Run("endpoints", func(t *testing.T) {
		t.Parallel()
		rows, err := spec.Endpoints()
		require.NoError(t, err)
		beyond, err := spec.Beyond()
		require.NoError(t, err)
		require.NoError(t, errors.Join(spec.Check(slices.Concat(rows, beyond), app.API.Routes())...))
	})
	t.Run("reachable", func(t *testing.T) {
		t.Parallel()
		require.NoError(t, Reachable(app.Fiber))
	})
	t.Run("documented", func(t *testing.T) {
		t.Parallel()
		require.NoError(t, Documented(app.API.Routes()))
	})
	t.Run("golden", func(t *testing.T) {
		t.Parallel()
		document, err := app.API.JSON()
		require.NoError(t, err)
		Golden(t, golden, document)
	})
	t.Run("lint", func(t *testing.T) {
		t.Parallel()
		document, err := app.API.JSON()
		require.NoError(t, err)
		Lint(t, document)
	})
	t.Run("described", func(t *testing.T) {
		t.Parallel()
		document, err := app.API.JSON()
		require.NoError(t, err)
		require.NoError(t, Described(document))
	})
	t.Run("null", func(t *testing.T) {
		t.Parallel()
		document, err := app.API.JSON()
		require.NoError(t, err)
		require.NoError(t, NullableEnums(document))
	})
}

var parameter = regexp.MustCompile(`:[A-Za-z_]+`)

// Reachable checks that each route of an app gets its requests: that no earlier route takes them. It repeats the routes, in
// their order, in an app of the same settings whose handlers return their names.
func Reachable(app *fiber.App) error {
	settings := app.Config()
	probe := fiber.New(fiber.Config{StrictRouting: settings.StrictRouting, CaseSensitive: settings.CaseSensitive, DisableStartupMessage: true})
	var routes []fiber.Route
	for _, stack := range app.Stack() {
		for _, route := range stack {
			if route.Path == "/" && len(stack) > 1 && route == stack[0] || route.Path == "/_internal" {
				continue // middleware
			}
			routes = append(routes, *route)
			probe.Add(route.Method, route.Path, func(c *fiber.Ctx) error { return c.SendString(route.Path) })
		}
	}
	handler := probe.Handler()
	var errs []error
	for _, route := range routes {
		path := parameter.ReplaceAllString(route.Path, "0x0")
		var request fasthttp.Request
		request.Header.SetMethod(route.Method)
		request.SetRequestURI(path)
		var ctx fasthttp.RequestCtx
		ctx.Init(&request, nil, nil)
		handler(&ctx)
		if got := string(ctx.Response.Body()); got != route.Path {
			errs = append(errs, fmt.Errorf("%s %s is answered by %q", route.Method, route.Path, got))
		}
	}
	return errors.Join(errs...)
}

var inPath = regexp.MustCompile(`\{([^}]+)\}`)

var kebab = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)

// Documented checks that each operation has an ID in kebab case, a summary without a full stop, a tag, and a description of
// each of its parameters.
func Documented(routes []httpapi.Route) error {
	var errs []error
	for _, r := range routes {
		op := r.Operation
		fault := func(format string, args ...any) {
			errs = append(errs, fmt.Errorf("%s %s: %s", op.Method, op.Path, fmt.Sprintf(format, args...)))
		}
		if !kebab.MatchString(op.OperationID) {
			fault("the id %q is not kebab case", op.OperationID)
		}
		if op.Summary == "" || strings.HasSuffix(op.Summary, ".") {
			fault("the summary %q is not a title", op.Summary)
		}
		if len(op.Tags) == 0 {
			fault("no tag")
		}
		for _, name := range inPath.FindAllStringSubmatch(op.Path, -1) {
			if !slices.ContainsFunc(op.Parameters, func(p *huma.Param) bool { return p.In == "path" && p.Name == name[1] }) {
				fault("the input has no field for the path parameter %s", name[0])
			}
		}
		for _, p := range op.Parameters {
			if p.Description == "" {
				fault("parameter %s has no description (doc tag)", p.Name)
			}
		}
	}
	return errors.Join(errs...)
}

// Described checks that the document describes each operation, each tag and each property of a schema, at any depth.
func Described(document []byte) error {
	var tree struct {
		Tags []struct{ Name, Description string }
		// Paths by method; other keys have no operationId.
		Paths      map[string]map[string]struct{ OperationID, Description string }
		Components struct{ Schemas map[string]any }
	}
	if err := json.Unmarshal(document, &tree); err != nil {
		return fmt.Errorf("the document is not JSON: %w", err)
	}
	var errs []error
	for _, tag := range tree.Tags {
		if tag.Description == "" {
			errs = append(errs, fmt.Errorf("the tag %s has no description", tag.Name))
		}
	}
	for path, item := range tree.Paths {
		for method, op := range item {
			if op.OperationID != "" && op.Description == "" {
				errs = append(errs, fmt.Errorf("%s %s has no description", strings.ToUpper(method), path))
			}
		}
	}
	var walk func(place string, node any)
	walk = func(place string, node any) {
		schema, ok := node.(map[string]any)
		if !ok {
			return
		}
		properties, _ := schema["properties"].(map[string]any)
		for name, child := range properties {
			property, _ := child.(map[string]any)
			if description, _ := property["description"].(string); description == "" {
				errs = append(errs, fmt.Errorf("%s.%s has no description: give its field a doc tag", place, name))
			}
			walk(place+"."+name, child)
		}
		walk(place+"[]", schema["items"])
		walk(place+".*", schema["additionalProperties"])
		for _, list := range []string{"allOf", "anyOf", "oneOf"} {
			parts, _ := schema[list].([]any)
			for _, part := range parts {
				walk(place, part)
			}
		}
	}
	for name, schema := range tree.Components.Schemas {
		walk(name, schema)
	}
	return errors.Join(errs...)
}

// NullableEnums checks that null is among the values of each schema of a document whose type allows null: by JSON Schema
// a value must satisfy both.
func NullableEnums(document []byte) error {
	var tree any
	if err := json.Unmarshal(document, &tree); err != nil {
		return fmt.Errorf("the document is not JSON: %w", err)
	}
	var errs []error
	var walk func(place string, node any)
	walk = func(place string, node any) {
		switch v := node.(type) {
		case []any:
			for i, item := range v {
				walk(fmt.Sprint(place, "/", i), item)
			}
		case map[string]any:
			types, _ := v["type"].([]any)
			values, _ := v["enum"].([]any)
			if slices.Contains(types, any("null")) && values != nil && !slices.Contains(values, nil) {
				errs = append(errs, fmt.Errorf("%s may be null by its type, but not by its enum", place))
			}
			for name, field := range v {
				walk(place+"/"+name, field)
			}
		}
	}
	walk("", tree)
	return errors.Join(errs...)
}

// Golden compares got with a file, or writes the file when the test runs with -update.
func Golden(tb testing.TB, file string, got []byte) {
	tb.Helper()
	if updating() {
		require.NoError(tb, os.MkdirAll(filepath.Dir(file), 0o755))                        //nolint:gosec // a folder of the repository
		require.NoError(tb, os.WriteFile(file, append(bytes.TrimSpace(got), '\n'), 0o644)) //nolint:gosec // a file of the repository
		return
	}
	want, err := os.ReadFile(file)
	require.NoError(tb, err, "no golden file; write it with -update")
	require.Equal(tb, string(bytes.TrimSpace(want)), string(bytes.TrimSpace(got)), "%s differs; if that is meant, refresh it with -update", file)
}

// The flag may belong to another package of the same test binary: then that one counts.
var _ = func() bool {
	if flag.Lookup("update") == nil {
		flag.Bool("update", false, "write golden files")
	}
	return true
}()

func updating() bool {
	f := flag.Lookup("update")
	return f != nil && f.Value.String() == "true"
}

// linter is the pinned public linter.
const linter = "@redocly/cli@2.77.0"

// Lint runs the public OpenAPI linter if Node is available; otherwise it skips, with a message.
func Lint(tb testing.TB, document []byte) {
	tb.Helper()
	npx, err := exec.LookPath("npx")
	if err != nil {
		tb.Skip("the OpenAPI document was NOT linted: npx (Node.js) is not there")
	}
	file := filepath.Join(tb.TempDir(), "openapi.json")
	require.NoError(tb, os.WriteFile(file, document, 0o600))
	// The contract writes /v1/admin/notifications/ with a slash at its end.
	command := exec.CommandContext(tb.Context(), npx, "--yes", linter, "lint", "--format=stylish", "--skip-rule=no-path-trailing-slash", file) //nolint:gosec // fixed arguments
	command.Env = append(command.Environ(), "REDOCLY_TELEMETRY=off", "REDOCLY_SUPPRESS_UPDATE_NOTICE=true", "CI=true")
	out, err := command.CombinedOutput()
	if err != nil && !bytes.Contains(out, []byte("openapi.json")) {
		tb.Skipf("the OpenAPI document was NOT linted: %s could not be run: %s", linter, out)
	}
	require.NoError(tb, err, "%s", out)
	tb.Logf("%s", out)
}
