package web_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/valyala/fasthttp"
	"golang.org/x/sync/errgroup"

	"gpatlas/web/webtest"
)

func TestOpenAPIPages(t *testing.T) {
	t.Parallel()
	h := webtest.Host(t, (&fake{}).manifest())
	got := fetch(t, h, "/openapi.json")
	require.Equal(t, 200, got.Status)
	require.Equal(t, "application/json", got.Header.Get("Content-Type"))
	var document struct {
		OpenAPI string                                `json:"openapi"`
		Info    struct{ Version string }              `json:"info"`
		Servers []struct{ URL string }                `json:"servers"`
		Paths   map[string]map[string]json.RawMessage `json:"paths"`
	}
	require.NoError(t, json.Unmarshal([]byte(got.Body), &document))
	require.Equal(t, "3.1.0", document.OpenAPI)
	require.Equal(t, "1.1.0", document.Info.Version)
	require.Equal(t, "/", document.Servers[0].URL)
	require.Contains(t, document.Paths, "/v1/items/{name}")
	require.NotContains(t, document.Paths, "/_internal/metrics")
	require.Equal(t, 304, fetch(t, h, "/openapi.json", "If-None-Match", got.Header.Get("ETag")).Status)
	for _, encoding := range []string{"br", "gzip"} {
		packed := fetch(t, h, "/openapi.json", "Accept-Encoding", encoding)
		require.Equal(t, encoding, packed.Header.Get("Content-Encoding"))
		require.Less(t, len(packed.Body), len(got.Body)/3)
		require.Equal(t, 304, fetch(t, h, "/openapi.json", "Accept-Encoding", encoding, "If-None-Match", packed.Header.Get("ETag")).Status)
	}
	asYAML := fetch(t, h, "/openapi.yaml")
	require.Equal(t, 200, asYAML.Status)
	require.Contains(t, asYAML.Body, "openapi: 3.1.0")

	options := webtest.Options(t)
	options.Config.PublicURL = "https://api.example.com/"
	public := webtest.App(t, options)
	require.Equal(t, "https://api.example.com", public.API.OpenAPI().Servers[0].URL)
}

// The document is written for whoever asks first, in each of its forms, while requests are validated by the same schemas.
func TestOpenAPIPagesAreMadeAtOnce(t *testing.T) {
	t.Parallel()
	h := webtest.Host(t, (&fake{}).manifest())
	asked := map[string]int{"/openapi.json": 200, "/openapi.yaml": 200, "/llms.txt": 200, "/docs/scalar.js": 200, "/v1/items/1?limit=x": 400}
	var mu sync.Mutex
	bodies := map[string]map[string]bool{}
	var g errgroup.Group
	for range 2 {
		for path, status := range asked {
			g.Go(func() error {
				got := fetch(t, h, path)
				mu.Lock()
				defer mu.Unlock()
				if bodies[path] == nil {
					bodies[path] = map[string]bool{}
				}
				if status == 200 {
					bodies[path][got.Body] = true
				}
				if got.Status != status {
					return fmt.Errorf("%s answers %d", path, got.Status)
				}
				return nil
			})
		}
	}
	require.NoError(t, g.Wait())
	for path, different := range bodies {
		require.LessOrEqual(t, len(different), 1, path)
	}
}

var reference = regexp.MustCompile(`(?:src|href)="([^"]+)"`)

// Everything that the reference page loads is in the binary, and its policy allows nothing else.
func TestReferenceIsSelfContained(t *testing.T) {
	t.Parallel()
	h := webtest.Host(t)
	for _, path := range []string{"/docs", "/docs/"} {
		page := fetch(t, h, path)
		require.Equal(t, 200, page.Status)
		require.Equal(t, "text/html; charset=utf-8", page.Header.Get("Content-Type"))
		policy := page.Header.Get("Content-Security-Policy")
		require.Contains(t, policy, "default-src 'none'")
		require.NotContains(t, policy, "http")
		require.NotRegexp(t, `script-src[^;]*unsafe`, policy)
		require.Contains(t, policy, "script-src 'self';", "no inline script, no eval, not even by a hash")
		require.NotContains(t, page.Body, "<script>")
		require.Contains(t, page.Body, `"/openapi.json"`)
		assets := reference.FindAllStringSubmatch(page.Body, -1)
		require.GreaterOrEqual(t, len(assets), 4)
		for _, asset := range assets {
			if asset[1] == "data:," { // no icon
				continue
			}
			require.True(t, strings.HasPrefix(asset[1], "/"), asset[1])
			got := fetch(t, h, asset[1])
			require.Equal(t, 200, got.Status, asset[1])
			require.NotEmpty(t, got.Body)
			require.NotEqual(t, "application/octet-stream", got.Header.Get("Content-Type"), asset[1])
		}
	}
	require.Equal(t, 404, fetch(t, h, "/docs/other.js").Status)
}

