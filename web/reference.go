package web

import (
	_ "embed"
	"sync"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"gpatlas/docs"
)

//go:generate ../scripts/reference.sh

// The interactive reference: docs/reference.md explains why it is Scalar, with which version and license.
var (
	//go:embed reference/page.html
	referencePage []byte
	//go:embed reference/start.js
	referenceStart []byte
	// referenceProgram is written by scripts/reference.sh. It is stored compressed, as browsers request it.
	//go:embed reference/scalar.js.br
	referenceProgram []byte
)

// referencePolicy lets the page load nothing from elsewhere, and run no script but our two files: no inline script, no eval.
// Scalar's program creates style elements and attributes, so inline styles are allowed.
const referencePolicy = "default-src 'none'; connect-src 'self'; img-src 'self' data:; font-src 'self'; style-src 'self' 'unsafe-inline'; " +
	"script-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// unpackedProgram is the program for browsers that do not accept it compressed, decompressed once per process.
var unpackedProgram = sync.OnceValues(func() ([]byte, error) { return fasthttp.AppendUnbrotliBytes(nil, referenceProgram) })

// referencePath is the path of the interactive reference.
const referencePath = "/docs"

// addReference serves the interactive reference. Page and program are embedded in the binary; the page's policy forbids loading
// anything else.
func addReference(app *fiber.App) {
	show := fixed("text/html; charset=utf-8", referencePage)
	document := func(c *fiber.Ctx) error {
		c.Set(fiber.HeaderContentSecurityPolicy, referencePolicy)
		return show(c)
	}
	app.Get(referencePath, document)
	app.Get(referencePath+"/", document)
	const script = "text/javascript; charset=utf-8"
	app.Get(referencePath+"/start.js", fixed(script, referenceStart))
	// As plain text, because browsers save Markdown as a file.
	app.Get(conventionsPath, fixed("text/plain; charset=utf-8", []byte(docs.Conventions)))
	app.Get(referencePath+"/scalar.js", fixedAs(script, unpackedProgram, referenceProgram))
}
