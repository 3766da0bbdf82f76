// Package console has the parts of pages for people: a page, its request, its view, and its form. Modules declare pages in
// their manifests, templates/console has the layout, and web/console serves them. This package imports neither a module nor a
// server.
package console

import (
	"context"
	"html/template"
	"net/url"
)

// Access is who may open a page.
type Access uint8

// The kinds of access.
const (
	Open     Access = iota // anyone
	SignedIn               // a signed-in person; anyone else is sent to SignInPath
)

// SignInPath is where a person without a session is sent from a page that needs one.
const SignInPath = "/login"

// KeysPath is the page that creates an API key, which follows the verification of an address.
const KeysPath = "/api-keys"

// NoticeEnded is the notice on SignInPath after the browser's session has ended: "?notice=ended".
const NoticeEnded = "ended"

// Page is one method at one path.
type Page struct {
	Method string // GET, which changes nothing, or POST
	Path   string // fixed text: "/login"
	Access Access
	// Load answers a request; auth.From(ctx) is the caller, of kind Session or Anonymous. An error is shown as an error page by
	// its apperr kind. An error that a form can show belongs into View.Failure.
	Load func(ctx context.Context, r *Request) (View, error)
}

// Request is the request for a page.
type Request struct {
	Values    url.Values // from the URL for GET, from the body for POST; never both
	UserAgent string
}

// Value is the first value of a name; "" if there is none.
func (r *Request) Value(name string) string { return r.Values.Get(name) }

// View is what a page shows, or where it redirects.
type View struct {
	Title string             // of the page; without a full stop
	Body  *template.Template // made by templates/console
	Data  any                // what Body shows, as .Data
	Form  *Form              // what the form shows, as .Form; nil if there is none
	// Notice is one sentence about what has just happened; "" means none.
	Notice string
	// Failure is why the form was refused: it sets the status, and Retry-After. The form has to show it.
	Failure error

	// Redirect is the path to redirect to (303) instead of showing the page: "/account", with an optional query.
	Redirect string
	// SignIn is the secret of a new browser session, which becomes the cookie. It needs a Redirect.
	SignIn string
	// SignOut removes the cookie. It needs a Redirect.
	SignOut bool
}
