// Package console serves the pages for people in the modules' manifests: it identifies the visitor, refuses forms of other
// sites, and renders pages in the shared layout. It has no page of its own.
package console

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/clock"
	"gpatlas/platform/console"
	"gpatlas/platform/httpapi"
	templates "gpatlas/templates/console"
)

// Options are a Host's dependencies.
type Options struct {
	Sessions auth.BrowserVerifier // nil: no visitor is signed in
	// AppURL is the public URL of the pages: "https://atlas.example", with an optional path.
	AppURL string
	Logger *slog.Logger
	// Limit counts the request for its caller and puts the limits on the response. refused is why it is over the limit; "" lets
	// it pass. nil limits nothing.
	Limit func(c *fiber.Ctx) (refused string)
	// APIURL is the public URL of the API, for commands on pages; "" is that of the pages.
	APIURL string
	API    console.API // what pages show
	Clock  clock.Clock // nil is the clock of the system
	// Unpack decompresses the body of a form; nil leaves it as it is.
	Unpack func(c *fiber.Ctx) error
}

// Host serves pages.
type Host struct {
	Options

	base   string // prefix of every path
	origin string
	cookie cookie
	paths  []string // in Fiber's notation
	nav    []templates.Link
	own    []console.Page             // with a link in the navigation of the account or the operator
	panels map[string][]console.Panel // by the path of their page
	shared map[string]fiber.Handler   // pages at paths of the API, by path
}

// policy allows a page our style sheet and script, requests of the script to us, and sending its forms to us. The script may turn
// text into elements by its own policy alone.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; " +
	"frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types gpatlas"

// New makes a Host.
func New(o Options) (*Host, error) {
	u, err := url.Parse(o.AppURL)
	if err != nil {
		return nil, fmt.Errorf("the URL of the pages: %w", err)
	}
	if o.Clock == nil {
		o.Clock = clock.System{}
	}
	h := &Host{Options: o, base: strings.TrimRight(u.Path, "/"), cookie: newCookie(u.Scheme == "https"), shared: map[string]fiber.Handler{}}
	if u.Host != "" {
		h.origin = u.Scheme + "://" + u.Host
	}
	return h, nil
}

// Mount adds the pages and the files that they load to an app. A path that is declared twice is an error, as is a panel without its page.
func (h *Host) Mount(app *fiber.App, pages []console.Page, panels []console.Panel, serve func(templates.Asset) fiber.Handler) error {
	claimed := map[string]bool{}
	for _, p := range pages {
		name := p.Method + " " + p.Path
		if claimed[name] {
			return fmt.Errorf("two pages claim %s", name)
		}
		claimed[name] = true
		if p.Nav != "" {
			h.nav = append(h.nav, templates.Link{Path: p.Path, Text: p.Nav})
		}
		if p.Menu != "" {
			h.own = append(h.own, p)
		}
		path := httpapi.FiberPath(p.Path)
		switch {
		case p.Method == http.MethodGet && slices.Contains(Shared, p.Path):
			h.shared[p.Path] = h.serve(p)
			continue
		case p.Method == http.MethodGet:
			app.Get(path, h.serve(p)) // HEAD too
		case p.Method == http.MethodPost:
			app.Post(path, h.serve(p))
		default:
			return fmt.Errorf("%s: a page is of method GET or POST", name)
		}
		if p.Access != console.Admin { // for others than administrators, everything about them is as at unknown paths
			h.paths = append(h.paths, path)
		}
	}
	h.sortMenus()
	h.panels = map[string][]console.Panel{}
	for _, p := range panels {
		if !claimed["GET "+p.Page] {
			return fmt.Errorf("the panel %q is of a page that does not exist: %s", p.Title, p.Page)
		}
		h.panels[p.Page] = append(h.panels[p.Page], p)
	}
	if len(pages) == 0 {
		return nil
	}
	for _, file := range templates.Assets() {
		send := serve(file)
		app.Get(file.Path, func(c *fiber.Ctx) error {
			err := send(c)
			c.Set(fiber.HeaderCacheControl, "public, max-age=31536000, immutable") // its name changes with its contents
			return err
		})
		h.paths = append(h.paths, file.Path)
	}
	return nil
}

// Shared are the paths that have both a page and an operation of the API. The server decides which one a caller gets.
var Shared = []string{"/", "/status"}

