package web

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"mime"
	"net/http"
	"net/http/httptest"
	"path"
	"regexp"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/swaggest/swgui"
	"github.com/swaggest/swgui/v5emb"
)

// referenceAssets are the files of the interactive reference that its page asks for.
var referenceAssets = []string{
	"swagger-ui.css", "swagger-ui-bundle.js", "swagger-ui-standalone-preset.js", "favicon-16x16.png", "favicon-32x32.png",
}

// addReference serves the interactive reference at /docs. Page and assets are embedded in the binary and are read once;
// nothing comes from elsewhere, and the page's policy lets nothing.
func addReference(app *fiber.App) error {
	ui := v5emb.NewWithConfig(swgui.Config{SettingsUI: map[string]string{
		"defaultModelsExpandDepth": "1", "tryItOutEnabled": "true", "persistAuthorization": "false", "docExpansion": `"list"`,
	}})(Title, "/openapi.json", "/docs")
	page, err := fetch(ui, "/docs")
	if err != nil {
		return err
	}
	policy := "default-src 'none'; connect-src 'self'; img-src 'self' data:; font-src 'self'; style-src 'self' 'unsafe-inline'; " +
		"script-src 'self'" + scriptHashes(page) + "; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
	show := fixed("text/html; charset=utf-8", page)
	document := func(c *fiber.Ctx) error {
		c.Set(fiber.HeaderContentSecurityPolicy, policy)
		return show(c)
	}
	app.Get("/docs", document)
	app.Get("/docs/", document)
	for _, name := range referenceAssets {
		body, err := fetch(ui, "/docs/"+name)
		if err != nil {
			return err
		}
		app.Get("/docs/"+name, fixed(mime.TypeByExtension(path.Ext(name)), body))
	}
	return nil
}

// fetch reads one page of a handler.
func fetch(h http.Handler, address string) ([]byte, error) {
	recorder := httptest.NewRecorder()
	h.ServeHTTP(recorder, httptest.NewRequest(http.MethodGet, address, nil)) //nolint:noctx // no connection is made
	if recorder.Code != http.StatusOK {
		return nil, fmt.Errorf("%s: status %d", address, recorder.Code)
	}
	return bytes.Clone(recorder.Body.Bytes()), nil
}

var inlineScript = regexp.MustCompile(`(?s)<script>(.*?)</script>`)

// scriptHashes allows the page's own inline scripts by their hashes, and thereby no others.
func scriptHashes(page []byte) string {
	var b strings.Builder
	for _, m := range inlineScript.FindAllSubmatch(page, -1) {
		sum := sha256.Sum256(m[1])
		b.WriteString(" 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'")
	}
	return b.String()
}
