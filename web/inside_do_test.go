package web_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/charge"
	"gpatlas/platform/console"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
	"gpatlas/platform/testkit/chargetest"
	templates "gpatlas/templates/console"
	"gpatlas/web/webtest"
)

type madeInput struct {
	Shelf string `path:"shelf" doc:"Shelf."`
	Body  struct {
		Name string `json:"name" minLength:"3" doc:"Name."`
		Loud bool   `json:"loud" doc:"Loud."`
		Size int    `json:"size,omitempty" doc:"Size."`
	}
}

// browsers knows one visitor.
type browsers struct{}

func (browsers) VerifyBrowser(context.Context, string) (*auth.Principal, bool, error) {
	return &auth.Principal{Kind: auth.Session, UserID: 7}, false, nil
}

// acting is a module with a page whose form makes a thing, a page that buys one, and one that sends a file.
func acting(made *[]string) module.Manifest {
	options := []httpapi.Option{httpapi.Grant(httpapi.Login), httpapi.Volatile()}
	page := console.Page{Method: http.MethodGet, Path: "/shelves/{shelf}", Access: console.SignedIn, Load: func(ctx context.Context, r *console.Request) (console.View, error) {
		if r.Value("try") != "" {
			_, err := r.API.Do(ctx, "make-thing", url.Values{"shelf": {"x"}}, map[string]any{"name": "never", "loud": true})
			return console.View{}, err
		}
		return console.View{Title: "Shelf", Body: templates.Screen, Data: &console.Content{}, Forms: []*console.Form{{
			Action: "/shelves/" + r.Parameters["shelf"], Submit: "Make", Fields: []console.Field{
				{Name: "name", Label: "Name", Type: console.Text}, {Name: "loud", Label: "Loud", Type: console.Checkbox}, {Name: "size", Label: "Size", Type: console.Number, Optional: true},
			},
		}}}, nil
	}}
	pages := page.With(console.Action{Path: "/shelves/{shelf}", Operation: "make-thing", Lead: "/shelves/{shelf}?notice=added"})
	post := func(path string, load func(ctx context.Context, r *console.Request) (console.View, error)) {
		pages = append(pages, console.Page{Method: http.MethodPost, Path: path, Access: console.SignedIn, Load: load})
	}
	pages = append(pages, console.Sold{
		Path: "/lamps", Title: "Lamps", Operation: "paid", Body: templates.Sold, Lead: "Lamps by size.",
		Fields: []console.Field{{Name: "size", Label: "Size", Type: console.Text}},
		Tables: func(a *console.Answer) []console.Titled {
			return []console.Titled{{Table: console.NewTable(&console.Answer{Data: []any{a.Record()}}, "None", console.Value("Name", "name", console.Plain))}}
		},
	}.Pages()...)
	post("/file", func(ctx context.Context, r *console.Request) (console.View, error) {
		a, err := r.API.Do(ctx, "get-file", nil, nil)
		if err != nil {
			return console.View{}, err
		}
		return console.View{File: a.File}, nil
	})
	return module.New("acting", module.Part{Routes: httpapi.Group([]httpapi.Route{
		httpapi.Post("/v1/shelves/{shelf}", "make-thing", func(ctx context.Context, in *madeInput) (*httpapi.Reply[item], error) {
			if in.Shelf == "theirs" {
				return nil, apperr.NotFound("There is no such shelf")
			}
			*made = append(*made, fmt.Sprint(in.Shelf, "/", in.Body.Name, " of ", auth.From(ctx).UserID))
			return &httpapi.Reply[item]{Body: item{Name: in.Body.Name}}, nil
		}, options...),
		httpapi.Get("/v1/file", "get-file", func(context.Context, *struct{}) (*httpapi.Reply[string], error) {
			return &httpapi.Reply[string]{ContentType: "text/csv", Header: map[string]string{"Content-Disposition": `attachment; filename="a.csv"`}, Stream: func(w *bufio.Writer) error {
				_, err := w.WriteString(strings.Repeat("a,b\r\n", 10_000))
				return err
			}}, nil
		}, append(options, httpapi.Produces("text/csv"))...),
		httpapi.Get("/v1/paid", "paid", func(_ context.Context, in *struct {
			Size string `query:"size" maxLength:"5" doc:"Size."`
		},
		) (*httpapi.Reply[item], error) {
			return &httpapi.Reply[item]{Body: item{Name: "paid " + in.Size}}, nil
		}, httpapi.Charge(150_000, charge.PerRequest)),
	}), Pages: pages})
}

