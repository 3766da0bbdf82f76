package webtest_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/gofiber/fiber/v2"
	"github.com/stretchr/testify/require"

	"gpatlas/platform/httpapi"
	"gpatlas/web/webtest"
)

// Routes in a bad order are found: the parameter swallows the fixed path.
func TestReachableFindsSwallowedRoutes(t *testing.T) {
	t.Parallel()
	nothing := func(*fiber.Ctx) error { return nil }
	bad := fiber.New(httpapi.FiberConfig(nil))
	bad.Get("/v1/notifications/:id", nothing)
	bad.Get("/v1/notifications/stats", nothing)
	require.ErrorContains(t, webtest.Reachable(bad), `GET /v1/notifications/stats is answered by "/v1/notifications/:id"`)
	good := fiber.New(httpapi.FiberConfig(nil))
	good.Use(nothing)
	good.Get("/v1/notifications/stats", nothing)
	good.Get("/v1/notifications/:id", nothing)
	good.Get("/v1/open/:id.png", nothing)
	good.Get("/", nothing)
	require.NoError(t, webtest.Reachable(good))
}

type undocumented struct {
	Q httpapi.Opt[string] `query:"q"`
}

func TestDocumentedFindsWhatIsMissing(t *testing.T) {
	t.Parallel()
	api := httpapi.New(fiber.New(), httpapi.Config{})
	handler := func(context.Context, *undocumented) (*httpapi.Reply[struct{}], error) { return nil, nil }
	require.NoError(t, api.Register([]httpapi.Route{
		httpapi.Get("/a/{x}", "Not_Kebab", handler, httpapi.Summary("Ends with a full stop.")),
		httpapi.Get("/b", "good-id", func(context.Context, *struct{}) (*httpapi.Reply[struct{}], error) { return nil, nil }, httpapi.Summary("Good"), httpapi.Tag("T")),
	}))
	err := webtest.Documented(api.Routes())
	for _, part := range []string{
		`"Not_Kebab" is not kebab case`, "is not a title", "GET /a/{x}: no tag", "parameter q has no description", "no field for the path parameter {x}",
	} {
		require.ErrorContains(t, err, part)
	}
	require.NotContains(t, err.Error(), "/b")
}

// failure records what a check says instead of failing.
type failure struct {
	testing.TB
	failed bool
}

func (f *failure) Helper()               {}
func (f *failure) Errorf(string, ...any) { f.failed = true }
func (f *failure) FailNow()              { panic(f) }
func (f *failure) run(check func()) (failed bool) {
	defer func() {
		if r := recover(); r != nil && r != any(f) {
			panic(r)
		}
		failed = f.failed
	}()
	check()
	return f.failed
}

func TestGoldenFindsDifferences(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "golden.json")
	f := &failure{TB: t}
	require.True(t, f.run(func() { webtest.Golden(f, file, []byte("{}")) }), "no file")
	require.NoError(t, os.WriteFile(file, []byte("{}\n"), 0o600))
	f = &failure{TB: t}
	require.False(t, f.run(func() { webtest.Golden(f, file, []byte("{}")) }), "the same")
	f = &failure{TB: t}
	require.True(t, f.run(func() { webtest.Golden(f, file, []byte(`{"a":1}`)) }), "another")
}

func TestLintFindsFaults(t *testing.T) {
	t.Parallel()
	f := &failure{TB: t}
	bad := []byte(`{"openapi":"3.1.0","info":{"title":"x","version":"1"},"paths":{"/a/{b}":{"get":{"responses":{"200":{"description":"ok"}}}}}}`)
	require.True(t, f.run(func() { webtest.Lint(f, bad) }))
}

func TestDescribedFindsWhatIsMissing(t *testing.T) {
	t.Parallel()
	document := `{"tags":[{"name":"T"},{"name":"U","description":"Good."}],"paths":{"/a":{"get":{"operationId":"a"},"post":{"operationId":"b","description":"Good."}}},
		"components":{"schemas":{"A":{"properties":{"x":{"type":"string"},"y":{"description":"Good.","items":{"properties":{"z":{}}}}}}}}}`
	err := webtest.Described([]byte(document))
	for _, fault := range []string{"the tag T has no description", "GET /a has no description", "A.x has no description", "A.y[].z has no description"} {
		require.ErrorContains(t, err, fault)
	}
	require.NotContains(t, err.Error(), "U")
	require.NotContains(t, err.Error(), "POST")
	require.NotContains(t, err.Error(), "A.y has")
}

func TestNullableEnumsFindsMissingNulls(t *testing.T) {
	t.Parallel()
	good := `{"a":[{"type":["string","null"],"enum":["x",null]},{"type":["string","null"]},{"type":"string","enum":["x"]}]}`
	require.NoError(t, webtest.NullableEnums([]byte(good)))
	bad := []byte(`{"a":[{"type":["string","null"],"enum":["x"]}]}`)
	require.EqualError(t, webtest.NullableEnums(bad), "/a/0 may be null by its type, but not by its enum")
}
