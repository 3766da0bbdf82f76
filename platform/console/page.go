// Package console has the parts of pages for people: a page, its request, its view, and its form. Modules declare pages in
// their manifests, templates/console has the layout, and web/console serves them. This package imports neither a module nor a
// server.
package console

import (
	"context"
	"encoding/json"
	"html/template"
	"io"
	"net/url"
	"strings"
	"time"
)

// Access is who may open a page.
type Access uint8

// The kinds of access.
const (
	Open     Access = iota // anyone
	SignedIn               // a signed-in person; anyone else is sent to SignInPath
	Admin                  // a signed-in administrator; for anyone else the page does not exist. Its path is below /admin
)

// SignInPath is where a person without a session is sent from a page that needs one.
const SignInPath = "/login"

// KeysPath is the page that creates an API key, which follows the verification of an address.
const KeysPath = "/account/keys/new"

// AccountPath is where signing in leads, unless the person came from another page.
const AccountPath = "/account"

// Local reports whether a text is a path on this service, perhaps with a query, to which a person may be sent.
func Local(path string) bool {
	u, err := url.Parse(path)
	return err == nil && len(path) <= 1000 && strings.HasPrefix(path, "/") && !strings.HasPrefix(path, "//") && u.Host == "" && !strings.ContainsAny(path, "\\\r\n\t")
}

// NoticeEnded is the notice on SignInPath after the browser's session has ended: "?notice=ended".
const NoticeEnded = "ended"

// Page is one method at one path.
type Page struct {
	Method string // GET, which changes nothing, or POST
	Path   string // "/login", or with one parameter: "/gps/{crd}"
	Access Access
	Nav    string // text of the link in the main navigation; "" is none
	// Menu is the text of the link in the navigation of the account's or the operator's pages, and Order its place there; "" is none.
	Menu  string
	Order int
	// Load answers a request; auth.From(ctx) is the caller, of kind Session or Anonymous. An error is shown as an error page by
	// its apperr kind. An error that a form can show belongs into View.Failure.
	Load func(ctx context.Context, r *Request) (View, error)
}

// Panel is a part of a page that another slice brings. The panels of a page are loaded at the same time. One that fails, or takes
// too long, is shown as a sentence in its place, and the rest of the page is shown.
type Panel struct {
	Page  string // path of the page: "/gps/{crd}"
	Title string
	Body  *template.Template // made by templates/console; it shows what Load returns, as .Data
	// Button puts the panel at the top of the page, without its title: it is something to do there.
	Button bool
	// Load answers a request of the page. A nil value leaves the panel out.
	Load func(ctx context.Context, r *Request) (any, error)
}

// Request is the request for a page.
type Request struct {
	Values     url.Values        // from the URL for GET, from the body for POST; never both
	Parameters map[string]string // of the path, by name
	UserAgent  string
	Now        time.Time
	Origin     string // in front of the paths of pages, where a path alone is not enough: "https://atlas.example"
	API        API
}

// API calls operations of the API in this process, for the caller in the context. Pages show what the operations return, so a
// page and its JSON cannot differ.
type API interface {
	// Get calls a GET operation by its ID. values are its parameters, those of the path too. The error is the operation's. An
	// operation with a price is refused: a page that is only looked at must not cost money.
	Get(ctx context.Context, operation string, values url.Values) (*Answer, error)
	// Do calls any operation by its ID, with body as the JSON of its body; nil is none. Only a page of method POST can: its form has
	// come from one of our pages. An operation with a price is refused: see Buy.
	Do(ctx context.Context, operation string, values url.Values, body any) (*Answer, error)
	// Price returns what a GET operation with a price would cost the caller; if values is nil, the list price alone. It costs nothing.
	Price(ctx context.Context, operation string, values url.Values) (*Price, error)
	// Buy calls an operation with a price, and charges the caller as a request to the API does. Only a page of method POST can. most is the
	// price in dollars that the page has shown; a higher one is refused. With the same key, the response is the same again, and nothing is
	// charged.
	Buy(ctx context.Context, operation string, values url.Values, key, most string) (*Answer, error)
}

// Price is what an operation costs. Amounts are dollars: "0.25".
type Price struct {
	List            string      // of the price list, without discounts
	Per             string      // request or person
	Amount          json.Number // what the caller would be charged now; "" if there is no account to charge
	Quantity, Owned int64       // persons in the response, and how many of them the caller has bought before
}

// Answer is the response of an operation.
type Answer struct {
	URL string // path and query of the request: "/v1/gps?state=NY"

	// The members of the response, or all of it as Data if it has no member data. Numbers are json.Number.
	Data any
	Meta map[string]any
	File *File // the response, if it is a file to store

	Charge string // dollars that the response cost; "" if the operation has no price
}

// File is a file that a browser stores, or that a program reads.
type File struct {
	Type, Disposition string // the headers; no Disposition: the file is shown
	Body              io.Reader
}

// Record is Data of an operation that returns one record.
func (a *Answer) Record() map[string]any {
	record, _ := a.Data.(map[string]any)
	return record
}

// Rows is Data of an operation that returns a list.
func (a *Answer) Rows() []any {
	rows, _ := a.Data.([]any)
	return rows
}

// Value is the first value of a name; "" if there is none.
func (r *Request) Value(name string) string { return r.Values.Get(name) }

// View is what a page shows, or where it redirects.
type View struct {
	Title string             // of the page; without a full stop
	Body  *template.Template // made by templates/console
	Data  any                // what Body shows, as .Data
	Form  *Form              // what the form shows, as .Form; nil if there is none
	Forms []*Form            // what the forms show, as .Forms, if there are several or Actions take them
	// Section is the path of the link in the main navigation that leads to pages like this one: "/gps".
	Section string
	// Answer is the operation whose response the page shows. Its URL is shown as the request that returns the same as JSON.
	Answer *Answer
	Search string // typed into the search of the header
	Wide   bool   // the page has tables and plots, and takes the width of the window
	// Notice is one sentence about what has just happened; "" means none.
	Notice string
	// Failure is why the form was refused: it sets the status, and Retry-After. The form has to show it.
	Failure error

	File *File // is sent instead of the page

	// Redirect is the path to redirect to (303) instead of showing the page: "/account", with an optional query.
	Redirect string
	// SignIn is the secret of a new browser session, which becomes the cookie. It needs a Redirect.
	SignIn string
	// SignOut removes the cookie. It needs a Redirect.
	SignOut bool
}
