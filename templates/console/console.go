// Package console has the layout, the parts and the styles that all pages for people share. Modules parse their pages with
// Parse; web/console shows them with Render.
package console

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"html/template"
	"io"
	"io/fs"

	"gpatlas/platform/console"
)

//go:embed layout.html parts/*.html
var files embed.FS

//go:embed css/tokens.css
var tokens string

//go:embed css/base.css
var base string

// Style is the style sheet of every page.
func Style() string { return tokens + base }

// StylePath is where the style sheet is served. Its name changes with its content.
func StylePath() string {
	sum := sha256.Sum256([]byte(Style()))
	return "/assets/console." + hex.EncodeToString(sum[:6]) + ".css"
}

// Frame is what a page's template is given.
type Frame struct {
	Title    string
	Base     string // path in front of every path of ours: "" or "/atlas"
	Style    string // StylePath
	SignedIn bool
	Notice   string
	Form     *console.Form
	Data     any
}

// layout holds the layout and the parts.
var layout = template.Must(template.New("layout.html").Option("missingkey=error").ParseFS(files, "layout.html", "parts/*.html"))

// Parse reads a page, which defines "content", together with the layout. It panics on a fault in the template: pages are
// parsed when the program starts.
func Parse(from fs.FS, name string) *template.Template {
	return template.Must(template.Must(layout.Clone()).ParseFS(from, name))
}

// Render writes a page made by Parse.
func Render(w io.Writer, page *template.Template, frame Frame) error {
	return page.ExecuteTemplate(w, "layout.html", frame)
}

// ErrorPage shows Frame.Data, a sentence.
var ErrorPage = Parse(files, "parts/error.html")
