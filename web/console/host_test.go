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

// serve runs a host with some pages.
func serve(t *testing.T, o webconsole.Options, pages ...console.Page) func(method, path string, header ...string) answer {
	t.Helper()
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	host, err := webconsole.New(o)
	require.NoError(t, err)
	app := fiber.New(httpapi.FiberConfig(o.Logger))
	require.NoError(t, host.Mount(app, pages, func(c *fiber.Ctx) error { return c.SendString("css") }))
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
	require.Contains(t, page, `href="/atlas`+templates.StylePath())
	require.NotRegexp(t, `(href|action)="/(?:[^a]|a[^t])`, page)
	require.Equal(t, "/atlas/login", ask(http.MethodGet, "/own").header.Get("Location"))
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
	require.Equal(t, http.StatusOK, ask(http.MethodGet, templates.StylePath()).status)
	require.Equal(t, []int64{0, 7}, counted)
}

// Guarantee: a path is claimed once, and only by methods that pages have.
func TestClaims(t *testing.T) {
	t.Parallel()
	for _, bad := range [][]console.Page{{pages[0], pages[0]}, {{Method: http.MethodPut, Path: "/x"}}} {
		host, err := webconsole.New(webconsole.Options{})
		require.NoError(t, err)
		require.Error(t, host.Mount(fiber.New(), bad, nil))
	}
	_, err := webconsole.New(webconsole.Options{AppURL: "http://bad host/"})
	require.Error(t, err)
}

type waiting struct{ error }

func (waiting) RetryAfter() time.Duration { return 1500 * time.Millisecond }

// Guarantee: a form that is refused is shown with the failure's status, and says how long to wait.
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
