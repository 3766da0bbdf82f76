package console_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/gofiber/fiber/v2"
	"github.com/stretchr/testify/require"

	"gpatlas/platform/apperr"
	"gpatlas/platform/console"
	templates "gpatlas/templates/console"
	webconsole "gpatlas/web/console"
)

var framed = templates.Parse(fstest.MapFS{"page.html": {Data: []byte(`{{define "content"}}<p>{{.Data}}</p>{{template "panels" .}}{{end}}`)}}, "page.html")

// Guarantee: panels are shown in their order. One that fails, panics or never answers is replaced by a sentence, and the rest of the page is
// shown. One with nothing to show is left out.
func TestPanels(t *testing.T) {
	t.Parallel()
	panel := func(title string, load func(ctx context.Context) (any, error)) console.Panel {
		return console.Panel{Page: "/things/{id}", Title: title, Body: body, Load: func(ctx context.Context, r *console.Request) (any, error) {
			require.Equal(t, "a b", r.Parameters["id"])
			return load(ctx)
		}}
	}
	ask := servePanels(t, webconsole.Options{AppURL: "https://atlas.example/x", Logger: slog.New(slog.DiscardHandler)}, []console.Panel{
		panel("Fails", func(context.Context) (any, error) { return nil, errors.New("pq: the password is hidden") }),
		panel("Panics", func(context.Context) (any, error) { panic("the password is hidden") }),
		panel("Hangs", func(context.Context) (any, error) { select {} }),
		panel("Nothing", func(context.Context) (any, error) { return nil, nil }), //nolint:nilnil // nothing to show
		panel("Last", func(context.Context) (any, error) { return "last of all", nil }),
	}, console.Page{Method: http.MethodGet, Path: "/things/{id}", Load: func(_ context.Context, r *console.Request) (console.View, error) {
		return console.View{Title: "Thing", Body: framed, Data: r.Parameters["id"]}, nil
	}})
	res := ask(http.MethodGet, "/things/a%20b")
	require.Equal(t, http.StatusOK, res.status)
	require.Contains(t, res.body, "<p>a b</p>")
	require.NotContains(t, res.body, "password")
	at := -1
	for _, part := range []string{`>Fails</h2>`, "could not be loaded", `>Panics</h2>`, "could not be loaded", `>Hangs</h2>`, "took too long", `>Last</h2>`, "last of all", `href="/atlas/x/x"`} {
		part = strings.Replace(part, "/atlas/x/x", "/x/x", 1)
		next := strings.Index(res.body[at+1:], part)
		require.GreaterOrEqual(t, next, 0, "%s in %s", part, res.body)
		at += next + 1
	}
	require.NotContains(t, res.body, "Nothing")
	require.Equal(t, http.StatusNotFound, ask(http.MethodGet, "/things/%ff").status)

	host, err := webconsole.New(webconsole.Options{})
	require.NoError(t, err)
	require.ErrorContains(t, host.Mount(fiber.New(), nil, []console.Panel{{Page: "/nowhere", Title: "Lost"}}, asset), "Lost")
}

// Guarantee: where the API is closed to anonymous callers, a page leads them to the sign-in.
func TestClosedAPI(t *testing.T) {
	t.Parallel()
	ask := serve(t, webconsole.Options{AppURL: "https://atlas.example"}, console.Page{Method: http.MethodGet, Path: "/closed", Load: func(context.Context, *console.Request) (console.View, error) {
		return console.View{}, apperr.New(apperr.KindUnauthenticated, "Send a key")
	}})
	res := ask(http.MethodGet, "/closed")
	require.Equal(t, http.StatusSeeOther, res.status)
	require.Equal(t, "/login?next=%2Fclosed", res.header.Get("Location"))
}
