package console_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/stretchr/testify/require"

	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/console"
	"gpatlas/platform/httpapi"
	templates "gpatlas/templates/console"
	webconsole "gpatlas/web/console"
)

// sessions knows one secret.
type sessions struct {
	secret  string
	renewed bool
	err     error
}

func (s sessions) VerifyBrowser(_ context.Context, secret string) (*auth.Principal, bool, error) {
	if s.err != nil {
		return nil, false, s.err
	}
	if secret != s.secret {
		return nil, false, apperr.New(apperr.KindUnauthenticated, "no")
	}
	return &auth.Principal{Kind: auth.Session, UserID: 7}, s.renewed, nil
}

const secret = "abcdefghijklmnopqrstuvwxyz0123456789_-ABCDE"

var body = templates.Parse(fstest.MapFS{"page.html": {Data: []byte(`{{define "content"}}<p>{{.Data}}</p><a href="{{.Base}}/x">x</a>{{end}}`)}}, "page.html")

func show(data any) func(context.Context, *console.Request) (console.View, error) {
	return func(context.Context, *console.Request) (console.View, error) {
		return console.View{Title: "Shown", Body: body, Data: data}, nil
	}
}

// answer is what a page was answered with.
type answer struct {
	status int
	header http.Header
	body   string
}

func asset(f templates.Asset) fiber.Handler {
	return func(c *fiber.Ctx) error { return c.SendString(f.Type) }
}

// serve runs a host with some pages.
func serve(t *testing.T, o webconsole.Options, pages ...console.Page) func(method, path string, header ...string) answer {
	t.Helper()
	return servePanels(t, o, nil, pages...)
}

func servePanels(t *testing.T, o webconsole.Options, panels []console.Panel, pages ...console.Page) func(method, path string, header ...string) answer {
	t.Helper()
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	host, err := webconsole.New(o)
	require.NoError(t, err)
	app := fiber.New(httpapi.FiberConfig(o.Logger))
	require.NoError(t, host.Mount(app, pages, panels, asset))
	return func(method, path string, header ...string) answer {
		req := httptest.NewRequestWithContext(t.Context(), method, path, http.NoBody)
		for i := 0; i+1 < len(header); i += 2 {
			req.Header.Set(header[i], header[i+1])
		}
		res, err := app.Test(req, -1)
		require.NoError(t, err)
		defer func() { _ = res.Body.Close() }()
		b, err := io.ReadAll(res.Body)
		require.NoError(t, err)
		return answer{res.StatusCode, res.Header, string(b)}
	}
}

var pages = []console.Page{
	{Method: http.MethodGet, Path: "/open", Load: show("for anyone")},
	{Method: http.MethodGet, Path: "/own", Access: console.SignedIn, Load: show("for one")},
	{Method: http.MethodPost, Path: "/leave", Load: func(context.Context, *console.Request) (console.View, error) {
		return console.View{Redirect: "/open", SignOut: true}, nil
	}},
	{Method: http.MethodGet, Path: "/broken", Load: func(context.Context, *console.Request) (console.View, error) {
		return console.View{}, errors.New("pq: the password is hidden")
	}},
}

// Guarantee: where the pages have a path in front of them, all their links, forms, styles and redirects have it.
func TestPathInFront(t *testing.T) {
	t.Parallel()
	ask := serve(t, webconsole.Options{AppURL: "https://example.com/atlas/"}, pages...)
	page := ask(http.MethodGet, "/open").body
	require.Contains(t, page, `href="/atlas/x"`)
	require.Contains(t, page, `href="/atlas`+templates.Style.Path)
	require.NotRegexp(t, `(href|action)="/(?:[^a]|a[^t])`, page)
	require.Equal(t, "/atlas/login?next=%2Fown", ask(http.MethodGet, "/own").header.Get("Location"))
}

