// Package console serves the pages for people in the modules' manifests: it identifies the visitor, refuses forms of other
// sites, and renders pages in the shared layout. It has no page of its own.
package console

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
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
	// Unpack decompresses the body of a form; nil leaves it as it is.
	Unpack func(c *fiber.Ctx) error
}

// Host serves pages.
type Host struct {
	Options

	base   string // prefix of every path
	origin string
	cookie cookie
	paths  []string
}

// policy allows a page its style sheet and sending its forms to us, and nothing else: there is no script.
const policy = "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// New makes a Host.
func New(o Options) (*Host, error) {
	u, err := url.Parse(o.AppURL)
	if err != nil {
		return nil, fmt.Errorf("the URL of the pages: %w", err)
	}
	h := &Host{Options: o, base: strings.TrimRight(u.Path, "/"), cookie: newCookie(u.Scheme == "https")}
	if u.Host != "" {
		h.origin = u.Scheme + "://" + u.Host
	}
	return h, nil
}

// Mount adds the pages and their style sheet to an app. A path that is declared twice is an error.
func (h *Host) Mount(app *fiber.App, pages []console.Page, style fiber.Handler) error {
	claimed := map[string]bool{}
	for _, p := range pages {
		name := p.Method + " " + p.Path
		if claimed[name] {
			return fmt.Errorf("two pages claim %s", name)
		}
		claimed[name] = true
		switch p.Method {
		case http.MethodGet:
			app.Get(p.Path, h.serve(p)) // HEAD too
		case http.MethodPost:
			app.Post(p.Path, h.serve(p))
		default:
			return fmt.Errorf("%s: a page is of method GET or POST", name)
		}
		h.paths = append(h.paths, p.Path)
	}
	if len(pages) > 0 {
		app.Get(templates.StylePath(), func(c *fiber.Ctx) error {
			err := style(c)
			c.Set(fiber.HeaderCacheControl, "public, max-age=31536000, immutable") // its name changes with its contents
			return err
		})
		h.paths = append(h.paths, templates.StylePath())
	}
	return nil
}

// Paths are the paths of the pages and of their assets. The Host guards them itself: credentials in headers are ignored.
func (h *Host) Paths() []string { return h.paths }

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
		ours := slices.Contains(h.paths, c.Path())
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
		h.setPageHeaders(c)
		visitor, failed := h.visitor(c)
		if h.Limit != nil {
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
			target := console.SignInPath
			if visitor.ended {
				target += "?notice=" + console.NoticeEnded
			}
			return h.redirect(c, target)
		}
		asked, err := h.request(c)
		if err != nil {
			return h.fail(c, p, visitor, err)
		}
		view, err := p.Load(c.UserContext(), asked)
		switch {
		case err != nil:
			return h.fail(c, p, visitor, err)
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
		} else if !visitor.signedIn() && view.Form == nil {
			c.Set(fiber.HeaderCacheControl, "private, no-cache")
		}
		return h.show(c, visitor, view)
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
	return &console.Request{Values: values, UserAgent: c.Get(fiber.HeaderUserAgent)}, nil
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
	return h.show(c, v, console.View{Title: titles[c.Response().StatusCode()], Body: templates.ErrorPage, Data: detail})
}

// titles are those of error pages.
var titles = map[int]string{
	http.StatusForbidden: "This form was rejected", http.StatusTooManyRequests: "Too many requests",
	http.StatusServiceUnavailable: "Temporarily unavailable", http.StatusInternalServerError: "Something went wrong",
	http.StatusBadRequest: "This request is invalid", http.StatusUnauthorized: "Sign in first",
	http.StatusNotFound: "Page not found", http.StatusConflict: "This is not possible now",
	http.StatusRequestEntityTooLarge: "This form is too large", http.StatusUnsupportedMediaType: "This form cannot be read",
	http.StatusMethodNotAllowed: "This page cannot do that",
}

// show writes a page.
func (h *Host) show(c *fiber.Ctx, v visitor, view console.View) error {
	var out bytes.Buffer
	err := templates.Render(&out, view.Body, templates.Frame{
		Title: view.Title, Base: h.base, Style: templates.StylePath(), SignedIn: v.signedIn(),
		Notice: view.Notice, Form: view.Form, Data: view.Data,
	})
	if err != nil {
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

// visitor identifies the person at the browser and puts the caller into the request's context. An error means that this cannot
// be checked now.
func (h *Host) visitor(c *fiber.Ctx) (visitor, error) {
	address := auth.From(c.UserContext()).Address
	v := visitor{caller: &auth.Principal{Address: address}}
	var secrets []string
	if h.Sessions != nil {
		secrets = h.cookie.read(c)
	}
	var failed error
	for _, secret := range secrets {
		known, renewed, err := h.Sessions.VerifyBrowser(c.UserContext(), secret)
		if err == nil {
			caller := *known
			caller.Address = address
			v, failed = visitor{caller: &caller}, nil
			if renewed {
				h.cookie.set(c, secret, auth.BrowserLifetime)
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
	if v.ended {
		h.cookie.remove(c)
	}
	c.SetUserContext(auth.With(c.UserContext(), v.caller))
	return v, failed
}