// Page shows the page at one of the Shared paths; nil if no module has one.
func (h *Host) Page(path string) fiber.Handler { return h.shared[path] }

// owns reports whether a path is that of a page or of a file that pages load.
func (h *Host) owns(path string) bool {
	return slices.ContainsFunc(h.paths, func(own string) bool { return httpapi.PathMatches(own, path) })
}

// Paths are the paths of the pages and of the files that they load, with parameters as {name}. The Host guards them itself: credentials in headers are ignored.
func (h *Host) Paths() (list []string) {
	for _, path := range h.paths {
		list = append(list, parameter.ReplaceAllString(path, "{$1}"))
	}
	return list
}

var parameter = regexp.MustCompile(`:([a-z_]+)`)

var errOrigin = apperr.New(apperr.KindForbidden, "This form was not sent from a page of GP Atlas. Open the page again and submit the form there.")

// setPageHeaders sets the headers of a page.
func (h *Host) setPageHeaders(c *fiber.Ctx) {
	httpapi.OwnPage(c, policy)
	if h.cookie.secure {
		c.Set(fiber.HeaderReferrerPolicy, "no-referrer")
	} else {
		// Over plain HTTP some browsers send no Sec-Fetch-Site, and with no-referrer no Origin either.
		c.Set(fiber.HeaderReferrerPolicy, "strict-origin")
	}
	c.Response().Header.Add(fiber.HeaderVary, fiber.HeaderCookie)
	c.Set(fiber.HeaderCacheControl, "no-store")
}

var errNoPage = apperr.NotFound("There is no page at this address. The documentation of the API is at /docs.")

// Failures shows a failure at the path of a page, but outside of the page itself, as a page: a too large body, another method.
// It also does so for an unknown path outside of the API, if a browser requests it. All other failures go to next.
func (h *Host) Failures(next fiber.ErrorHandler) fiber.ErrorHandler {
	return func(c *fiber.Ctx, err error) error {
		ours := h.owns(c.Path())
		if !ours && len(h.paths) > 0 && missing(c, err) && httpapi.WantsPage(c) {
			h.setPageHeaders(c)
			absent := errNoPage
			if own := httpapi.Own(c, err); strings.HasSuffix(own.Message, "?") { // it knows a similar path
				absent = own
			}
			return h.fail(c, console.Page{Method: c.Method(), Path: c.Path()}, visitor{caller: &auth.Principal{}}, absent)
		}
		if c.Method() == http.MethodOptions || !ours {
			return next(c, err)
		}
		h.setPageHeaders(c)
		anyone := visitor{caller: &auth.Principal{Address: auth.From(c.UserContext()).Address}}
		p := console.Page{Method: c.Method(), Path: c.Path()}
		if h.Limit != nil {
			if refused := h.Limit(c); refused != "" {
				return h.fail(c, p, anyone, apperr.New(apperr.KindRateLimited, "%s", refused))
			}
		}
		return h.fail(c, p, anyone, httpapi.Own(c, err))
	}
}

// missing reports whether a request's path is unknown and not the API's.
func missing(c *fiber.Ctx, err error) bool {
	e, ok := errors.AsType[*fiber.Error](err)
	return ok && e.Code == http.StatusNotFound && !strings.HasPrefix(c.Path()+"/", "/v1/")
}

// serve answers a page's requests.
func (h *Host) serve(p console.Page) fiber.Handler {
	return func(c *fiber.Ctx) error {
		visitor, failed := h.visitor(c, p)
		if p.Access == console.Admin && !visitor.administrator() {
			return httpapi.NotFound(c)
		}
		h.setPageHeaders(c)
		if h.Limit != nil && p.Access != console.Admin {
			if refused := h.Limit(c); refused != "" {
				return h.fail(c, p, visitor, apperr.New(apperr.KindRateLimited, "%s", refused))
			}
		}
		switch {
		case failed != nil:
			return h.fail(c, p, visitor, failed)
		case p.Method == http.MethodPost && !httpapi.SameOrigin(c, h.origin):
			return h.fail(c, p, visitor, errOrigin)
		case p.Access == console.SignedIn && !visitor.signedIn():
			return h.redirect(c, signIn(c, visitor.ended))
		}
		asked, err := h.request(c)
		if err != nil {
			return h.fail(c, p, visitor, err)
		}
		view, err := p.Load(c.UserContext(), asked)
		switch {
		case err != nil && apperr.From(err).Kind == apperr.KindUnauthenticated && !visitor.signedIn() && p.Method == http.MethodGet:
			return h.redirect(c, signIn(c, false)) // where the API is closed to anonymous callers
		case err != nil:
			return h.fail(c, p, visitor, err)
		case view.File != nil:
			return send(c, view.File)
		case view.Redirect != "":
			if view.SignIn != "" {
				h.cookie.set(c, view.SignIn, auth.BrowserLifetime)
			}
			if view.SignOut {
				h.cookie.remove(c)
			}
			return h.redirect(c, view.Redirect)
		}
		if view.Failure != nil {
			h.status(c, p, view.Failure)
		} else if !visitor.signedIn() && view.Form == nil && view.Forms == nil {
			c.Set(fiber.HeaderCacheControl, "private, no-cache")
		}
		asked.API = looking{h.API}
		return h.show(c, visitor, p, &view, h.load(c.UserContext(), p, asked)...)
	}
}