// Guarantee: over HTTPS the cookie is __Host-, over plain HTTP it has a plain name; each takes only its own.
func TestCookieNames(t *testing.T) {
	t.Parallel()
	for url, name := range map[string]string{"https://atlas.example": "__Host-gpa", "http://127.0.0.1:8080": "gpa", "": "gpa"} {
		ask := serve(t, webconsole.Options{AppURL: url, Sessions: sessions{secret: secret, renewed: true}}, pages...)
		res := ask(http.MethodGet, "/own", "Cookie", name+"="+secret)
		require.Equal(t, http.StatusOK, res.status, url)
		want := name + "=" + secret + "; Path=/; Max-Age=2592000; HttpOnly"
		if name != "gpa" {
			want += "; Secure"
		}
		require.Equal(t, []string{want + "; SameSite=Lax"}, res.header.Values("Set-Cookie"), "it goes on for thirty days")
		require.Equal(t, "no-store", res.header.Get("Cache-Control"))
		other := map[string]string{"gpa": "__Host-gpa", "__Host-gpa": "gpa"}[name]
		require.Equal(t, http.StatusSeeOther, ask(http.MethodGet, "/own", "Cookie", other+"="+secret).status)
		require.Equal(t, http.StatusSeeOther, ask(http.MethodGet, "/own", "Authorization", "Bearer "+secret).status)
		for _, several := range []string{"zzz", strings.Repeat("z", 40)} { // of another page
			for _, cookies := range []string{name + "=" + several + "; " + name + "=" + secret, name + "=" + secret + "; " + name + "=" + several} {
				got := ask(http.MethodGet, "/own", "Cookie", cookies)
				require.Equal(t, http.StatusOK, got.status, cookies)
				require.Equal(t, res.header.Values("Set-Cookie"), got.header.Values("Set-Cookie"))
			}
		}
		left := ask(http.MethodPost, "/leave", "Cookie", name+"="+secret, "Sec-Fetch-Site", "same-origin")
		require.Len(t, left.header.Values("Set-Cookie"), 1)
		require.Contains(t, left.header.Get("Set-Cookie"), name+"=; Path=/; Max-Age=0")
	}
}

// Guarantee: a session that cannot be verified now is no stranger, and what fails inside is not shown.
func TestFailures(t *testing.T) {
	t.Parallel()
	var logged bytes.Buffer
	o := webconsole.Options{AppURL: "https://atlas.example", Sessions: sessions{err: apperr.Unavailable("The database is away")}, Logger: slog.New(slog.NewTextHandler(&logged, nil))}
	ask := serve(t, o, pages...)
	for _, path := range []string{"/open", "/own"} {
		res := ask(http.MethodGet, path, "Cookie", "__Host-gpa="+secret)
		require.Equal(t, http.StatusServiceUnavailable, res.status)
		require.Empty(t, res.header.Get("Set-Cookie"), "the cookie may be good")
		require.Contains(t, res.body, "The database is away")
	}
	res := ask(http.MethodGet, "/broken")
	require.Equal(t, http.StatusInternalServerError, res.status)
	require.NotContains(t, res.body, "password")
	require.Contains(t, logged.String(), "the password is hidden", "the log has the cause")

	for _, junk := range []string{"x", strings.Repeat("x", 4000), "<script>"} { // no work for a verifier
		require.Equal(t, http.StatusOK, ask(http.MethodGet, "/open", "Cookie", "__Host-gpa="+junk).status)
	}
}

// Guarantee: pages count for whoever is signed in, what they load does not count, and a refusal is a page.
func TestLimits(t *testing.T) {
	t.Parallel()
	var counted []int64
	ask := serve(t, webconsole.Options{AppURL: "https://atlas.example", Sessions: sessions{secret: secret}, Limit: func(c *fiber.Ctx) string {
		counted = append(counted, auth.From(c.UserContext()).UserID)
		c.Set("Retry-After", "3")
		return "Rate limit exceeded: 10 requests per 5 seconds"
	}}, pages...)
	for _, cookie := range []string{"", "__Host-gpa=" + secret} {
		res := ask(http.MethodGet, "/open", "Cookie", cookie)
		require.Equal(t, http.StatusTooManyRequests, res.status)
		require.Equal(t, "3", res.header.Get("Retry-After"))
		require.Contains(t, res.body, "10 requests per 5 seconds")
	}
	require.Equal(t, http.StatusOK, ask(http.MethodGet, templates.Style.Path).status)
	require.Equal(t, []int64{0, 7}, counted)
}

// Guarantee: a path is claimed once, and only by methods that pages have.
func TestClaims(t *testing.T) {
	t.Parallel()
	for _, bad := range [][]console.Page{{pages[0], pages[0]}, {{Method: http.MethodPut, Path: "/x"}}} {
		host, err := webconsole.New(webconsole.Options{})
		require.NoError(t, err)
		require.Error(t, host.Mount(fiber.New(), bad, nil, nil))
	}
	_, err := webconsole.New(webconsole.Options{AppURL: "http://bad host/"})
	require.Error(t, err)
}

type waiting struct{ error }

func (waiting) RetryAfter() time.Duration { return 1500 * time.Millisecond }

// Guarantee: a form that is refused is shown with the failure's status, and returns how long to wait.
func TestRefusedForm(t *testing.T) {
	t.Parallel()
	ask := serve(t, webconsole.Options{AppURL: "https://atlas.example"}, console.Page{
		Method: http.MethodPost, Path: "/form", Load: func(_ context.Context, r *console.Request) (console.View, error) {
			err := apperr.New(apperr.KindRateLimited, "Too many").Wrap(waiting{errors.New("wait")})
			return console.View{Title: "Form", Body: body, Form: &console.Form{}, Failure: err, Data: r.Value("q")}, nil
		},
	})
	res := ask(http.MethodPost, "/form?q=from-the-url", "Sec-Fetch-Site", "same-origin")
	require.Equal(t, http.StatusTooManyRequests, res.status)
	require.Equal(t, "2", res.header.Get("Retry-After"))
	require.NotContains(t, res.body, "from-the-url")
}