// The program of the reference is the one whose checksum docs/reference.md states, whatever encoding a browser asks for.
func TestReferenceProgram(t *testing.T) {
	t.Parallel()
	h := webtest.Host(t)
	packed, err := os.ReadFile(filepath.Join("reference", "scalar.js.br"))
	require.NoError(t, err)
	page, err := os.ReadFile(filepath.Join("..", "docs", "reference.md"))
	require.NoError(t, err)
	require.Contains(t, string(page), fmt.Sprintf("`%x`", sha256.Sum256(packed)))
	brotli := fetch(t, h, "/docs/scalar.js", "Accept-Encoding", "gzip, br")
	require.Equal(t, "br", brotli.Header.Get("Content-Encoding"))
	require.Equal(t, string(packed), brotli.Body)
	plain, err := fasthttp.AppendUnbrotliBytes(nil, packed)
	require.NoError(t, err)
	require.Equal(t, string(plain), fetch(t, h, "/docs/scalar.js").Body)
	require.NotContains(t, string(plain), "sourceMappingURL")
}

func TestLLMs(t *testing.T) {
	t.Parallel()
	h := webtest.Host(t, (&fake{}).manifest())
	got := fetch(t, h, "/llms.txt")
	require.Equal(t, "text/plain; charset=utf-8", got.Header.Get("Content-Type"))
	require.True(t, strings.HasPrefix(got.Body, "# GP Atlas\n\n> "))
	for _, part := range []string{"**Get a key.**", "## Conventions", "### Rate limits", "## Service", "### GET /health", "### GET /v1/list", "- `q` (query, string): Text.", "- `limit` (query, integer): Rows to return"} {
		require.Contains(t, got.Body, part)
	}
}

// The description begins with a key and a request, which goes to the service's own address, and links to the rules.
func TestIntroduction(t *testing.T) {
	t.Parallel()
	options := webtest.Options(t)
	options.Config.PublicURL = "https://api.example.com/"
	text := webtest.App(t, options).API.OpenAPI().Info.Description
	require.Less(t, strings.Index(text, "Get a key"), strings.Index(text, "'https://api.example.com/v1/gps?"))
	require.Less(t, len(strings.Fields(text)), 300, "rules belong into docs/conventions.md")
	options = webtest.Options(t)
	options.Config.AppURL = "http://127.0.0.1:9000/"
	for _, path := range []string{"/llms.txt", "/openapi.json"} {
		own := fetch(t, hostOf(t, options), path)
		require.Contains(t, own.Body, "'http://127.0.0.1:9000/v1/gps?", path)
		require.NotContains(t, own.Body, "8080", path)
	}
	h := webtest.Host(t)
	got := fetch(t, h, "/docs/conventions")
	require.Equal(t, "text/plain; charset=utf-8", got.Header.Get("Content-Type"))
	require.Contains(t, got.Body, "## Authentication")
	require.Contains(t, text, "](/docs/conventions)")
}

// The document names the products before what only administrators do, and no optional filter has a value that a page
// would send by itself.
func TestDocumentIsReadyToTry(t *testing.T) {
	t.Parallel()
	options := webtest.Options(t, (&fake{}).manifest())
	app := webtest.App(t, options)
	var names []string
	for _, tag := range app.API.OpenAPI().Tags {
		names = append(names, tag.Name)
	}
	require.Equal(t, "Service", names[0], "of those that the contract names")
	for path, item := range app.API.OpenAPI().Paths {
		if item.Get == nil {
			continue
		}
		for _, p := range item.Get.Parameters {
			if !p.Required {
				require.Nil(t, p.Example, "%s %s", path, p.Name)
				require.Empty(t, p.Schema.Examples, "%s %s", path, p.Name)
			}
		}
	}
}