// Guarantee: a form acts through the operation, with its checks, its access control and, for a price that the button stated, its one way of a
// charge. A page that is only looked at, a form of another site, and a price that was not stated change nothing.
func TestFormsAct(t *testing.T) {
	t.Parallel()
	var made []string
	meter := &chargetest.Meter{}
	options := webtest.Options(t, acting(&made))
	options.Meter, options.Browsers = meter, browsers{}
	address := webtest.Serve(t, webtest.App(t, options))
	send := func(method, path, body string, header ...string) (int, http.Header, string) {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), method, address+path, strings.NewReader(body))
		require.NoError(t, err)
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		req.Header.Set("Cookie", "gpa=abcdefghijklmnopqrstuvwxyz")
		req.Header.Set("Sec-Fetch-Site", "same-origin")
		for i := 0; i+1 < len(header); i += 2 {
			req.Header.Set(header[i], header[i+1])
		}
		res, err := (&http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}).Do(req)
		require.NoError(t, err)
		defer func() { _ = res.Body.Close() }()
		text, err := io.ReadAll(res.Body)
		require.NoError(t, err)
		return res.StatusCode, res.Header, string(text)
	}

	status, header, _ := send("POST", "/shelves/a", "name=Lamp&loud=yes")
	require.Equal(t, []any{303, "/shelves/a?notice=added"}, []any{status, header.Get("Location")})
	_, _, text := send("GET", "/shelves/a?notice=added", "")
	require.Contains(t, text, "Added.")
	for body, want := range map[string]string{
		"name=x":              `<p class="error" id="name-error">Name must have at least 3 characters</p>`,
		"name=Lamp&size=none": `<p class="error" id="size-error">Size must be a whole number`,
		"name=Lamp&loud=no":   "must be yes, or absent",
	} {
		status, _, text := send("POST", "/shelves/a", body)
		require.Equal(t, 400, status, text)
		require.Contains(t, text, want)
		require.Contains(t, text, `name="name" type="text" autocomplete="off" value="`+strings.TrimPrefix(strings.Split(body, "&")[0], "name=")+`"`, "what was typed is kept")
	}
	status, _, text = send("POST", "/shelves/theirs", "name=Lamp")
	require.Equal(t, 404, status)
	require.Contains(t, text, "There is no such shelf")
	status, _, _ = send("POST", "/shelves/a", "name=Lamp", "Sec-Fetch-Site", "cross-site")
	require.Equal(t, 403, status)
	status, _, _ = send("GET", "/shelves/a?try=1", "")
	require.Equal(t, 500, status, "a page that is looked at changes nothing")
	require.Equal(t, []string{"a/Lamp of 7"}, made)

	for path, want := range map[string][]string{
		"/lamps":              {"Lamps by size.", `<input id="size"`},
		"/lamps?size=9":       {"The price is $0.15 per request.", "Show for $0.15", `name="size" value="9"`, `name="price" value="0.15"`},
		"/lamps?size=toolong": {"Size must have at most 5 characters"},
	} {
		_, _, text = send("GET", path, "")
		for _, part := range want {
			require.Contains(t, text, part, path)
		}
	}
	require.Empty(t, meter.Charged(), "looking costs nothing")
	for _, body := range []string{"size=9", "size=9&price=0.15", "size=toolong&purchase=k1&price=0.15"} {
		status, _, text = send("POST", "/lamps", body)
		require.Equal(t, 400, status, text)
	}
	status, _, _ = send("POST", "/lamps", "size=9&purchase=k1&price=0.15", "Sec-Fetch-Site", "cross-site")
	require.Equal(t, 403, status)
	require.Empty(t, meter.Charged())
	status, _, text = send("POST", "/lamps", "size=9&purchase=k1&price=0.15", "X-Request-ID", "req-7")
	require.Equal(t, 200, status, text)
	require.Contains(t, text, "This cost $0.15.")
	require.Contains(t, text, "<td>paid 9</td>")
	limit := int64(150_000)
	require.Equal(t, []charge.Item{{Operation: "paid", Per: charge.PerRequest, UnitMicros: 150_000, MaxMicros: &limit, RequestID: "req-7"}}, meter.Charged())

	status, header, text = send("POST", "/file", "")
	require.Equal(t, []any{200, "text/csv", `attachment; filename="a.csv"`, "no-store", 50_000},
		[]any{status, header.Get("Content-Type"), header.Get("Content-Disposition"), header.Get("Cache-Control"), len(text)})
}