// longestName is the maximum length in bytes of a field's name in an error message.
const longestName = 64

var errNoForm = apperr.New(apperr.KindUnsupported, "A form must be sent as "+fiber.MIMEApplicationForm)

// request is a page's request: the values of a form come from the body, never from the URL. A value is text and occurs once, as
// in the API; browsers send no others.
func (h *Host) request(c *fiber.Ctx) (*console.Request, error) {
	args := c.Request().URI().QueryArgs()
	if c.Method() == http.MethodPost {
		if h.Unpack != nil {
			if err := h.Unpack(c); err != nil {
				return nil, err
			}
		}
		kind, _, _ := strings.Cut(string(c.Request().Header.ContentType()), ";")
		if len(c.Request().Body()) > 0 && !strings.EqualFold(strings.TrimSpace(kind), fiber.MIMEApplicationForm) {
			return nil, errNoForm
		}
		args = c.Request().PostArgs()
	}
	values := url.Values{}
	for name, value := range args.All() {
		field, fault := string(name), httpapi.TextFault(value)
		switch {
		case len(name) > longestName || httpapi.TextFault(name) != "":
			field, fault = "form", "must not contain a field with an unreadable name"
		case fault == "" && values.Has(field):
			fault = httpapi.SentTwice
		}
		if fault != "" {
			return nil, apperr.Invalid(apperr.FieldError{Field: field, Message: fault})
		}
		values.Set(field, string(value))
	}
	parameters := map[string]string{}
	for name, value := range c.AllParams() {
		text, err := url.PathUnescape(value)
		if err != nil || httpapi.TextFault([]byte(text)) != "" {
			return nil, errNoPage
		}
		parameters[name] = text
	}
	return &console.Request{Values: values, Parameters: parameters, UserAgent: c.Get(fiber.HeaderUserAgent), Now: h.Clock.Now(), Origin: h.origin + h.base, API: h.api(c)}, nil
}

// signIn is where a person without a session is sent. Signing in leads back to the page.
func signIn(c *fiber.Ctx, ended bool) string {
	values := url.Values{}
	if ended {
		values.Set("notice", console.NoticeEnded)
	}
	if c.Method() == fiber.MethodGet && c.Path() != console.AccountPath && console.Local(c.OriginalURL()) {
		values.Set("next", c.OriginalURL())
	}
	if len(values) == 0 {
		return console.SignInPath
	}
	return console.SignInPath + "?" + values.Encode()
}

// redirect sends the browser to one of our paths, by GET.
func (h *Host) redirect(c *fiber.Ctx, path string) error {
	return c.Redirect(h.base+path, http.StatusSeeOther)
}

// status sets the status of a failure, and returns its message.
func (h *Host) status(c *fiber.Ctx, p console.Page, err error) string {
	status, detail, wait := httpapi.Explain(c.UserContext(), h.Logger, p.Method+" "+p.Path, err)
	c.Status(status)
	if wait > 0 {
		c.Set(fiber.HeaderRetryAfter, strconv.FormatInt(int64(math.Ceil(wait.Seconds())), 10))
	}
	return detail
}

// fail shows an error page.
func (h *Host) fail(c *fiber.Ctx, p console.Page, v visitor, err error) error {
	detail := h.status(c, p, err)
	return h.show(c, v, p, &console.View{Title: titles[c.Response().StatusCode()], Body: templates.ErrorPage, Data: detail})
}

