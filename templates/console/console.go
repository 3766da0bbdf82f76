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
	"strings"

	"gpatlas/platform/console"
	"gpatlas/platform/console/chart"
)

//go:embed layout.html parts/*.html
var files embed.FS

//go:embed css/tokens.css
var tokens string

//go:embed css/base.css
var base string

//go:embed css/explorer.css
var explorer string

//go:embed css/account.css
var account string

//go:embed js/live.js
var live string

// Asset is a file that every page loads.
type Asset struct{ Path, Type, Text string }

// Assets are the files that pages load. The name of each changes with its content.
func Assets() []Asset { return []Asset{Style, Script} }

// The style sheet and the script of every page.
var (
	Style  = asset("css", "text/css; charset=utf-8", tokens+base+explorer+account)
	Script = asset("js", "text/javascript; charset=utf-8", live)
)

func asset(extension, kind, text string) Asset {
	sum := sha256.Sum256([]byte(text))
	return Asset{"/assets/console." + hex.EncodeToString(sum[:6]) + "." + extension, kind, text}
}

// Frame is what a page's template is given.
type Frame struct {
	Title    string
	Base     string // path in front of every path of ours: "" or "/atlas"
	Nav      []Link
	Section  string // path of the link in Nav that leads to pages like this one
	SignedIn bool
	Wide     bool
	Search   string // typed into the search in the header
	Notice   string
	Form     *console.Form
	Forms    []*console.Form
	Admin    bool   // an administrator is signed in
	Menu     []Link // the navigation of the account's or the operator's pages; nil on other pages
	MenuName string // "Account"
	Here     string // path of the link in Menu that leads to this page
	Data     any
	Panels   []Panel
	JSON     string // path and query of the request that returns the same as JSON; "" if there is none
	Charged  bool   // that request has a price
	Origin   string // in front of JSON in a command: "https://atlas.example"
}

// Link is a link of the main navigation.
type Link struct{ Path, Text string }

// Panel is a panel as it is shown: what its template wrote, or why it cannot be shown.
type Panel struct {
	ID, Title string
	Button    bool // it stands at the top of the page
	Content   template.HTML
	Problem   string
}

// With is the frame of one of several forms.
func (f Frame) With(form *console.Form) Frame {
	f.Form = form
	return f
}

// Of is the frame of a table.
func (f Frame) Of(t *console.Table) Frame {
	f.Data = t
	return f
}

// Press is the frame of a button.
func (f Frame) Press(b console.Button) Frame {
	f.Data = b
	return f
}

// StylePath is where the style sheet is served.
func (Frame) StylePath() string { return Style.Path }

// ScriptPath is where the script is served.
func (Frame) ScriptPath() string { return Script.Path }

// funcs are what templates call to write values.
var funcs = template.FuncMap{
	"money": console.Money, "dollars": console.Dollars, "count": console.Count, "day": console.Day, "word": console.Word, "plain": console.Plain,
	"whole": console.Whole, "moment": console.Moment, "usd": console.USD, "bar": chart.Bar, "states": chart.States,
}

// layout holds the layout and the parts.
var layout = template.Must(template.New("layout.html").Funcs(funcs).Option("missingkey=error").ParseFS(files, "layout.html", "parts/*.html"))

// Parse reads a page, which defines "content", together with the layout. It panics on a fault in the template: pages are
// parsed when the program starts.
func Parse(from fs.FS, name string) *template.Template {
	return template.Must(template.Must(layout.Clone()).ParseFS(from, name))
}

// Render writes a page made by Parse.
func Render(w io.Writer, page *template.Template, frame Frame) error {
	return page.ExecuteTemplate(w, "layout.html", frame)
}

// Content writes a page's or panel's own part, without the layout.
func Content(body *template.Template, frame Frame) (template.HTML, error) {
	var out strings.Builder
	err := body.ExecuteTemplate(&out, "content", frame)
	return template.HTML(out.String()), err //nolint:gosec // html/template has escaped it
}

// ErrorPage shows Frame.Data, a sentence.
var ErrorPage = Parse(files, "parts/error.html")

// Screen shows Frame.Data, a *console.Content, then the forms and panels.
var Screen = Parse(files, "parts/screen.html")

// FactsPanel shows Frame.Data, a list of pairs.
var FactsPanel = Parse(files, "parts/factspanel.html")

// Sold shows Frame.Data, a *console.Offer.
var Sold = Parse(files, "parts/sold.html")

// TablePanel shows Frame.Data, a *console.Table.
var TablePanel = Parse(files, "parts/tablepanel.html")
