// Package console is what the pages for people are made of: a page, what it is asked, what it shows, and its form. Modules
// bring pages in their manifests, templates/console has the layout, and web/console serves them. This package knows neither
// a module nor a server.
package console

import (
	"context"
	"html/template"
	"net/url"
)

// Access says who may open a page.
type Access uint8

// The kinds of access.
const (
	Open     Access = iota // anyone
	SignedIn               // a signed-in person; anyone else is sent to SignInPath
)

// SignInPath is where a person without a session is sent from a page that needs one.
const SignInPath = "/login"

// KeysPath is the page that makes an API key: where a person goes from a confirmed address.
const KeysPath = "/api-keys"

// NoticeEnded is the notice that SignInPath gets when the browser's session has ended: "?notice=ended".
const NoticeEnded = "ended"

// Page is one method at one path.
type Page struct {
	Method string // GET, which changes nothing, or POST
	Path   string // fixed text: "/login"
	Access Access
	// Load answers a request; auth.From(ctx) is the caller, of kind Session or Anonymous. An error is shown as an error page
	// by its apperr kind. One that a form can show belongs into View.Failure.
	Load func(ctx context.Context, r *Request) (View, error)
}

// Request is what a page is asked.
type Request struct {
	Values    url.Values // of GET those in the URL, of POST those in the body; never both
	UserAgent string
}

// Value is the first value of a name; "" where there is none.
func (r *Request) Value(name string) string { return r.Values.Get(name) }

// View is what a page shows, or where it leads.
type View struct {
	Title string             // of the page; ends in no full stop
	Body  *template.Template // made by templates/console
	Data  any                // what Body shows, as .Data
	Form  *Form              // what the form shows, as .Form; nil where there is none
	// Notice is one sentence about what has just happened; "" is none.
	Notice string
	// Failure is why the form was refused: it decides the status, and Retry-After. The form has to show it.
	Failure error

	// Redirect is the path to go to (303) in place of showing anything: "/account", with a query where there is one.
	Redirect string
	// SignIn is the secret of a new browser session: it becomes the cookie. It goes with a Redirect.
	SignIn string
	// SignOut takes the cookie away. It goes with a Redirect.
	SignOut bool
}