// titles are those of error pages.
var titles = map[int]string{
	http.StatusForbidden: "This form was rejected", http.StatusTooManyRequests: "Too many requests",
	http.StatusServiceUnavailable: "Temporarily unavailable", http.StatusInternalServerError: "Something went wrong",
	http.StatusBadRequest: "This request is invalid", http.StatusUnauthorized: "Sign in first",
	http.StatusNotFound: "Page not found", http.StatusConflict: "This is not possible now",
	http.StatusRequestEntityTooLarge: "This form is too large", http.StatusUnsupportedMediaType: "This form cannot be read",
	http.StatusMethodNotAllowed: "This page cannot do that",
	http.StatusPaymentRequired:  "Payment is needed", http.StatusUnprocessableEntity: "This form is out of date",
}

// show writes a page.
func (h *Host) show(c *fiber.Ctx, v visitor, p console.Page, view *console.View, panels ...templates.Panel) error {
	frame := templates.Frame{
		Title: view.Title, Base: h.base, Nav: h.nav, Section: view.Section, SignedIn: v.signedIn(), Wide: view.Wide, Search: view.Search,
		Notice: view.Notice, Form: view.Form, Forms: view.Forms, Data: view.Data, Panels: panels, Origin: cmp.Or(h.APIURL, h.origin),
	}
	if v.signedIn() {
		frame.MenuName, frame.Menu, frame.Here = h.menu(p)
		frame.Admin = v.caller.Admin
	}
	if view.Answer != nil {
		frame.JSON, frame.Charged = view.Answer.URL, view.Answer.Charge != ""
	}
	var out bytes.Buffer
	if err := templates.Render(&out, view.Body, frame); err != nil {
		return fmt.Errorf("render the page %q: %w", view.Title, err)
	}
	c.Set(fiber.HeaderContentType, fiber.MIMETextHTMLCharsetUTF8)
	return c.Send(out.Bytes())
}

// visitor is the person at the browser.
type visitor struct {
	caller *auth.Principal
	ended  bool // there was a session, and it has ended
}

func (v visitor) signedIn() bool { return v.caller.Kind == auth.Session }

func (v visitor) administrator() bool { return v.signedIn() && v.caller.Admin }

// visitor identifies the person at the browser and puts the caller into the request's context. An error means that this cannot
// be checked now. The callers of operators' pages have been identified and counted before: see Administrator.
func (h *Host) visitor(c *fiber.Ctx, p console.Page) (visitor, error) {
	address := auth.From(c.UserContext()).Address
	if p.Access == console.Admin {
		return visitor{caller: auth.From(c.UserContext())}, nil
	}
	v, secret, failed := h.recognize(c, address)
	if secret != "" {
		h.cookie.set(c, secret, auth.BrowserLifetime)
	}
	if v.ended {
		h.cookie.remove(c)
	}
	c.SetUserContext(auth.With(c.UserContext(), v.caller))
	return v, failed
}

// Administrator is the administrator whose session the browser has; nil if it has no such session. Nobody else can see that it was
// asked for. An error means that this cannot be checked now.
func (h *Host) Administrator(c *fiber.Ctx, address netip.Addr) (*auth.Principal, error) {
	v, secret, failed := h.recognize(c, address)
	if failed != nil || !v.administrator() {
		return nil, failed
	}
	if secret != "" {
		h.cookie.set(c, secret, auth.BrowserLifetime)
	}
	return v.caller, nil
}

// recognize finds the session of the browser. renewed is the secret of a session that was extended; its cookie must be, too.
func (h *Host) recognize(c *fiber.Ctx, address netip.Addr) (v visitor, renewed string, failed error) {
	v = visitor{caller: &auth.Principal{Address: address}}
	var secrets []string
	if h.Sessions != nil {
		secrets = h.cookie.read(c)
	}
	for _, secret := range secrets {
		known, extended, err := h.Sessions.VerifyBrowser(c.UserContext(), secret)
		if err == nil {
			caller := *known
			caller.Address = address
			v, failed = visitor{caller: &caller}, nil
			if extended {
				renewed = secret
			}
			break
		}
		if apperr.From(err).Kind == apperr.KindUnauthenticated {
			v.ended = true
		} else {
			failed = err
		}
	}
	if failed != nil {
		v.ended = false // unknown
	}
	return v, renewed, failed
}