// Guarantee: a form's values are text, and each comes once: anything else is refused with a page, before the page reads it.
func TestBadForms(t *testing.T) {
	t.Parallel()
	read := 0
	host, err := webconsole.New(webconsole.Options{
		AppURL: "https://atlas.example", Logger: slog.New(slog.DiscardHandler),
		Unpack: func(c *fiber.Ctx) error {
			if c.Get("Content-Encoding") != "" {
				return httpapi.ErrBodyTooLarge
			}
			return nil
		},
	})
	require.NoError(t, err)
	config := httpapi.FiberConfig(slog.New(slog.DiscardHandler))
	config.ErrorHandler = host.Failures(config.ErrorHandler)
	app := fiber.New(config)
	page := func(method string) console.Page {
		return console.Page{Method: method, Path: "/form", Load: func(_ context.Context, r *console.Request) (console.View, error) {
			read++
			return console.View{Title: "Form", Body: body, Data: r.Values.Encode()}, nil
		}}
	}
	require.NoError(t, host.Mount(app, []console.Page{page(http.MethodGet), page(http.MethodPost)}, nil, asset))
	const form = "application/x-www-form-urlencoded"
	for name, test := range map[string]struct {
		method, query, kind, body, coding string
		status                            int
		want                              string
	}{
		"good":                    {body: "a=1&b=2&c=", status: 200, want: "<p>a=1&amp;b=2&amp;c=</p>"},
		"with a charset":          {kind: form + "; charset=utf-8", body: "a=é", status: 200, want: "a=%C3%A9"},
		"empty":                   {kind: "text/plain", status: 200, want: "<p></p>"},
		"a doubled field":         {body: "a=1&a=1", status: 400, want: "Invalid a: was sent more than once"},
		"an empty double":         {body: "a=1&a=", status: 400, want: "Invalid a: was sent more than once"},
		"NUL":                     {body: "a=x%00y", status: 400, want: "Invalid a: must not contain a NUL byte"},
		"invalid UTF-8":           {body: "a=%ff", status: 400, want: "Invalid a: must be valid UTF-8"},
		"invalid UTF-8, raw":      {body: "a=\xc3\x28", status: 400, want: "Invalid a: must be valid UTF-8"},
		"NUL in a name":           {body: "a%00=1", status: 400, want: "Invalid form: must not contain a field with an unreadable name"},
		"a long name":             {body: strings.Repeat("a", 65) + "=1", status: 400, want: "Invalid form"},
		"markup in a name":        {body: "<b>=1&<b>=1", status: 400, want: "Invalid &lt;b&gt;: was sent"},
		"in the URL, doubled":     {method: http.MethodGet, query: "?a=1&a=2", status: 400, want: "Invalid a: was sent more than once"},
		"in the URL, NUL":         {method: http.MethodGet, query: "?a=%00", status: 400, want: "NUL"},
		"JSON":                    {kind: "application/json", body: `{"a":1}`, status: 415, want: "A form must be sent as " + form},
		"parts":                   {kind: "multipart/form-data; boundary=b", body: "--b--", status: 415, want: "A form must be sent as"},
		"too large when unpacked": {body: "a=1", coding: "gzip", status: 413, want: "The request body is too large"},
		"another method":          {method: http.MethodPut, status: 405, want: "This method is not allowed here; allowed: GET, HEAD, POST"},
	} {
		if test.method == "" {
			test.method = http.MethodPost
		}
		if test.kind == "" {
			test.kind = form
		}
		before := read
		req := httptest.NewRequestWithContext(t.Context(), test.method, "/form"+test.query, strings.NewReader(test.body))
		req.Header.Set("Content-Type", test.kind)
		req.Header.Set("Sec-Fetch-Site", "same-origin")
		if test.coding != "" {
			req.Header.Set("Content-Encoding", test.coding)
		}
		res, err := app.Test(req, -1)
		require.NoError(t, err, name)
		got, err := io.ReadAll(res.Body)
		require.NoError(t, err, name)
		require.NoError(t, res.Body.Close())
		require.Equal(t, test.status, res.StatusCode, name)
		require.Equal(t, "text/html; charset=utf-8", res.Header.Get("Content-Type"), name)
		require.Contains(t, string(got), test.want, name)
		require.Equal(t, test.status == http.StatusOK, read > before, name)
		require.Contains(t, res.Header.Get("Content-Security-Policy"), "form-action 'self'", name)
	}
}
